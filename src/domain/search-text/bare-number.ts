// Bare integers in a query (`19`), which may mean the version of what is named beside them, any version, or a plain word.

import { foldText, wordsOf } from './fold.ts';
import type { TypedTerm } from './query-words.ts';

export interface BareNumber {
  digits: string;
  // Written as `v19`, `v 19` or `version 19`, which always means a version.
  versioned: boolean;
  // The rest of the query.
  rest: string;
}

const INTEGER = /^(v?)(\d{1,9})$/;
const MARKERS = new Set(['v', 'version']);

interface TypedNumber {
  digits: string;
  versioned: boolean;
  // The position among the typed terms, and that of the word that marks it as a version.
  at: number;
  marker: number | null;
}

// The bare integers among the typed terms.
export function bareNumbersIn(typed: readonly TypedTerm[]): TypedNumber[] {
  return typed.flatMap((term, at) => {
    const found = integerOf(term);
    if (!found) return [];
    const before = typed[at - 1];
    const marker = before && !before.phrase && MARKERS.has(plainOf(before)) ? at - 1 : null;
    return [{ digits: found.digits, versioned: found.glued || marker !== null, at, marker }];
  });
}

// The only number of a query and the rest of it; null when there is none or more than one.
export function bareNumberOf(typed: readonly TypedTerm[]): BareNumber | null {
  const [number, ...others] = bareNumbersIn(typed);
  if (!number || others.length > 0) return null;
  const { digits, versioned, at, marker } = number;
  const rest = typed.filter((_, index) => index !== at && index !== marker);
  return { digits, versioned, rest: rest.map(({ text }) => text).join(' ') };
}

// How often a number stands by itself in folded text, not as a part of a version, a date or a reference.
export function countNumber(folded: string, digits: string): number {
  let count = 0;
  for (let at = folded.indexOf(digits); at !== -1; at = folded.indexOf(digits, at + 1)) {
    if (standsAlone(folded, at, at + digits.length)) count += 1;
  }
  return count;
}

const V_ALONE = /(?<![\p{L}\p{N}#_.])v$/u;
const GLUED = /[\p{L}\p{N}#_]$/u;
const OF_VERSION = /\d\.$/;
const OF_DATE = /\d{4}-(?:\d\d-)?$/;
const GLUED_BEHIND = /^[\p{L}\p{N}_]/u;
const VERSION_BEHIND = /^\.\d/;
const DATE_BEHIND = /^-\d\d(?:-\d|\b)/;

function standsAlone(text: string, start: number, end: number): boolean {
  // `v9` is the number 9 too.
  const before = text.slice(Math.max(0, start - 8), start).replace(V_ALONE, '');
  const behind = text.slice(end, end + 8);
  if (GLUED.test(before) || OF_VERSION.test(before) || OF_DATE.test(before)) return false;
  if (GLUED_BEHIND.test(behind) || VERSION_BEHIND.test(behind)) return false;
  return !(end - start === 4 && DATE_BEHIND.test(behind));
}

function integerOf(term: TypedTerm): { digits: string; glued: boolean } | null {
  const match = term.phrase ? null : INTEGER.exec(plainOf(term));
  return match?.[2] ? { digits: match[2], glued: match[1] !== '' } : null;
}

// The term without a trailing mark: `19,` is the word 19, but `#19` is a reference.
function plainOf({ text }: TypedTerm): string {
  const folded = foldText(text);
  const words = wordsOf(folded);
  return words.length === 1 && !/^[#@-]/.test(folded) ? (words[0] ?? '') : '';
}
