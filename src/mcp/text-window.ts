// A long text that is read in parts. A part ends where the budget does, at the end of a line where one is near, and the
// next one begins exactly there.
import { longestPrefix } from '../domain/tokens/index.ts';
import type { Cut } from './budget.ts';
import { cutAt } from './quoting.ts';

// How much of a part may be given up to end it with a line.
const NEAR = 0.8;

// The longest part of the text from `offset` on that can fit.
export function windowOf(text: string, offset: number, maxTokens: number): string {
  return text.slice(offset, longestPrefix(text, { start: offset, budget: maxTokens }).end);
}

export function partOf(text: string, length: number): string {
  if (length >= text.length) return text;
  const line = text.lastIndexOf('\n', length - 1) + 1;
  const part = line >= length * NEAR ? text.slice(0, line) : cutAt(text, length);
  // At least one whole character, or reading on would never end.
  return part === '' ? String.fromCodePoint(text.codePointAt(0) ?? 0) : part;
}

// Shortens the text at `key`; the tool derives from its length where to go on.
export function textCut<K extends string, T extends Record<K, string>>(key: K): Cut<T> {
  return {
    most: (value) => Math.max(0, value[key].length - 1),
    apply: (value, steps) => (steps === 0 ? value : { ...value, [key]: partOf(value[key], value[key].length - steps) }),
  };
}
