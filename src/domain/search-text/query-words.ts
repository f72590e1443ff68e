// The words and quoted phrases that somebody typed, and the words of them that say nothing.

export type TypedTerm = { text: string; phrase: boolean };

const MAX_CHARACTERS = 200;
// Control characters also separate words: no engine can match them, and PostgreSQL refuses NUL outright.
const GAP = /[\s\u0000-\u001f\u007f-\u009f]+/;

// Words and quoted phrases of a feed query; every one must occur, the last plain word also as a prefix.
export function parseFeedQuery(q: string): { terms: TypedTerm[]; prefixLast: boolean } {
  const terms = typedTerms(cut(q));
  return { terms, prefixLast: terms.at(-1)?.phrase === false };
}

// Words and quoted phrases in the order in which they were typed.
export function typedTerms(text: string): TypedTerm[] {
  const parts = text.split('"');
  // Quotes pair from the left, so the last of an odd number has no partner and is read as text.
  if (parts.length % 2 === 0) parts.push(parts.splice(-2).join('"'));

  return parts.flatMap((part, index): TypedTerm[] => {
    const words = part.split(GAP).filter((word) => word !== '');
    if (index % 2 === 0) return words.map((text) => ({ text, phrase: false }));
    return words.length === 0 ? [] : [{ text: words.join(' '), phrase: true }];
  });
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
}

// Words that are ignored in queries. Words that name things in this field (`all`, `not`, `new`) are not among them.
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of ' +
    'on or our so some than that the their them then there these they this those to was we were what when where which ' +
    'while who why will with would you your'
  ).split(' '),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
