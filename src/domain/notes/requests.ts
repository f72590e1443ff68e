// Sentences that ask readers to do something.
const VERBS =
  'Adjust|Call|Configure|Disable|Enable|Ensure|Import|Install|Make sure|Opt (?:back )?(?:in|out)|Pass|Specify|Switch|Update|Use|Wrap';
const OPENING = String.raw`(?:Please (?!see\b|read\b|note\b)[a-z]|(?:${VERBS})\b)`;
const DUTY = String.raw`\b[Yy]ou(?: will|'ll| may| now)? (?:must|need to|have to|should)\b(?! be able\b)`;

// At the start of an entry an imperative tells what was done; behind its first sentence it tells readers what to do.
const REQUEST_BEHIND = new RegExp(String.raw`[.!]['"\x60)\]*]{0,3}\s{1,3}${OPENING}|${DUTY}`);
const REQUEST = new RegExp(`^${OPENING}|${DUTY}`);
const SENTENCE_START = /(?<=[.!?]['")\]]?)\s+(?=[\p{Lu}`])/u;

export function holdsRequest(text: string): boolean {
  return REQUEST_BEHIND.test(text);
}

// The first sentence of a text and those that ask for something, or these alone, within `longest` characters; null when that is not
// possible.
export function requestsWithin(text: string, longest: number): string | null {
  const [first = '', ...others] = text.split(SENTENCE_START);
  const requests = others.filter((sentence) => REQUEST.test(sentence));
  if (requests.length === 0) return null;
  const fitting = [[first, ...requests], requests].map((sentences) => sentences.join(' '));
  // Code that was split in the middle is no code.
  return fitting.find((one) => one.length <= longest && one.split('`').length % 2 === 1) ?? null;
}
