// Whether a text has so many hexadecimal digits in a row; such a run covers every n-th place, so few are looked at.
export function hasHexRun(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    let start = at;
    while (start >= 0 && at - start < length && isHex(text.charCodeAt(start))) start -= 1;
    let end = at;
    while (end < text.length && end - at < length && isHex(text.charCodeAt(end))) end += 1;
    if (end - start > length) return true;
  }
  return false;
}

function isHex(code: number): boolean {
  const letter = code | 32;
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 102);
}
