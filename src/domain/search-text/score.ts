// BM25 over fields (BM25F): how well a document matches the groups of a query. Documents are scored here and not by the
// engines, so that both give the same order.

import { countBeginning, foldText, phraseCounter, stem } from './analysis.ts';
import { encodeToken, exactTokens, identifiersIn } from './exact-tokens.ts';
import type { QueryGroup, QueryTerm } from './query-terms.ts';
import { countNumber, type SearchGroup } from './search-query.ts';

export interface ScoredText {
  title: string;
  version: string;
  summary: string;
  // The version alone, which exact terms are compared with.
  ownVersion: string | null;
  // The text, or its beginning; null when it was not read.
  content: string | null;
  contentLength: number;
}

// A group with all its alternatives and the number of documents that have one of them.
export interface WeighedGroup {
  group: SearchGroup;
  // The terms that were typed, and those that only begin with them, which count half.
  terms: QueryGroup;
  completions: QueryGroup;
  docs: number;
}

const WEIGHTS = { title: 8, version: 6, tokens: 10, summary: 4, content: 1 } as const;
const K1 = 1.2;
const B = 0.75;
// The lengths of an ordinary release, in characters; matches in longer texts count less.
const USUAL_LENGTH = { title: 48, version: 24, summary: 160, content: 1_500 } as const;
const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 120;
const RECENCY = 0.35;
// The weight of words that only begin with a typed word, and of versions in the series of a typed one.
const PARTIAL = 0.5;

const V_BEFORE_DIGIT = /^v(?=\d)/;

type ScoredField = 'title' | 'version' | 'summary';
const FIELDS = ['title', 'version', 'summary'] as const satisfies readonly ScoredField[];

// A function that scores documents that are known to match every group.
export function scorer(groups: readonly WeighedGroup[], totalDocs: number): (text: ScoredText) => number {
  const ready = groups.map((weighed) => ({ ...compile(weighed), idf: rarity(weighed.docs, totalDocs) }));
  return (text) => {
    const document = read(text);
    return ready.reduce((sum, group) => {
      return sum + group.idf * saturated(frequency(group, document)) * (1 + ownName(group, document));
    }, 0);
  };
}

// Whether the read part of a document holds one of the terms of a group.
export function groupMatcher(weighed: WeighedGroup): (text: ScoredText) => boolean {
  const group = compile(weighed);
  return (text) => {
    const document = read(text);
    if (FIELDS.some((field) => countWords(group, document.folded[field]) > 0)) return true;
    if (document.content !== null && countWords(group, document.content) > 0) return true;
    if (group.exact.length === 0) return false;
    const tokens = new Set(
      exactTokens(document.folded.title, text.ownVersion, document.content ?? '').map(encodeToken),
    );
    return group.exact.some(({ term }) => tokens.has(term));
  };
}

// Whether the bare numbers of a query occur in a document as words of their own, not only inside its version. A text that
// was not read gets the benefit of the doubt, unless the version explains why the index found it.
export function numberMatcher(
  groups: readonly WeighedGroup[],
): ((text: ScoredText, readable: number) => boolean) | null {
  const numbers = groups.filter(({ group }) => group.sort === 'number').map(({ group }) => group.words[0] ?? '');
  if (numbers.length === 0) return null;
  return (text, readable) => {
    const own = text.ownVersion ?? '';
    const title = own === '' ? text.title : text.title.replaceAll(own, ' ');
    const folded = foldText(`${title}\n${text.summary}\n${text.content ?? ''}`);
    const whole = text.content !== null && text.contentLength <= readable;
    return numbers.every((digits) => {
      if (countNumber(folded, digits) > 0) return true;
      return !whole && !own.split(/[^\p{L}\p{N}]+/u).includes(digits);
    });
  };
}

// A factor from 1.35 for a new document down to 1 for one that is old or has no date.
export function recency(atMs: number | null, nowMs: number): number {
  if (atMs === null) return 1;
  // Ages are counted in whole days, so that the order does not change from one page to the next.
  const days = Math.max(0, Math.floor(nowMs / DAY_MS) - Math.floor(atMs / DAY_MS));
  return 1 + RECENCY * 0.5 ** (days / HALF_LIFE_DAYS);
}

export function rarity(docs: number, totalDocs: number): number {
  const known = Math.min(docs, totalDocs);
  return Math.log(1 + (totalDocs - known + 0.5) / (known + 0.5));
}

function saturated(frequency: number): number {
  return (frequency * (K1 + 1)) / (frequency + K1);
}

interface CompiledTerm {
  weight: number;
  count: (folded: string) => number;
}

interface CompiledGroup {
  words: CompiledTerm[];
  exact: { term: string; weight: number }[];
  identifier: string | null;
  // Every exact term in a version contains this text, so it serves as a cheap first test.
  inVersion: string;
  hard: boolean;
}

function compile({ group, terms, completions }: WeighedGroup): CompiledGroup {
  const words = [
    ...terms.flatMap((term) => (group.sort === 'number' ? numberCounter(term) : counter(term, 1)) ?? []),
    ...completions.flatMap((term) => counter(term, PARTIAL) ?? []),
  ];
  const exact = terms.flatMap((term) => (term.kind === 'exact' ? [term.term] : []));
  const own = group.identifier === null ? null : encodeToken(group.identifier);
  return {
    words,
    exact: exact.map((term) => ({ term, weight: term === own ? 1 : PARTIAL })),
    identifier: group.identifier,
    inVersion: (group.words[0] ?? '').replace(V_BEFORE_DIGIT, ''),
    hard: group.sort === 'hard',
  };
}

function counter(term: QueryTerm, weight: number): CompiledTerm | null {
  if (term.kind === 'exact') return null;
  if (term.kind === 'prefix') {
    const beginning = stem(term.word);
    return { weight, count: (folded) => countBeginning(folded, beginning) };
  }
  return { weight, count: phraseCounter(term.words.map(stem)) };
}

// `v9` is counted together with 9.
function numberCounter(term: QueryTerm): CompiledTerm | null {
  const [digits] = term.kind === 'phrase' ? term.words : [];
  return digits === undefined || V_BEFORE_DIGIT.test(digits)
    ? null
    : { weight: 1, count: (folded) => countNumber(folded, digits) };
}

interface ReadDocument {
  text: ScoredText;
  folded: Record<ScoredField, string>;
  content: string | null;
  titleNames: () => readonly string[];
  versionTokens: () => ReadonlySet<string>;
}

function read(text: ScoredText): ReadDocument {
  const folded = foldFields(text);
  let names: string[] | null = null;
  let tokens: Set<string> | null = null;
  return {
    text,
    folded,
    content: text.content === null ? null : foldText(text.content),
    titleNames: () => {
      names ??= identifiersIn(folded.title).map((found) => found.text);
      return names;
    },
    versionTokens: () => {
      tokens ??= new Set(exactTokens('', text.ownVersion, '').map(encodeToken));
      return tokens;
    },
  };
}

// The fields are folded as one text, because most of the cost is testing whether there is anything to fold.
function foldFields({ title, version, summary }: ScoredText): Record<ScoredField, string> {
  const parts = foldText(`${title}\0${version}\0${summary}`).split('\0');
  if (parts.length === 3) return { title: parts[0] ?? '', version: parts[1] ?? '', summary: parts[2] ?? '' };
  return { title: foldText(title), version: foldText(version), summary: foldText(summary) };
}

function frequency(group: CompiledGroup, document: ReadDocument): number {
  let sum = 0;
  for (const field of FIELDS) {
    sum +=
      (WEIGHTS[field] * countWords(group, document.folded[field])) / lengthNorm(document.text[field].length, field);
  }
  // A name is among the tokens, wherever it occurred; any other match outside these fields is in the content.
  if (group.hard) return sum + WEIGHTS.tokens;
  const inContent = document.content === null ? 0 : countWords(group, document.content);
  if (sum > 0 && inContent === 0) return sum;
  return sum + (WEIGHTS.content * Math.max(1, inContent)) / lengthNorm(document.text.contentLength, 'content');
}

function countWords(group: CompiledGroup, folded: string): number {
  let count = 0;
  for (const term of group.words) count += term.weight * term.count(folded);
  return count;
}

// A release that is named by the query ranks above releases that only mention the name, however new they are: 1 for its own
// version, a half for the series of its version or a name in its title.
function ownName(group: CompiledGroup, document: ReadDocument): number {
  if (group.exact.length === 0) return 0;
  const likely = document.folded.version.includes(group.inVersion);
  const versioned = likely ? (group.exact.find(({ term }) => document.versionTokens().has(term))?.weight ?? 0) : 0;
  if (versioned === 1 || group.identifier === null) return versioned;
  return document.titleNames().includes(group.identifier) ? PARTIAL : versioned;
}

function lengthNorm(length: number, field: keyof typeof USUAL_LENGTH): number {
  return 1 - B + (B * length) / USUAL_LENGTH[field];
}
