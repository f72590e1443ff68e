// Packages that act without an import: the compiler takes in what lies in the folder `@types`, and what a tsconfig names.
import { isRecord } from '../records.ts';
import type { ProjectUses, SourceFile } from './project.ts';
import { readJson } from './resolve.ts';
import type { Touch } from './touch.ts';
import type { Place } from './use.ts';

const CONFIG = /(?:^|\/)tsconfig[\w.-]*\.json$/;
const TYPED = /\.(?:[cm]?tsx?|vue|svelte|astro)$/i;

export function isTyped(path: string): boolean {
  return TYPED.test(path);
}

export function isTypesPackage(packageName: string): boolean {
  return packageName.startsWith('@types/');
}

interface TypesConfig {
  path: string;
  text: string;
  // Null: all that lie in the folder.
  types: readonly string[] | null;
}

function configsIn(manifests: readonly SourceFile[]): TypesConfig[] {
  return manifests.flatMap(({ path, text }) => {
    const config = CONFIG.test(path) ? readJson(text) : null;
    if (!isRecord(config)) return [];
    const options = isRecord(config.compilerOptions) ? config.compilerOptions : {};
    const { types } = options;
    const named = Array.isArray(types) ? types.filter((one) => typeof one === 'string') : null;
    return [{ path, text, types: named }];
  });
}

// What configurations of the compiler name, as imports.
export function typeReferences(manifests: readonly SourceFile[]): (Touch & { file: string })[] {
  return configsIn(manifests).flatMap(({ path, text, types }) =>
    (types ?? []).map((specifier) => ({
      ...{
        file: path,
        specifier,
        path: [],
        lines: [],
        carried: 0,
        line: lineOf(text, specifier),
        kind: 'import' as const,
      },
      ...{ how: 'import' as const, isOpen: false, isComputed: false, given: null },
    })),
  );
}

// Where the compiler is told to take in a package of types, by name or with all others.
export function takenIn({ manifests }: Pick<ProjectUses, 'manifests'>, packageName: string): Place[] {
  const name = packageName.replace(/^@types\//, '');
  return configsIn(manifests).flatMap(({ path, text, types }) => {
    if (types === null) return /(?:^|\/)tsconfig\.json$/.test(path) ? [{ file: path, line: 1 }] : [];
    return types.includes(name) || types.includes(packageName) ? [{ file: path, line: lineOf(text, name) }] : [];
  });
}

// Where files with types name what a package declares for all: `NodeJS.Timeout`, or one name that the file does not declare.
export function ambientPlaces({ sources }: Pick<ProjectUses, 'sources'>, parts: readonly string[]): Place[] {
  const name = parts.join('.');
  const escaped = name.replaceAll(/[.$]/g, '\\$&');
  const whole = new RegExp(`(?<![\\w$.])${escaped}(?![\\w$])`);
  const own = new RegExp(
    `\\b(?:interface|type|class|function|const|let|var|enum|namespace)\\s+${escaped}\\b|import[^;'"]*\\b${escaped}\\b`,
  );
  return sources.flatMap(({ path, text }) => {
    if (!isTyped(path) || !text.includes(name) || own.test(text)) return [];
    return text.split('\n').flatMap((line, index) => {
      const code = line.slice(0, 2000).replace(/\/\/.*|^\s*\*.*|'[^']*'|"[^"]*"/g, '');
      return whole.test(code) ? [{ file: path, line: index + 1 }] : [];
    });
  });
}

function lineOf(text: string, word: string): number {
  return Math.max(1, text.split('\n').findIndex((line) => line.includes(`"${word}"`)) + 1);
}
