// Cuts a result to its token budget: first parts that may be left out entirely, then long texts, in the order of the tool.
// The text and the structured part are bounded separately and always hold the same items.
import { ApiError } from '../contract/errors.ts';
import { countRange } from '../domain/tokens/index.ts';

// The longest message of a client, in bytes, on either transport.
export const MAX_MESSAGE_LENGTH = 256 * 1024;

export const MIN_TOKENS = 500;
export const MAX_TOKENS = 20_000;
export const DEFAULT_TOKENS = 6000;

// A part that may be cut in steps: 0 leaves it whole, `most` removes as much as is allowed.
export interface Cut<T> {
  most(value: T): number;
  apply(value: T, steps: number): T;
}

export interface Rendered {
  structured: object;
  text: string;
}

export interface Fitted<T> extends Rendered {
  value: T;
  cut: boolean;
}

// `render` is given the value after cutting, and whether anything is missing from it.
export interface CuttableResult<T> {
  value: T;
  cuts: readonly Cut<T>[];
  render(value: T, cut: boolean): Rendered;
}

export function fit<T>({ value, cuts, render }: CuttableResult<T>, maxTokens: number): Fitted<T> {
  let current = value;
  let rendered = render(current, false);
  if (fits(rendered, maxTokens)) return { value, ...rendered, cut: false };
  for (const cut of cuts) {
    const most = cut.most(current);
    if (most <= 0) continue;
    const after = (steps: number) => render(cut.apply(current, steps), true);
    const steps = leastThatFits(most, (count) => fits(after(count), maxTokens));
    current = cut.apply(current, steps ?? most);
    rendered = render(current, true);
    if (steps !== null) return { value: current, ...rendered, cut: true };
  }
  throw tooLittle(rendered, maxTokens);
}

function fits({ structured, text }: Rendered, maxTokens: number): boolean {
  return isWithin(text, maxTokens) && isWithin(JSON.stringify(structured), maxTokens);
}

// A token has at least one byte, so a short text needs no count.
function isWithin(text: string, most: number): boolean {
  return text.length * 3 <= most || countRange(text, { atMost: most }) <= most;
}

// Null when even `most` is not enough.
function leastThatFits(most: number, isEnough: (steps: number) => boolean): number | null {
  if (!isEnough(most)) return null;
  let low = 1;
  let high = most;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Ids and links are never cut: where they alone are too much, the error says how many tokens they need.
function tooLittle({ structured, text }: Rendered, maxTokens: number): ApiError {
  const needed = [text, JSON.stringify(structured)].map((part) => countRange(part, { atMost: MAX_TOKENS }));
  const least = Math.min(MAX_TOKENS, Math.ceil((Math.max(...needed) * 1.1) / 100) * 100);
  const reason = `${maxTokens} tokens are too few for this result; ask again with at least ${least}`;
  return new ApiError('bad_request', `max_tokens: ${reason}`, { parameter: 'max_tokens', reason });
}

// Drops items from the end of a list until `least` are left.
export function listCut<T, K extends keyof T>(key: K, least = 0): Cut<T> {
  const itemsOf = (value: T) => (value[key] ?? []) as readonly unknown[];
  return {
    most: (value) => Math.max(0, itemsOf(value).length - least),
    apply: (value, steps) =>
      steps === 0 ? value : { ...value, [key]: itemsOf(value).slice(0, itemsOf(value).length - steps) },
  };
}

// Lengths that texts are shortened to, step by step.
const EXCERPT_LENGTHS = [2000, 1000, 500, 250, 120, 60, 0];

// Shortens texts to excerpts, all to the same length.
export function excerptCut<T>(shorten: (value: T, length: number) => T): Cut<T> {
  return {
    most: () => EXCERPT_LENGTHS.length,
    apply: (value, steps) => (steps === 0 ? value : shorten(value, EXCERPT_LENGTHS[steps - 1] ?? 0)),
  };
}
