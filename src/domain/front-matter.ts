type Scalar = string | number | boolean;

// Words and numbers that a YAML 1.1 or 1.2 reader would take for something other than a string.
const WORD = /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<)$/i;
const NUMBER =
  /^[-+]?(?:\.?\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|0x[\da-f_]+|0o[0-7_]+|0b[01_]+|\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|\.inf|\.nan)$/i;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt\s]|$)/;

// Characters with which plain style cannot begin, or at which it would end.
const NOT_PLAIN = /^[-?:,[\]{}&*!|>'"%@`#\s]|[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]|:\s|\s#|[:\s]$/;
// Some readers take a colon or a question mark inside a list for the start of a mapping.
const NOT_PLAIN_IN_LIST = /[[\]{},:?]/;
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

// Links, pictures and HTML for a reader who does not know front matter and takes it for text.
const LIVE = /\][([]|<(?=[a-z/!?])/i;

const ATTRIBUTE_ESCAPES: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

// YAML between `---` lines, ending with a line feed; fields without a value are left out.
export function frontMatter(fields: Record<string, Scalar | readonly string[] | null | undefined>): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${yamlValue(value as Scalar | readonly string[])}\n`);
  return `---\n${lines.join('')}---\n`;
}

export function tag(
  name: string,
  attributes: Record<string, Scalar | null | undefined>,
  options: { selfClosing?: boolean } = {},
): string {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) text += ` ${key}="${escapeAttribute(String(value))}"`;
  }
  return text + (options.selfClosing ? ' />' : '>');
}

function yamlValue(value: Scalar | readonly string[]): string {
  if (typeof value === 'string') return yamlString(value);
  if (typeof value === 'object') return `[${value.map(yamlListItem).join(', ')}]`;
  return String(value);
}

function yamlString(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

function yamlListItem(text: string): string {
  return isPlain(text) && !NOT_PLAIN_IN_LIST.test(text) ? text : quoted(text);
}

function isPlain(text: string): boolean {
  if (text === '' || !text.isWellFormed() || NOT_PLAIN.test(text) || LIVE.test(text)) return false;
  return !WORD.test(text) && !NUMBER.test(text) && !DATE.test(text);
}

function quoted(text: string): string {
  const escapes = LIVE.test(text) ? new RegExp(`${UNPRINTABLE.source}|[[\\]<]`, 'g') : UNPRINTABLE;
  // A JSON string is a YAML string, apart from a few characters that YAML wants escaped.
  return JSON.stringify(text).replace(escapes, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeAttribute(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[&"<>]/g, (character) => ATTRIBUTE_ESCAPES[character] ?? character);
}
