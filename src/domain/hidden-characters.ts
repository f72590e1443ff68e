// Characters that a reader does not see but a language model reads: Unicode tags, variation selectors, zero-width, filling and
// reordering characters, annotations and private use. Instructions can be hidden in them.
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Co}\uFFF9-\uFFFB\u2800]/gu;

export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, '');
}

// The same for every text of a JSON value.
export function withoutHiddenTexts<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return withoutHidden(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item)]));
}
