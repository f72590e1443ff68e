// Removes control characters from a server's texts, so that they cannot control the terminal.

const BIDI = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const CONTROLS = new RegExp(`[\\p{Cc}\\u2028\\u2029${BIDI}]+`, 'gu');
const CONTROLS_IN_TEXT = new RegExp(`[^\\P{Cc}\\t\\n]|[${BIDI}]`, 'gu');
const CONTROLS_IN_JSON = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029${BIDI}]`, 'gu');

// One line; runs of white space and control characters become one space.
export function printableLine(text: string): string {
  return text
    .replace(/[\s\u0085]+/g, ' ')
    .replace(CONTROLS, '')
    .trim();
}

// Several lines; tabs stay.
export function printableText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS_IN_TEXT, '');
}

// JSON in which control characters are escaped.
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(
    CONTROLS_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
