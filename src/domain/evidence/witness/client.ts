// The smallest code that uses what a finding tells of: candidates, of which the compiler keeps one that the old version takes
// and the new one does not.

// How a name is reached: imported by name, as the default, or there for everyone.
export interface Way {
  // The export, with the names inside of it: `Logger`, `Logger.Options`.
  name: string;
  // What stands in the import: `lamp/bulb`.
  specifier: string;
  by: 'name' | 'default' | 'global';
}

const WORD = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

export function importLine({ name, specifier, by }: Way, others: readonly string[] = [], isType = false): string {
  const [root = ''] = name.split('.');
  // `function` is a name for an export, and none for what is imported.
  const own = RESERVED.has(root) ? `${root} as main` : root;
  const names = [...(by === 'name' ? [own] : []), ...others.filter((one) => one !== root)];
  const braces = names.length === 0 ? '' : `{ ${names.join(', ')} }`;
  if (by === 'global') return `/// <reference types=${quoted(specifier)} />`;
  const clause = [by === 'default' ? localName(root) : '', braces].filter(Boolean).join(', ');
  return `import ${isType ? 'type ' : ''}${clause} from ${quoted(specifier)};`;
}

// The name as it stands in code: a default has any name of its own.
export function expressionOf({ name, by }: Way): string {
  if (by !== 'default') return name;
  const [root = '', ...inner] = name.split('.');
  return [localName(root), ...inner].join('.');
}

function localName(name: string): string {
  return name === 'default' || !WORD.test(name) ? 'main' : name;
}

export function isWord(name: string): boolean {
  return WORD.test(name);
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

// `.level`, or `['log-level']`.
export function access(member: string): string {
  return WORD.test(member) ? `.${member}` : `[${quoted(member)}]`;
}

// `<any, any>` for a type that wants two arguments.
export function typeArguments(count: number): string {
  return count === 0 ? '' : `<${Array.from({ length: count }, () => 'any').join(', ')}>`;
}

// A name for a value of a type: `options` for `Options`.
export function valueName(type: string): string {
  const last = type.split('.').at(-1) ?? type;
  const plain = `${last.charAt(0).toLowerCase()}${last.slice(1)}`;
  return plain === last || !WORD.test(plain) || RESERVED.has(plain) ? `one${last}` : plain;
}

const RESERVED = new Set(
  'break case catch class const default delete do else enum export extends false finally for function if import in new null return super switch this throw true try typeof var void while with yield let static async await of type'.split(
    ' ',
  ),
);
