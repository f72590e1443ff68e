// Builds the texts that are embedded: each fact once, words only. Any change of these texts needs a new `RECIPE`. Versions and
// identifiers are left to lexical search, which matches them exactly.
import { hash } from 'node:crypto';
import { significantWords } from '../coverage/title-words.ts';
import { plainText } from '../notes/index.ts';
import { contentTier } from './content-tier.ts';

const BODY_CHARS = 1_000;
// The local model reads about this much of a body, so the summary must not repeat it.
const READ_CHARS = 560;
const CHUNK_CHARS = 1_400;
const NEWEST_TITLES = 10;
const TITLE_CHARS = 300;
const DESCRIPTION_CHARS = 500;
const MIN_TITLE_WORDS = 3;

interface EmbeddableRelease {
  title: string;
  version: string | null;
  summary: string;
  content: string;
}

// The text of a release; null when neither its body nor its title says anything.
export function releaseText({ title, version, summary, content }: EmbeddableRelease): string | null {
  if (contentTier(content) === 'empty' && !isInformative(title, version)) return null;
  const body = withoutReferences(plainText(content, BODY_CHARS));
  const words = joined([above(meaningfulTitle(title.slice(0, TITLE_CHARS)), body), addedBy(summary, body), body]);
  // A release of nothing but versions and references is embedded by its title, version and summary as they are.
  return words !== null && /\p{L}/u.test(words) ? words : joined([title.slice(0, TITLE_CHARS), version, summary]);
}

function isInformative(title: string, version: string | null): boolean {
  const versions = version === null ? [] : [version];
  return significantWords(title, { names: [], versions }).length >= MIN_TITLE_WORDS;
}

// The title, or nothing when the body begins with it.
function above(title: string, body: string): string {
  return title !== '' && comparable(body).startsWith(comparable(title)) ? '' : title;
}

// The part of a summary that the read part of the body does not contain; summaries made by rule repeat items of the body.
function addedBy(summary: string, body: string): string {
  const read = comparable(body.slice(0, READ_CHARS));
  const items = summary.split('; ').map(withoutReferences);
  return items.filter((item) => item !== '' && !read.includes(comparable(item))).join('; ');
}

function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

// The text of a chunk; `headings` are ordered from the outermost to the nearest.
export function chunkText({ headings, content }: { headings: readonly string[]; content: string }): string | null {
  const body = withoutReferences(plainText(content, CHUNK_CHARS));
  const path = headings.map((heading) => above(meaningfulTitle(plainText(heading, TITLE_CHARS)), body));
  return joined([path.filter(Boolean).join(' / '), body]);
}

interface EntityTexts {
  name: string;
  description: string | null;
  kind: string | null;
  category: string | null;
  // Newest first.
  titles: readonly string[];
}

export function entityText({ name, description, kind, category, titles }: EntityTexts): string | null {
  const newest = titles.slice(0, NEWEST_TITLES).map((title) => meaningfulTitle(title.slice(0, TITLE_CHARS)));
  return joined([name, description?.slice(0, DESCRIPTION_CHARS) ?? null, kind, category, ...new Set(newest)]);
}

function joined(parts: readonly (string | null)[]): string | null {
  const text = parts.filter(Boolean).join('\n').trim();
  return text === '' ? null : text;
}

export function textHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

// References that cost tokens and mean nothing to the model: commits, issues, people, addresses, dates.
const NOISE: readonly RegExp[] = [
  /\bhttps?:\/\/[^\s<>()]{1,2000}/gi,
  // Mail addresses, but not `package@1.2.0`.
  /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){0,3}\.[a-z]{2,12}\b/gi,
  // People, but not packages such as `@scope/name`.
  /(?:\b(?:by|thanks(?: to)?) )?(?<![\w/@])@[a-z\d][a-z\d-]{0,38}(?![\w/@.-])!?/gi,
  /(?:\b(?:PR|pull request|issue|closes|fixes|resolves|refs?|see):? )?(?<![\w/])#\d{1,7}\b/gi,
  // Commit hashes, which have at least one digit and one letter, unlike words and numbers.
  /\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[\da-f]{7,40}\b:?/g,
  /\b\d{4}-\d{2}-\d{2}\b/g,
];
// Brackets that are empty after a reference was removed.
const EMPTY_BRACKETS = /(?<!\w)[([]\s*(?:(?:PR|by|in|closes|thanks|and|[,;:-])\s*)*[)\]]/gi;
const BLANKS = /\s+/g;
const SPACE_BEFORE_MARK = / (?=[,.;:!?](?:\s|$))/g;

export function withoutReferences(text: string): string {
  const words = NOISE.reduce((rest, form) => rest.replace(form, ' '), text);
  return words.replace(EMPTY_BRACKETS, ' ').replace(BLANKS, ' ').replace(SPACE_BEFORE_MARK, '').trim();
}

const VERSION = /\bv?\d+(?:\.[\dx]+)+(?:[-+][\w.-]+)?/gi;
// A heading or title of these words and a version names no change.
const GENERIC =
  /\b(?:change ?log|changes|history|release(?:s|d)?|version|notes?|unreleased|patch|minor|major|news)\b/gi;

// A title or heading without its version and generic words such as "Release notes"; may be empty.
export function meaningfulTitle(title: string): string {
  const text = withoutReferences(title).replace(VERSION, ' ');
  if (!/\p{L}/u.test(text.replace(GENERIC, ''))) return '';
  return text
    .replace(EMPTY_BRACKETS, ' ')
    .replace(BLANKS, ' ')
    .replace(/^[^\p{L}\p{N}[(`@$]+|[\s:,;([/|–—-]+$/gu, '')
    .trim();
}
