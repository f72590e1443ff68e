// Changelogs in YAML: a mapping with versions as keys, or a list of records with a version.
import type { CST, Pair, ParsedNode, YAMLMap } from 'yaml';
import { type DateContext, dateContextOf, readDate } from '../dates/index.ts';
import { parseVersion } from '../versions/index.ts';
import { isUnreleased } from './heading-words.ts';
import { NOTHING_OUTSIDE, textLength } from './outside-text.ts';
import type { ChangelogOptions, ChangelogSection, CutChangelog } from './types.ts';
import { linesOf, sourceOf, textOf, titleCase, yaml } from './yaml-markdown.ts';

// Larger files are not written by hand, and are read as plain text instead.
const MAX_LENGTH = 1_000_000;
const LINES_READ = 400;
const VERSION_KEY =
  /^(?:[ \t]*["']?v?\d+\.\d[\w.+-]*["']?[ \t]*:(?:\s|$)|[ \t]*(?:-[ \t]+)?["']?version["']?[ \t]*:[ \t]*["']?v?\d)/m;
const VERSION = /^v?\d+\.\d[\w.+-]*$/i;
const DATE_KEYS = new Set(['date', 'released', 'release_date', 'releasedate', 'released_at', 'published']);
const VERSION_KEYS = new Set(['version', 'name', 'tag', 'release']);
const PLAIN_KEYS = new Set(['changes', 'notes', 'changelog', 'description', 'entries', 'items', 'summary', 'body']);

// The sections of a file in YAML; null for any other file.
export function yamlSections(text: string, { now }: ChangelogOptions): CutChangelog | null {
  if (!looksLikeYaml(text)) return null;
  const contents = parseYaml(text);
  if (contents === null) return null;
  const sections: ChangelogSection[] = [];
  const outside = { ...NOTHING_OUTSIDE };
  const dates = dateContext(text, now);
  collect(contents, 0, {
    found: (version, node, offset) => sections.push(section(version, node, { text, offset, dates })),
    left: (node, kind) => {
      for (const line of sourceOf(node, text)) outside[kind] += textLength(line);
    },
  });
  return sections.length > 0 ? { sections, outside } : null;
}

function looksLikeYaml(text: string): boolean {
  if (text.length > MAX_LENGTH || !VERSION_KEY.test(text.slice(0, 20_000))) return false;
  // A heading or an underline means markdown. Aliases are refused, because they could expand to any size.
  return (
    !text.split('\n', LINES_READ).some((line) => /^(?:#{1,6} \S|={3,}\s*$|[*&]\w)/.test(line)) &&
    !/[:\-\s][*&]\w+[ \t]*$/m.test(text)
  );
}

const DATE_LINE = /^[ \t]*(?:-[ \t]+)?["']?(?:date|released?|published)[\w-]*["']?[ \t]*:/i;

// The order of day, month and year in the dates of the file.
function dateContext(text: string, now: Date): DateContext {
  return dateContextOf(
    text.split('\n').filter((line) => DATE_LINE.test(line)),
    now,
  );
}

interface Collector {
  found(version: string, node: unknown, offset: number): void;
  // A part without a version.
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

interface SectionContext {
  text: string;
  offset: number;
  dates: DateContext;
}

function section(version: string, node: unknown, { text: source, offset, dates }: SectionContext): ChangelogSection {
  const date = yaml().isMap(node) ? fieldOf(node, DATE_KEYS) : null;
  const text = version.replace(/^v/i, '');
  return {
    heading: version,
    title: version,
    version: parseVersion(version) ? text : null,
    more: [],
    packagePart: null,
    date: date === null ? null : readDate(date, dates),
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

function fieldOf(map: YAMLMap, keys: ReadonlySet<string>): string | null {
  const pair = (map.items as Pair[]).find(({ key }) => keys.has(textOf(key).toLowerCase()));
  const text = pair ? textOf(pair.value) : '';
  return text === '' ? null : text;
}

// Parses a changelog in YAML in a time that grows with its length and no faster, whatever the text is.

// Changelogs nest a few levels; deeper ones are read as plain text.
const DEEPEST = 64;

class UnreadableYaml extends Error {}

// The content of the first document; null for a text that is no valid YAML or nests too deeply. Parsing ends at the first
// error, because a hostile text has one at every character.
export function parseYaml(text: string): ParsedNode | null {
  const { Composer } = yaml();
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent', strict: false });
  const onError = (_source: unknown, _code: string, message: string, isWarning?: boolean) => {
    if (!isWarning) throw new UnreadableYaml(message);
  };
  Object.assign(composer, { onError });
  try {
    for (const document of composer.compose(tokensOf(text), true, text.length)) {
      return document.errors.length > 0 ? null : document.contents;
    }
    return null;
  } catch (error) {
    if (error instanceof UnreadableYaml) return null;
    throw error;
  }
}

function* tokensOf(text: string): Generator<CST.Token> {
  const { Lexer, Parser } = yaml();
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) yield valid(token);
    if (parser.stack.length > DEEPEST) throw new UnreadableYaml('nests too deeply');
  }
  for (const token of parser.end()) yield valid(token);
}

function valid(token: CST.Token): CST.Token {
  if (token.type === 'error') throw new UnreadableYaml(token.message);
  return token;
}
