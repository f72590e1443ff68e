// Token counts in the cl100k_base encoding. Special tokens such as <|endoftext|> are ordinary text here, because what is
// counted is content and never a prompt. Everything is near-linear in the length of the text.
import { countRange } from './count.ts';
import { bytePairRanks, byteRanks } from './rank-table.ts';

export { countRange } from './count.ts';
export { longestPrefix } from './prefix.ts';

// The UTF-8 size from which tokens are estimated.
const EXACT_BELOW_BYTES = 262_144;
const CHARS_PER_TOKEN = 4;

// The exact number of tokens.
export function countTokens(text: string): number {
  return countRange(text);
}

// One token for every four characters, rounded up.
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

// Exact for texts under 256 KiB of UTF-8, else estimated.
export function textTokens(text: string): number {
  const exact = text.length < EXACT_BELOW_BYTES && Buffer.byteLength(text) < EXACT_BELOW_BYTES;
  return exact ? countTokens(text) : estimateTokens(text);
}

// Builds the tables that counting needs, which the first count would do otherwise.
export function loadVocabulary(): void {
  byteRanks();
  bytePairRanks();
}
