// JSON with comments and commas before closing brackets, as plain JSON. One pass over the characters.
export function plainJson(text: string): string {
  const parts: string[] = [];
  let start = 0;
  let comma = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') {
      comma = -1;
      at = stringEnd(text, at);
    } else if (character === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      parts.push(text.slice(start, at));
      at = commentEnd(text, at);
      start = at + 1;
    } else if (character === ',') {
      // The comma is held back, because it is dropped when a closing bracket follows.
      parts.push(text.slice(start, at));
      comma = parts.push(',') - 1;
      start = at + 1;
    } else if (character === '}' || character === ']') {
      if (comma !== -1) parts[comma] = '';
      comma = -1;
    } else if (!/\s/.test(character)) comma = -1;
  }
  parts.push(text.slice(start));
  return parts.join('');
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function commentEnd(text: string, start: number): number {
  if (text[start + 1] === '/') {
    const end = text.indexOf('\n', start);
    return end === -1 ? text.length : end - 1;
  }
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 1;
}

export type JsonObject = Record<string, unknown>;

// The object that a text holds; null when the text is no JSON object.
export function parseObject(text: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return null;
  }
}

export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

// The own entries of an object; an empty list for any other value.
export function entriesIn(value: unknown): [string, unknown][] {
  const object = objectOf(value);
  return object === null ? [] : Object.entries(object);
}
