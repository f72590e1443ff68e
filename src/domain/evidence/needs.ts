// What a package needs beside it, read from its files. Only the thread that compares asks: it loads the compiler.
import type { Needs } from './beside.ts';
import { entryScript, reaches } from './entry-points.ts';
import { type PackageFiles, textEntries } from './package-files.ts';
import { Installation, ParsedFiles } from './program.ts';

const MAX_DEPENDENCIES = 12;
const FROM = /\b(export|import)\b([^;'"]*?)\bfrom\s*["']([^"'.][^"']*)["']/g;

export function needsOf(files: PackageFiles): Needs {
  const ranges = new Map([
    ...textEntries(files.manifest.optionalDependencies),
    ...textEntries(files.manifest.dependencies),
  ]);
  const found = new Set<string>();
  let isTyped = false;
  for (const [path, text] of files.texts) {
    if (!/\.[cm]?tsx?$/.test(path)) continue;
    isTyped = true;
    for (const name of exportedFrom(text)) if (ranges.has(name)) found.add(name);
  }
  const dependencies = [...found].sort().slice(0, MAX_DEPENDENCIES);
  return {
    name: files.name,
    version: files.version,
    hasTypes: isTyped && isTypedAtRoot(files),
    dependencies: dependencies.map((name) => ({ name, range: ranges.get(name) ?? '*' })),
  };
}

// Some packages have declarations for a part of theirs alone, and others wrote those of the rest.
function isTypedAtRoot(files: PackageFiles): boolean {
  const hasRoot = reaches(files, '.') && entryScript(files, '.') !== null;
  return (
    !hasRoot || new Installation(files, { dependencies: [], types: null }, new ParsedFiles()).declarations('.') !== null
  );
}

// The packages from which a file exports names, or on whose types it builds its own.
function exportedFrom(text: string): string[] {
  return [...text.matchAll(FROM)].flatMap(([, word, names = '', specifier = '']) => {
    const isBuiltOn = word === 'export' || namesOf(names).some((name) => isPassedOn(text, name));
    return isBuiltOn ? [packageName(specifier)] : [];
  });
}

function namesOf(clause: string): string[] {
  return [...clause.matchAll(/(?:\bas\s+)?([A-Za-z_$][\w$]*)\s*(?=[,}]|$)/g)].flatMap(([, name]) => name ?? []);
}

function isPassedOn(text: string, name: string): boolean {
  const word = name.replaceAll('$', '\\$');
  return new RegExp(
    `\\bextends\\s+[^{;]*\\b${word}\\b|\\bexport\\s*(?:type\\s*)?\\{[^}]*\\b${word}\\b|\\bexport\\s+(?:=|default)\\s+${word}\\b`,
  ).test(text);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
