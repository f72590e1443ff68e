// Changelogs that are data: versions as the keys of a mapping, or a list of records that have one.
import { createRequire } from 'node:module';
import type { Pair, YAMLMap } from 'yaml';
import { type DateContext, documentDateOrder, documentDayFirst, readDate } from '../dates/index.ts';
import { parseVersion } from '../versions/index.ts';
import { isUnreleased } from './heading-words.ts';
import { NOTHING_OUTSIDE, textLength } from './outside-text.ts';
import type { ChangelogOptions, ChangelogSection, CutChangelog } from './types.ts';

const load = createRequire(import.meta.url);
let parser: typeof import('yaml') | undefined;

// Loaded with the first changelog that is YAML: few are, and every start of the program would load its dozens of files.
function yaml(): typeof import('yaml') {
  parser ??= load('yaml') as typeof import('yaml');
  return parser;
}

// What is larger is not written by hand, and is read as plain text instead.
const LONGEST = 1_000_000;
const LINES_READ = 400;
const DEEPEST = 6;
const VERSION_KEY =
  /^(?:[ \t]*["']?v?\d+\.\d[\w.+-]*["']?[ \t]*:(?:\s|$)|[ \t]*(?:-[ \t]+)?["']?version["']?[ \t]*:[ \t]*["']?v?\d)/m;
const VERSION = /^v?\d+\.\d[\w.+-]*$/i;
const DATE_KEYS = new Set(['date', 'released', 'release_date', 'releasedate', 'released_at', 'published']);
const VERSION_KEYS = new Set(['version', 'name', 'tag', 'release']);
const PLAIN_KEYS = new Set(['changes', 'notes', 'changelog', 'description', 'entries', 'items', 'summary', 'body']);

// The entries of a file that is YAML throughout; null for any other.
export function yamlSections(text: string, { now }: ChangelogOptions): CutChangelog | null {
  if (!looksLikeYaml(text)) return null;
  const parsed = yaml().parseDocument(text, { uniqueKeys: false, logLevel: 'silent', strict: false });
  if (parsed.errors.length > 0) return null;
  const sections: ChangelogSection[] = [];
  const outside = { ...NOTHING_OUTSIDE };
  const dates = dateContext(text, now);
  collect(parsed.contents, 0, {
    found: (version, node, offset) => sections.push(section(version, node, { text, offset, dates })),
    left: (node, kind) => {
      for (const line of sourceOf(node, text)) outside[kind] += textLength(line);
    },
  });
  return sections.length > 0 ? { sections, outside } : null;
}

function looksLikeYaml(text: string): boolean {
  if (text.length > LONGEST || !VERSION_KEY.test(text.slice(0, 20_000))) return false;
  // A heading or an underline is markdown, and an alias could make much of little.
  return (
    !text.split('\n', LINES_READ).some((line) => /^(?:#{1,6} \S|={3,}\s*$|[*&]\w)/.test(line)) &&
    !/[:\-\s][*&]\w+[ \t]*$/m.test(text)
  );
}

const DATE_LINE = /^[ \t]*(?:-[ \t]+)?["']?(?:date|released?|published)[\w-]*["']?[ \t]*:/i;

// In which order the dates of the file are written.
function dateContext(text: string, now: Date): DateContext {
  const dates = text.split('\n').filter((line) => DATE_LINE.test(line));
  const shortOrder = documentDateOrder(dates);
  return { now, dayFirst: documentDayFirst(dates) || shortOrder === 'day', shortOrder };
}

interface Collector {
  found(version: string, node: unknown, offset: number): void;
  // A part that stands under no version.
  left(node: unknown, kind: 'unreleased' | 'unread'): void;
}

function collect(node: unknown, depth: number, collector: Collector): void {
  const { found, left } = collector;
  if (depth > 2) {
    left(node, 'unread');
  } else if (yaml().isMap(node)) {
    const own = fieldOf(node, VERSION_KEYS);
    if (depth > 0 && own !== null && VERSION.test(own)) {
      found(own, node, node.range?.[0] ?? 0);
      return;
    }
    for (const pair of node.items as Pair[]) {
      const key = textOf(pair.key);
      if (VERSION.test(key)) found(key, pair.value, yaml().isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
      else if (isUnreleased(key, null)) left(pair.value, 'unreleased');
      else collect(pair.value, depth + 1, collector);
    }
  } else if (yaml().isSeq(node)) {
    for (const item of node.items) collect(item, depth + 1, collector);
  } else {
    left(node, 'unread');
  }
}

// The lines of the file that a node was read from.
function sourceOf(node: unknown, text: string): string[] {
  const range = yaml().isNode(node) ? node.range : null;
  return range ? text.slice(range[0], range[1]).split('\n') : [];
}

interface SectionContext {
  text: string;
  offset: number;
  dates: DateContext;
}

function section(version: string, node: unknown, { text: source, offset, dates }: SectionContext): ChangelogSection {
  const stated = yaml().isMap(node) ? fieldOf(node, DATE_KEYS) : null;
  const text = version.replace(/^v/i, '');
  return {
    heading: version,
    title: version,
    version: parseVersion(version) ? text : null,
    more: [],
    packagePart: null,
    date: stated === null ? null : readDate(stated, dates),
    level: 2,
    offset,
    body: bodyOf(node, source).join('\n').trim(),
    yanked: false,
    anchor: null,
    joined: 1,
  };
}

function bodyOf(node: unknown, source: string): string[] {
  if (!yaml().isMap(node)) return linesOf(node, 0, source);
  return (node.items as Pair[]).flatMap((pair) => {
    const key = textOf(pair.key);
    const name = key.toLowerCase();
    if (DATE_KEYS.has(name) || (VERSION_KEYS.has(name) && VERSION.test(textOf(pair.value)))) return [];
    const lines = linesOf(pair.value, 0, source);
    if (lines.length === 0) return [];
    return PLAIN_KEYS.has(name) ? [...lines, ''] : [`### ${titleCase(key)}`, '', ...lines, ''];
  });
}

// A value as markdown: lists stay lists, names of a mapping lead their values.
function linesOf(node: unknown, depth: number, source: string): string[] {
  const indent = '  '.repeat(depth);
  if (yaml().isSeq(node) && depth < DEEPEST) {
    return node.items.flatMap((item) => {
      const [first, ...rest] = yaml().isScalar(item) ? textOf(item).split('\n') : [];
      if (first !== undefined) return [`${indent}- ${first}`, ...rest.map((line) => `${indent}  ${line}`)];
      return linesOf(item, depth, source);
    });
  }
  if (yaml().isMap(node) && depth < DEEPEST) {
    return (node.items as Pair[]).flatMap((pair) => {
      const name = textOf(pair.key);
      if (yaml().isScalar(pair.value) || pair.value === null)
        return [`${indent}- ${name}: ${textOf(pair.value)}`.trimEnd()];
      return [`${indent}- ${name}:`, ...linesOf(pair.value, depth + 1, source)];
    });
  }
  // What is nested deeper stays as it is written.
  if (yaml().isMap(node) || yaml().isSeq(node)) return sourceOf(node, source).map((line) => `${indent}${line.trim()}`);
  const text = textOf(node);
  return text === '' ? [] : text.split('\n').map((line) => `${indent}${line}`);
}

function fieldOf(map: YAMLMap, keys: ReadonlySet<string>): string | null {
  const pair = (map.items as Pair[]).find(({ key }) => keys.has(textOf(key).toLowerCase()));
  const text = pair ? textOf(pair.value) : '';
  return text === '' ? null : text;
}

// As written: `1.10` is a version and no number.
function textOf(node: unknown): string {
  if (!yaml().isScalar(node)) return '';
  return (node.source ?? String(node.value ?? '')).trim();
}

function titleCase(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
