// Changelogs that are data: versions as the keys of a mapping, or a list of records that have one.
import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { readDate } from '../dates/index.ts';
import { parseVersion } from '../versions/index.ts';
import type { ChangelogOptions } from './entries.ts';
import type { ChangelogSection } from './join-versions.ts';

// What is larger is not written by hand, and is read as plain text instead.
const LONGEST = 1_000_000;
const LINES_READ = 400;
const DEEPEST = 6;
const VERSION_KEY =
  /^(?:[ \t]*["']?v?\d+(?:\.\d+)+[\w.+-]*["']?[ \t]*:(?:\s|$)|[ \t]*(?:-[ \t]+)?["']?version["']?[ \t]*:[ \t]*["']?v?\d)/m;
const VERSION = /^v?\d+(?:\.\d+)+[\w.+-]*$/i;
const DATE_KEYS = new Set(['date', 'released', 'release_date', 'releasedate', 'released_at', 'published']);
const VERSION_KEYS = new Set(['version', 'name', 'tag', 'release']);
const PLAIN_KEYS = new Set(['changes', 'notes', 'changelog', 'description', 'entries', 'items', 'summary', 'body']);

/** The entries of a file that is YAML throughout; null for any other. */
export function yamlSections(text: string, { now }: ChangelogOptions): ChangelogSection[] | null {
  if (!looksLikeYaml(text)) return null;
  const parsed = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', strict: false });
  if (parsed.errors.length > 0) return null;
  const found: ChangelogSection[] = [];
  collect(parsed.contents, 0, (version, node, offset) => found.push(section(version, node, offset, now)));
  return found.length > 0 ? found : null;
}

function looksLikeYaml(text: string): boolean {
  if (text.length > LONGEST || !VERSION_KEY.test(text.slice(0, 20_000))) return false;
  // A heading or an underline is markdown, and an alias could make much of little.
  return (
    !text.split('\n', LINES_READ).some((line) => /^(?:#{1,6} \S|={3,}\s*$|[*&]\w)/.test(line)) &&
    !/[:\-\s][*&]\w+[ \t]*$/m.test(text)
  );
}

type Found = (version: string, node: unknown, offset: number) => void;

function collect(node: unknown, depth: number, found: Found): void {
  if (depth > 2) return;
  if (isMap(node)) {
    const own = fieldOf(node, VERSION_KEYS);
    if (depth > 0 && own !== null && VERSION.test(own)) {
      found(own, node, node.range?.[0] ?? 0);
      return;
    }
    for (const pair of node.items as Pair[]) {
      const key = textOf(pair.key);
      if (VERSION.test(key)) found(key, pair.value, isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
      else collect(pair.value, depth + 1, found);
    }
  } else if (isSeq(node)) {
    for (const item of node.items) collect(item, depth + 1, found);
  }
}

function section(version: string, node: unknown, offset: number, now: Date): ChangelogSection {
  const stated = isMap(node) ? fieldOf(node, DATE_KEYS) : null;
  const text = version.replace(/^v/i, '');
  return {
    heading: version,
    title: version,
    version: parseVersion(version) ? text : null,
    more: [],
    packagePart: null,
    date: stated === null ? null : readDate(stated, { now, dayFirst: false }),
    level: 2,
    offset,
    body: bodyOf(node).join('\n').trim(),
    yanked: false,
    anchor: null,
    joined: 1,
  };
}

function bodyOf(node: unknown): string[] {
  if (!isMap(node)) return linesOf(node, 0);
  return (node.items as Pair[]).flatMap((pair) => {
    const key = textOf(pair.key);
    const name = key.toLowerCase();
    if (DATE_KEYS.has(name) || (VERSION_KEYS.has(name) && VERSION.test(textOf(pair.value)))) return [];
    const lines = linesOf(pair.value, 0);
    if (lines.length === 0) return [];
    return PLAIN_KEYS.has(name) ? [...lines, ''] : [`### ${titleCase(key)}`, '', ...lines, ''];
  });
}

/** A value as markdown: lists stay lists, names of a mapping lead their values. */
function linesOf(node: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (isSeq(node) && depth < DEEPEST) {
    return node.items.flatMap((item) => {
      const [first, ...rest] = isScalar(item) ? textOf(item).split('\n') : [];
      if (first !== undefined) return [`${indent}- ${first}`, ...rest.map((line) => `${indent}  ${line}`)];
      return linesOf(item, depth);
    });
  }
  if (isMap(node) && depth < DEEPEST) {
    return (node.items as Pair[]).flatMap((pair) => {
      const name = textOf(pair.key);
      if (isScalar(pair.value) || pair.value === null) return [`${indent}- ${name}: ${textOf(pair.value)}`.trimEnd()];
      return [`${indent}- ${name}:`, ...linesOf(pair.value, depth + 1)];
    });
  }
  const text = textOf(node);
  return text === '' ? [] : text.split('\n').map((line) => `${indent}${line}`);
}

function fieldOf(map: YAMLMap, keys: ReadonlySet<string>): string | null {
  const pair = (map.items as Pair[]).find(({ key }) => keys.has(textOf(key).toLowerCase()));
  const text = pair ? textOf(pair.value) : '';
  return text === '' ? null : text;
}

/** As written: `1.10` is a version and no number. */
function textOf(node: unknown): string {
  if (!isScalar(node)) return '';
  return (node.source ?? String(node.value ?? '')).trim();
}

function titleCase(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
