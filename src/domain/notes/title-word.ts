// Whether a word in lower case begins and ends with a plain letter or digit, so that nothing has to be taken off its ends.
// Two characters are read faster than a pattern of all scripts is tried, and this is asked of every word of every title.
export function isBare(word: string): boolean {
  return isPlain(word.charCodeAt(0)) && isPlain(word.charCodeAt(word.length - 1));
}

function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}
