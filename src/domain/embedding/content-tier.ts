// Rates whether a body has no, little or enough text to be compared by meaning.
import { plainText } from '../notes/index.ts';
import { keysOf } from '../records.ts';

export type ContentTier = 'empty' | 'thin' | 'full';

const EMPTY_BELOW = 15;
const SAYS_NOTHING_BELOW = 120;
const THIN_BELOW = 160;
// The most characters that are read; a body without content up to here counts as empty.
const LOOKED_AT = 16_000;
const ADDRESS = /\bhttps?:\/\/[^\s<>()]{1,2000}/gi;
const NOTHING_CHANGED = [
  /^(?:there (?:are|were|is|was) )?(?:no(?! longer| more)|nothing|without)\b[\w -]{0,40}\b(?:change[sd]?|updates?|differences?|notes?|description)\b/i,
  /^(?:this (?:is|was) )?an? [\w -]{0,30}\bwithout\b[\w -]{0,30}\bchanges\b/i,
  /^(?:version|dependency|dependencies) bump only\b/i,
  /^(?:same as|identical to|no-?op|empty release|re-?release|re-?published)\b/i,
];

export function contentTier(content: string): ContentTier {
  const text = meaningfulText(content);
  if (text.length < EMPTY_BELOW) return 'empty';
  if (text.length < SAYS_NOTHING_BELOW && NOTHING_CHANGED.some((form) => form.test(text))) return 'empty';
  return text.length < THIN_BELOW ? 'thin' : 'full';
}

// The text that counts. `plainText` already leaves out compare links, checksums and code.
function meaningfulText(content: string): string {
  const text = plainText(content.slice(0, LOOKED_AT).replace(ADDRESS, ' '), THIN_BELOW + 40);
  return text.replace(/^[^\p{L}\p{N}]+/u, '').trim();
}

// The numbers by which the table of vectors stores the tiers.
export const TIER_NUMBERS: Record<ContentTier, number> = { empty: 0, thin: 1, full: 2 };
export const FULL_TIER = TIER_NUMBERS.full;

export function tierOf(number: number): ContentTier {
  return keysOf(TIER_NUMBERS).find((tier) => TIER_NUMBERS[tier] === number) ?? 'full';
}
