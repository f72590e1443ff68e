// Notes are full of references that cost tokens and mean nothing: commits, issues, people, addresses, dates. Words stay.
const NOISE: readonly RegExp[] = [
  /\bhttps?:\/\/[^\s<>()]{1,2000}/gi,
  // Addresses of mail, but not `package@1.2.0`.
  /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){0,3}\.[a-z]{2,12}\b/gi,
  // People, but not packages such as `@scope/name`.
  /(?:\b(?:by|thanks(?: to)?) )?(?<![\w/@])@[a-z\d][a-z\d-]{0,38}(?![\w/@.-])!?/gi,
  /(?:\b(?:PR|pull request|issue|closes|fixes|resolves|refs?|see):? )?(?<![\w/])#\d{1,7}\b/gi,
  // Commits, with at least one digit and one letter: neither a word nor a number.
  /\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[\da-f]{7,40}\b:?/g,
  /\b\d{4}-\d{2}-\d{2}\b/g,
];
// What is left where a reference stood in brackets.
const EMPTY_BRACKETS = /(?<!\w)[([]\s*(?:(?:PR|by|in|closes|thanks|and|[,;:-])\s*)*[)\]]/gi;
const BLANKS = /\s+/g;
const SPACE_BEFORE_MARK = / (?=[,.;:!?](?:\s|$))/g;

export function withoutReferences(text: string): string {
  const words = NOISE.reduce((rest, form) => rest.replace(form, ' '), text);
  return words.replace(EMPTY_BRACKETS, ' ').replace(BLANKS, ' ').replace(SPACE_BEFORE_MARK, '').trim();
}

const VERSION = /\bv?\d+(?:\.[\dx]+)+(?:[-+][\w.-]+)?/gi;
// A heading or title of these words and a version names no change.
const GENERIC =
  /\b(?:change ?log|changes|history|release(?:s|d)?|version|notes?|unreleased|patch|minor|major|news)\b/gi;

// What a title or heading says beside its version and the words that stand over every list of changes; may be empty.
export function tellingTitle(title: string): string {
  const text = withoutReferences(title).replace(VERSION, ' ');
  if (!/\p{L}/u.test(text.replace(GENERIC, ''))) return '';
  return text
    .replace(EMPTY_BRACKETS, ' ')
    .replace(BLANKS, ' ')
    .replace(/^[^\p{L}\p{N}[(`@$]+|[\s:,;([/|–—-]+$/gu, '')
    .trim();
}
