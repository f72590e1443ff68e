// The files that the compiler has to check to find what a new source type demands. Code that fits only the present
// types, such as a record with a field for each or a switch over them, names all of them: in its own file or in one
// that it imports.
import { posix } from 'node:path';
import { importsOf, withoutComments } from '../../../tools/imports.ts';

export interface SourceFile {
  // The path from the root of the repository.
  path: string;
  text: string;
}

export function demandingFiles(files: readonly SourceFile[], types: readonly string[]): Set<string> {
  const named = new Map(files.map(({ path, text }) => [path, namesIn(text, types)]));
  const imports = files.map(({ path, text }) => ({ path, imported: importedBy(path, text) }));
  for (let grew = true; grew; ) {
    grew = false;
    for (const { path, imported } of imports) {
      const names = named.get(path) ?? new Set();
      const before = names.size;
      for (const one of imported) for (const name of named.get(one) ?? []) names.add(name);
      grew ||= names.size > before;
    }
  }
  return new Set(files.map(({ path }) => path).filter((path) => named.get(path)?.size === types.length));
}

function namesIn(text: string, types: readonly string[]): Set<string> {
  const code = withoutComments(text);
  return new Set(types.filter((type) => new RegExp(`\\b${type}\\b`).test(code)));
}

function importedBy(path: string, text: string): string[] {
  return importsOf(text)
    .filter((one) => one.path.startsWith('.'))
    .map((one) => posix.join(posix.dirname(path), one.path));
}
