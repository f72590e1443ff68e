// Slices of a changelog file. A slice begins and ends at 0, at a heading, or anywhere behind the last heading, so that each
// `nextOffset` is a valid start and chained slices are the whole file. Offsets and lengths are in UTF-16 units; `headings`
// are the rising offsets of `headingOffsets`.
import { firstAtOrAfter, lastWithin, splitsPair } from '../markdown/offsets.ts';
import { countRange, longestPrefix } from '../tokens/index.ts';

export type SliceRange = { offset: number; length: number; nextOffset: number | null };
type TokenSlice = SliceRange & { sliceTokens: number };

export const DEFAULT_LIMIT = 40_000;
export const MAX_LIMIT = 500_000;
const DEFAULT_TOKENS = 10_000;
export const MAX_TOKENS = 200_000;

// The slice at `offset` of about `limit` characters.
export function sliceByChars(
  text: string,
  headings: readonly number[],
  { offset = 0, limit = DEFAULT_LIMIT }: { offset?: number; limit?: number },
): SliceRange {
  const start = sliceStart(text, headings, offset);
  return sliceOf(text, start, charEnd(text, headings, { start, limit: bounded(limit, DEFAULT_LIMIT, MAX_LIMIT) }));
}

// The slice at `offset` of about `tokens` tokens. Whole sections are not counted again when the caller passes their stored
// `sectionTokens`.
export function sliceByTokens(
  text: string,
  headings: readonly number[],
  input: { offset?: number; tokens?: number; sectionTokens?: readonly number[] },
): TokenSlice {
  const start = sliceStart(text, headings, input.offset ?? 0);
  const budget = bounded(input.tokens ?? DEFAULT_TOKENS, DEFAULT_TOKENS, MAX_TOKENS);
  const { end, tokens } = tokenEnd(text, headings, { start, budget, known: input.sectionTokens });
  return { ...sliceOf(text, start, end), sliceTokens: tokens };
}

// The exact number of tokens before the first heading, then of each section. Sums of them are exact as well.
export function sectionTokens(text: string, headings: readonly number[]): number[] {
  const bounds = [0, ...headings, text.length];
  return bounds.slice(1).map((end, at) => countRange(text, { start: bounds[at] as number, end }));
}

function sliceStart(text: string, headings: readonly number[], offset: number): number {
  if (!(offset >= 1)) return 0;
  if (offset >= text.length) return text.length;
  const at = Math.trunc(offset);
  const heading = headings[firstAtOrAfter(headings, at)];
  return heading ?? (splitsPair(text, at) ? at + 1 : at);
}

function charEnd(
  text: string,
  headings: readonly number[],
  { start, limit }: { start: number; limit: number },
): number {
  const target = start + limit;
  if (target >= text.length) return text.length;
  const heading = lastWithin(headings, start, target) ?? headings[firstAtOrAfter(headings, target + 1)];
  return heading ?? (splitsPair(text, target) ? target + 1 : target);
}

function tokenEnd(
  text: string,
  headings: readonly number[],
  { start, budget, known }: { start: number; budget: number; known: readonly number[] | undefined },
): { end: number; tokens: number } {
  const first = firstAtOrAfter(headings, start + 1);
  if (first === headings.length) return tailEnd(text, start, budget);

  // No token spans the start of a heading line, which has a line end before it and a space or `#` behind it. The count of
  // several sections is therefore the sum of their counts.
  let end = start;
  let tokens = 0;
  for (let next = first; next <= headings.length; next += 1) {
    const sectionEnd = headings[next] ?? text.length;
    const atMost = next === first ? Number.POSITIVE_INFINITY : budget - tokens;
    const section = known?.[next] ?? countRange(text, { start: end, end: sectionEnd, atMost });
    if (next > first && tokens + section > budget) break;
    end = sectionEnd;
    tokens += section;
  }
  return { end, tokens };
}

function tailEnd(text: string, start: number, budget: number): { end: number; tokens: number } {
  const prefix = longestPrefix(text, { start, budget });
  if (prefix.end > start || start === text.length) return prefix;
  // A single character above the budget is returned whole, because an empty slice would never advance.
  const end = splitsPair(text, start + 1) ? start + 2 : start + 1;
  return { end, tokens: countRange(text, { start, end }) };
}

function sliceOf(text: string, start: number, end: number): SliceRange {
  return { offset: start, length: end - start, nextOffset: end < text.length ? end : null };
}

// The default for an invalid value, the maximum for a larger one, as for every limit of the API.
function bounded(value: number, fallback: number, most: number): number {
  return value >= 1 ? Math.min(Math.trunc(value), most) : fallback;
}
