// Names as notes write them in code marks: `useQuery()`, `z.string().ip()`, `new Foo`, `<Hydrate>`, `foo/bar`.

// The dotted parts of a name; null when the text is no name.
export function namedParts(text: string, packageName: string): string[] | null {
  const plain = text
    .trim()
    .replace(/^`+|`+$/g, '')
    .replace(/^(?:new|await|typeof|import|export)\s+/, '')
    .replace(/^<\/?([\w.]+)[^>]*>?$/, '$1')
    .replace(/\([^()]*\)/g, '')
    .replace(/<[^<>]*>/g, '')
    .replace(/#/g, '.')
    .replace(/\?\./g, '.');
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,5}$/.test(plain)) return null;
  const parts = plain.split('.');
  // The package itself, or a word that every text has.
  if (parts.length === 1 && (plain === packageName || WORDS.has(plain))) return null;
  return parts;
}

const WORDS = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'string',
  'number',
  'boolean',
  'object',
  'any',
  'unknown',
  'never',
  'this',
  'void',
  'import',
  'require',
  'export',
  'default',
  'async',
  'await',
  'Promise',
]);
