import { MAX_VERSION_LENGTH, parseVersion } from '../versions/index.ts';
import { splitPackage } from '../versions/parse.ts';
import { withoutLeadingZeros } from '../versions/sort-key.ts';
import { foldText } from './fold.ts';
import { identifiersIn } from './identifiers.ts';

const MAX_TOKENS = 512;
const MAX_SERIES_LENGTH = 80;

// The exact tokens of a release in normal form, the most significant first.
export function exactTokens(title: string, version: string | null, body: string): string[] {
  const found = new Set<string>();
  collect(found, title);
  if (version !== null) collectVersion(found, version);
  collect(found, body);
  return [...found];
}

// The token by which a query finds all versions of a series: `15.0` → `~15.0`.
export function seriesToken(numbers: readonly string[]): string {
  return `~${numbers.map(withoutLeadingZeros).join('.')}`;
}

function collect(found: Set<string>, text: string): void {
  if (found.size >= MAX_TOKENS) return;
  for (const { text: token } of identifiersIn(foldText(text))) {
    add(found, token);
    // `@scope/pkg@1.2.3` also mentions the package and the version.
    const at = token.lastIndexOf('@');
    if (at > 0) for (const part of [token.slice(0, at), token.slice(at + 1)]) collectPart(found, part);
    if (found.size >= MAX_TOKENS) return;
  }
}

function collectPart(found: Set<string>, part: string): void {
  for (const { text } of identifiersIn(part)) add(found, text);
}

function collectVersion(found: Set<string>, version: string): void {
  collect(found, version);
  if (version.length > MAX_VERSION_LENGTH) return;
  collect(found, splitPackage(version.trim()).version);
  const numbers = parseVersion(version)?.numbers ?? [];
  for (const count of [2, 1]) {
    const series = seriesToken(numbers.slice(0, count));
    if (numbers.length >= count && series.length <= MAX_SERIES_LENGTH) add(found, series);
  }
}

function add(found: Set<string>, token: string): void {
  if (found.size < MAX_TOKENS) found.add(token);
}

// Stored form of exact terms. No tokenizer splits or stems it: marks are private-use characters, and one closes it.
const MARKS = 0xe000;
const CLOSE = '\ue0ff';
// Marks terms that filters look for; without it a note that contains `kind:sdk` would pass as a release of that kind.
const SCOPE = '\ue0fe';
const ASCII_MARKS = new Map(
  Array.from('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', (mark) => [
    mark.charCodeAt(0),
    String.fromCharCode(MARKS + mark.charCodeAt(0)),
  ]),
);

export function encodeToken(token: string): string {
  let encoded = '';
  let from = 0;
  for (let at = 0; at < token.length; at += 1) {
    const mark = ASCII_MARKS.get(token.charCodeAt(at));
    if (mark === undefined) continue;
    encoded += token.slice(from, at) + mark;
    from = at + 1;
  }
  return encoded + token.slice(from) + CLOSE;
}

export function encodeScope(term: string): string {
  return SCOPE + encodeToken(term.toLowerCase());
}
