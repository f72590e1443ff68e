// JSON that a page embeds; it is untrusted.
export type PageJson = Record<string, unknown>;

export function isObject(value: unknown): value is PageJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Undefined for what is no JSON.
export function parseJson(text: string): unknown {
  const json = text.replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/|<!\[CDATA\[)|(?:-->|\/\*\]\]>\*\/|\]\]>)\s*$/g, '');
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// The first of these keys that holds a text or a number.
export function textAt(node: PageJson, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = node[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}
