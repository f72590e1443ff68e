// Checks that a text written by a model claims nothing that the release does not say.

// The claims of a text that no source contains word for word. Claims are numbers, versions, identifiers, addresses, code and
// capitalised names.
export function unsupportedClaims(text: string, sources: readonly string[]): string[] {
  const held = ` ${normal(sources.join('\n'))} `;
  // Each claim is searched for once, however often it is repeated.
  return [...new Set(claimsOf(text))].filter((claim) => !holds(held, normal(claim)));
}

// Whether the body contains a quote; a quote of a few letters proves nothing.
export function isQuoteOf(quote: string, body: string): boolean {
  const wanted = normal(quote).trim();
  return wanted.length >= MIN_QUOTE && normal(body).includes(wanted);
}

const MIN_QUOTE = 8;
const CODE_SPAN = /`([^`]+)`/g;
const ADDRESS = /\bhttps?:\/\/[^\s<>"')\]]+/gi;
// Words with a digit, and words that are joined by marks as identifiers are.
const NUMBER_OR_IDENTIFIER = /[@#]?[\p{L}\p{N}]+(?:[._/:@#-]+[\p{L}\p{N}]+)*(?:\(\))?/gu;
const OPENS_SENTENCE = /(?:^|[.!?:]\s+|[-*•]\s+|["“(]\s*)$/;

function claimsOf(text: string): string[] {
  const claims: string[] = [];
  const take = (pattern: RegExp, from: string, group: number) =>
    from.replace(pattern, (whole, ...found) => {
      claims.push(String(group === 0 ? whole : found[0]));
      return ' ';
    });
  const prose = take(ADDRESS, take(CODE_SPAN, text, 1), 0);
  for (const match of prose.matchAll(NUMBER_OR_IDENTIFIER)) {
    const [word] = match;
    if (/\p{N}|[._/:@#]|\(\)/u.test(word) || isName(word, prose.slice(0, match.index))) claims.push(word);
  }
  return claims;
}

// A capital inside a word marks a name anywhere, one at its start only within a sentence.
function isName(word: string, before: string): boolean {
  if (/^.+\p{Lu}/u.test(word)) return true;
  return /^\p{Lu}/u.test(word) && before !== '' && !OPENS_SENTENCE.test(before);
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*_~]+/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ');
}

// Whether a text contains a claim as a whole word: "11.2" and "1.20" do not contain "1.2".
function holds(held: string, claim: string): boolean {
  const wanted = claim.trim().replace(/^v(?=\d)/, '');
  for (let at = held.indexOf(wanted); at !== -1; at = held.indexOf(wanted, at + 1)) {
    const before = held[at - 1] ?? ' ';
    const after = held[at + wanted.length] ?? ' ';
    const follows = `${after}${held[at + wanted.length + 1] ?? ''}`;
    const bounded = !/[\p{L}\p{N}]/u.test(after) && !/^[.,]\p{N}/u.test(follows);
    if (bounded && (!/[\p{L}\p{N}.]/u.test(before) || (before === 'v' && /^\d/.test(wanted)))) return true;
  }
  return false;
}
