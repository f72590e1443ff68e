// Cuts a result to its token budget: first parts that may be left out entirely, then long texts, in the order of the tool.
// The text and the structured part are bounded separately and always hold the same items.
import { ApiError } from '../contract/errors.ts';
import { countRange } from '../domain/tokens/index.ts';
import { endLongTurn } from '../threads/turns.ts';

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

// Drawing and counting a long result takes some milliseconds, so others are answered between two looks.
export async function fit<T>({ value, cuts, render }: CuttableResult<T>, maxTokens: number): Promise<Fitted<T>> {
  let current = value;
  let rendered = render(current, false);
  if (await fits(rendered, maxTokens)) return { value, ...rendered, cut: false };
  for (const cut of cuts) {
    const most = cut.most(current);
    if (most <= 0) continue;
    const after = (steps: number) => render(cut.apply(current, steps), true);
    const least = after(most);
    if (await fits(least, maxTokens)) {
      const guess = guessSteps({ whole: rendered, least, most }, maxTokens);
      const steps = await leastThatFits({ most, guess }, (count) => fits(after(count), maxTokens));
      const kept = cut.apply(current, steps);
      return { value: kept, ...render(kept, true), cut: true };
    }
    current = cut.apply(current, most);
    rendered = least;
  }
  throw tooLittle(rendered, maxTokens);
}

async function fits({ structured, text }: Rendered, maxTokens: number): Promise<boolean> {
  await endLongTurn();
  if (!isWithin(text, maxTokens)) return false;
  await endLongTurn();
  const isFitting = isWithin(JSON.stringify(structured), maxTokens);
  await endLongTurn();
  return isFitting;
}

// A token has at least one byte, so a short text needs no count.
function isWithin(text: string, most: number): boolean {
  return text.length * 3 <= most || countRange(text, { atMost: most }) <= most;
}

// As if a text had as many tokens to a character everywhere as at its start, and every step removed as much.
function guessSteps({ whole, least, most }: { whole: Rendered; least: Rendered; most: number }, maxTokens: number) {
  const shares = [
    shareToRemove(whole.text, least.text, maxTokens),
    shareToRemove(JSON.stringify(whole.structured), JSON.stringify(least.structured), maxTokens),
  ];
  return Math.min(most, Math.max(1, Math.round(Math.max(...shares) * most)));
}

function shareToRemove(whole: string, least: string, maxTokens: number): number {
  const end = Math.min(whole.length, 2 * maxTokens);
  const allowed = (maxTokens * end) / Math.max(1, countRange(whole, { end }));
  return (whole.length - allowed) / Math.max(1, whole.length - least.length);
}

// The fewest steps that are enough, as `most` are. It searches outwards from the guess in growing strides until it has passed the
// answer, then between, because each look draws and counts a whole result.
async function leastThatFits(
  { most, guess }: { most: number; guess: number },
  isEnough: (steps: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [1, most];
  let steps = Math.min(guess, most - 1);
  const seen = { enough: false, tooFew: false };
  for (let stride = 1; low < high; stride *= 2) {
    if (await isEnough(steps)) [high, seen.enough] = [steps, true];
    else [low, seen.tooFew] = [steps + 1, true];
    if (seen.enough && seen.tooFew) steps = Math.floor((low + high) / 2);
    else steps = seen.enough ? Math.max(low, high - stride) : Math.min(high - 1, low + stride - 1);
  }
  return low;
}

// Ids and links are never cut: where they alone are too much, the error says how many tokens they need.
function tooLittle({ structured, text }: Rendered, maxTokens: number): ApiError {
  const needed = [text, JSON.stringify(structured)].map((part) => countRange(part, { atMost: MAX_TOKENS }));
  const least = Math.min(MAX_TOKENS, Math.ceil((Math.max(...needed) * 1.1) / 100) * 100);
  const reason = `${maxTokens} tokens are too few for this result; give at least ${least}`;
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
