// Token counts in the cl100k_base encoding. Texts such as <|endoftext|> are ordinary text here: what is counted is
// always somebody's prose, never a prompt with control marks. Everything is near-linear in the length of the text.

import { countRange } from './count.ts';

export { countRange } from './count.ts';
export { longestPrefix } from './prefix.ts';

// UTF-8 size from which a text's tokens are estimated.
const EXACT_BELOW_BYTES = 262_144;
const CHARS_PER_TOKEN = 4;

// Exact number of cl100k_base tokens.
export function countTokens(text: string): number {
  return countRange(text);
}

// One token for each four characters begun.
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

// Exact for texts under 256 KiB of UTF-8, else estimated.
export function textTokens(text: string): number {
  const exact = text.length < EXACT_BELOW_BYTES && Buffer.byteLength(text) < EXACT_BELOW_BYTES;
  return exact ? countTokens(text) : estimateTokens(text);
}
