// Titles: what is informative in the title of a release, and titles that are made from its entries.

import { unmark } from '../clean-text.ts';
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';
import { cutAtClause } from './cut.ts';
import { inline } from './inline.ts';
import { isBare, periodWord } from './release-type.ts';
import type { NoteItem } from './types.ts';
import { isInternalLabel } from './user-impact.ts';

const MAX_SHORT_TITLE_LENGTH = 70;
const MAX_GENERATED_TITLE_LENGTH = 100;
const READ_OF_TITLE = 500;

const RELEASE_WORDS = new Set([
  ...PLAIN_PRERELEASE_WORDS,
  ...`a and announcing available build changelog changes commit commits details diff discussion discussions final full ga
  history current edition hotfix in introducing is latest log logs lts maintenance major minor monthly new note notes now of our out
  patch release released releases see since stable the this through update updates v ver version view weekly what's whats`.split(
    /\s+/,
  ),
]);
const VERSION = new RegExp(
  String.raw`^v?\.?\d+(?:[._]\d+)*(?:[-+~][\w.+-]*|(?:a|b|c|dev|post|${PLAIN_PRERELEASE_WORDS.join('|')})\.?\d*|\.(?:x|final|release|ga)|[a-z])?$`,
  'i',
);
const PACKAGED =
  /^\d+(?:\.\d+){1,3}@\w{1,20}$|^@?[\w./-]{1,100}@v?\d[\w.+-]*$|^[a-z][\w./-]{0,100}?[-_/]v?\d+[._][\w.+-]*$/i;

// "… (#1010)", "… PR #1010": the number of the pull request or issue at the end of a title.
const CLOSING_REFERENCE = /\s{1,3}(?:\((?:PR |issue )?#\d{1,7}\)|(?:PR|pull request|issue|closes|fixes) #\d{1,7})\.?$/i;

type TitleWord = {
  kind: 'name' | 'version' | 'filler' | 'mark' | 'other';
  start: number;
  separated: boolean;
  text: string;
};

type TitleInput = { title: string; version: string | null; names: readonly string[] };

// The title without its leading names and version; null when nothing else is left.
export function informativeTitle(input: TitleInput): string | null {
  if (input.title === input.version) return null;
  const title = unmark(inline(input.title.slice(0, READ_OF_TITLE))).replace(CLOSING_REFERENCE, '');
  const words = leadingWords(title, input);
  const next = words.at(-1);
  if (next?.kind !== 'other') return null;
  const led = words.slice(0, -1);
  const anchor = led.findLastIndex((word) => word.kind === 'name' || word.kind === 'version');
  if (anchor === -1) return stripEdges(title);
  if (led.at(-1)?.separated) return stripEdges(title.slice(next.start));
  const rest = words[anchor + 1] ?? next;
  const isSubject = led.some((word) => word.kind === 'name') && /^[a-z]/.test(rest.text);
  return stripEdges(isSubject ? title : title.slice(rest.start));
}

// The informative title, else the most important entry.
export function titleShort(informative: string | null, topItem: string | null): string | null {
  const text = informative ?? topItem;
  return text ? cutAtClause(text, MAX_SHORT_TITLE_LENGTH) || null : null;
}

// `<name> <version>: <most important entry>`, for a title that is not informative.
export function titleGenerated(displayName: string, version: string | null, topItem: string): string | null {
  const head = [displayName.trim(), version ? shownVersion(version) : ''].filter(Boolean).join(' ');
  if (!head) return cutAtClause(topItem, MAX_GENERATED_TITLE_LENGTH);
  const room = MAX_GENERATED_TITLE_LENGTH - head.length - 2;
  return room < 10 ? null : `${head}: ${cutAtClause(topItem, room)}`;
}

// The version without package part and leading `v`.
export function shownVersion(version: string): string {
  const text = version
    .trim()
    .replace(/^refs\/tags\//, '')
    .slice(0, 120);
  const packaged = /(?:@|^[a-z@][\w./@-]{0,100}?[-_/ ])v?(\d[^@\s]*)$/i.exec(text);
  return packaged?.[1] ?? text.replace(/^v\.?(?=\d)/i, '');
}

// Whether an entry may head a list: no boilerplate, and no work on the project alone ("[Dev Deps] update …").
export function isTitle({ boilerplate, label, text }: NoteItem): boolean {
  return !boilerplate && !isInternalLabel(label) && /\p{L}{3}/u.test(text);
}

// Whether a sentence of an entry begins where a title of the entry would have ended.
export function isFarFromStart(sentence: string, text: string): boolean {
  return text.length > MAX_SHORT_TITLE_LENGTH && text.indexOf(sentence.slice(0, 20)) > 20;
}

// "[New] add hooks" and "Merged pull request, add hooks" are told by "add hooks".
export function withoutLabel(text: string): string {
  const rest = text
    .replace(/^merged? (?:pull request|pr),? ?(?=\S{3})/i, '')
    .replace(/^\[[A-Za-z][\w &/,-]{0,30}\]:? ?(?=\S{3})/, '');
  return rest.length >= 8 ? rest : text;
}

// "NOTE: the flag …" is told by "The flag …".
export function withoutCall(text: string): string {
  const rest = text.replace(
    /^(?:\/!\\ {0,2})?(?:(?:please )?note(?: that\b|:)|(?:warning|important|attention|caution|heads[ -]up)[:,!]) {1,3}/i,
    '',
  );
  return rest === text || rest.length < 8 ? text : rest.charAt(0).toUpperCase() + rest.slice(1);
}

// The releases of a batch share one list of names, whose words are computed once.
const wordsOfNames = new WeakMap<readonly string[], ReadonlySet<string>>();

function nameWords(names: readonly string[]): ReadonlySet<string> {
  const read = wordsOfNames.get(names);
  if (read) return read;
  const words = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    for (const word of lower.split(/\s+/)) words.add(bare(word));
    for (const word of lower.split(/[^a-z0-9.+#]+/)) words.add(word);
  }
  wordsOfNames.set(names, words);
  return words;
}

// The words up to the first that is none of the release itself; what follows it is not looked at.
function leadingWords(title: string, { version, names }: TitleInput): TitleWord[] {
  const packagePart = version?.slice(0, -shownVersion(version).length || undefined) ?? '';
  const packageName = packagePart.length > 1 ? [packagePart.replace(/[@\-_/v]+$/i, '')] : [];
  const known = packageName.length > 0 ? nameWords([...names, ...packageName]) : nameWords(names);
  const words: TitleWord[] = [];
  for (const { 0: text, index: start } of title.matchAll(/\S+/g)) {
    const kind = kindOf(bare(text.toLowerCase().replace(/’/g, "'")), known, version);
    words.push({ kind, start, separated: /[:|–—]$|^-$/.test(text), text: text.replace(/^[("'[]+/, '') });
    if (kind === 'other') break;
  }
  return words;
}

function kindOf(word: string, known: ReadonlySet<string>, version: string | null): TitleWord['kind'] {
  // A mention of the person who made the release says nothing about it.
  if (word === '' || /^@[\w-]{1,40}$/.test(word)) return 'mark';
  if (word === version?.toLowerCase() || VERSION.test(word) || PACKAGED.test(word)) return 'version';
  // "Weekly update #38" numbers its issues.
  if (/^#\d{1,5}$/.test(word)) return 'version';
  // Several versions or a day: "2.0.16/17", "2018-06-05".
  if (/^v?\d+(?:\.\d+){1,3}(?:\/[\d.]{1,10}){1,5}$|^\d{4}-\d\d-\d\d$/.test(word)) return 'version';
  if (known.has(word)) return 'name';
  return RELEASE_WORDS.has(word) || periodWord(word) ? 'filler' : 'other';
}

function bare(word: string): string {
  return isBare(word) ? word : word.replace(/^[^\p{L}\p{N}@'+#.]+|[^\p{L}\p{N}+#]+$/gu, '').replace(/^\.(?=\d)/, '');
}

function stripEdges(text: string): string {
  const inner = text
    .replace(/^[\s:|–—,.-]{1,20}/, '')
    .replace(/[\s:|–—,-]{1,20}$/, '')
    .replace(/([^.])\.$/, '$1');
  return /^[([]/.test(inner) && /[)\]]$/.test(inner) ? inner.slice(1, -1) : inner;
}
