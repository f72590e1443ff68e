// The imports of a source text, type-only ones included. The formatter puts every statement at the start of a line.
const STATEMENT = /^(?:import|export)\b(?<names>[^'"`;]*?)\bfrom\s*['"](?<path>[^'"]+)['"]/gm;
const BARE = /^import\s*['"](?<path>[^'"]+)['"]/gm;
const LAZY = /\bimport\(\s*['"](?<path>[^'"]+)['"]\s*\)/g;

interface Import {
  path: string;
  line: number;
  // It names types alone, so that nothing is loaded.
  isType: boolean;
}

export function importsOf(text: string): Import[] {
  const code = withoutComments(text);
  return [STATEMENT, BARE, LAZY]
    .flatMap((form) => [...code.matchAll(form)])
    .map((match) => ({
      path: match.groups?.path ?? '',
      line: lineOf(code, match.index),
      isType: namesTypes(match.groups?.names ?? ''),
    }));
}

function namesTypes(names: string): boolean {
  if (/^\s*type\s+[{*\w]/.test(names) && !/^\s*type\s+from\b/.test(names)) return true;
  const listed = /^\s*\{(?<inside>[^}]*)\}\s*$/.exec(names)?.groups?.inside?.split(',') ?? [];
  const given = listed.map((name) => name.trim()).filter(Boolean);
  return given.length > 0 && given.every((name) => name.startsWith('type '));
}

export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

// Every rule of a check asks for the code of every file.
const stripped = new Map<string, string>();

// Comments become spaces, so that line numbers stay the same. A `//` inside a string follows a colon or a quote, hardly
// ever a space.
export function withoutComments(text: string): string {
  const known = stripped.get(text);
  if (known !== undefined) return known;
  const code = text
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, '$1');
  stripped.set(text, code);
  return code;
}
