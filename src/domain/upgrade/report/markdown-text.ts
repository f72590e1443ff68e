// Strangers' text inside of markdown. Markup is escaped; a word joiner breaks mentions, issue numbers and bare addresses.
const BIDI = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const CONTROLS = new RegExp(`[\\p{Cc}\\u2028\\u2029${BIDI}]+`, 'gu');
const JOINER = '\u2060';

function oneLine(text: string): string {
  return text
    .replace(/[\s\u0085]+/g, ' ')
    .replace(CONTROLS, '')
    .trim();
}

export function escapedText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]()<>|~!&]/g, (mark) => `\\${mark}`)
    .replace(/[@#]|:(?=\/\/)/g, (mark) => `${mark}${JOINER}`)
    .replace(/^([-+]|\d+[.)])(?=\s)/, `${JOINER}$1`)
    .replaceAll('www.', `www${JOINER}.`);
}

// Code between backticks stays code; everything else is escaped.
export function textWithCode(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return escapedText(text);
  const around = (part: string) =>
    `${/^\s/.test(part) ? ' ' : ''}${escapedText(part)}${/\S\s+$/.test(part) ? ' ' : ''}`;
  return parts.map((part, index) => (index % 2 === 1 && part.trim() !== '' ? codeSpan(part) : around(part))).join('');
}

export function codeSpan(text: string): string {
  return `\`${oneLine(text).replace(/[`|]/g, '')}\``;
}
