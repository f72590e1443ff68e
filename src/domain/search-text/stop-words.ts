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
