// What has to stand beside a package so that its API can be seen: packages whose names it exports as its own, and the
// declarations that others wrote for it.
import type { ListedVersion } from '../published-package.ts';
import { compareVersionKeys, isPrerelease, versionSort } from '../versions/index.ts';
import { type PackageFiles, textEntries } from './package-files.ts';
import { admitsVersion } from './ranges.ts';

export interface Needs {
  name: string;
  version: string;
  hasTypes: boolean;
  // Ranges by name.
  dependencies: { name: string; range: string }[];
}

const MOST_DEPENDENCIES = 12;
const FROM = /\b(export|import)\b([^;'"]*?)\bfrom\s*["']([^"'.][^"']*)["']/g;

export function needsOf(files: PackageFiles): Needs {
  const ranges = new Map([
    ...textEntries(files.manifest.optionalDependencies),
    ...textEntries(files.manifest.dependencies),
  ]);
  const found = new Set<string>();
  let hasTypes = false;
  for (const [path, text] of files.texts) {
    if (!/\.[cm]?tsx?$/.test(path)) continue;
    hasTypes = true;
    for (const name of exportedFrom(text)) if (ranges.has(name)) found.add(name);
  }
  const dependencies = [...found].sort().slice(0, MOST_DEPENDENCIES);
  return {
    name: files.name,
    version: files.version,
    hasTypes,
    dependencies: dependencies.map((name) => ({ name, range: ranges.get(name) ?? '*' })),
  };
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

// The package with the declarations for one that has none: `@types/acme__forms` for `@acme/forms`.
export function typesPackage(name: string): string {
  return `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
}

// The highest version in a range that was published when the package was.
export function versionBeside(
  versions: readonly ListedVersion[],
  range: string,
  publishedAt: string | null,
): ListedVersion | null {
  const fitting = versions.filter((one) => {
    if (one.withdrawn || one.tarballUrl === null || !admitsVersion(range, one.version)) return false;
    return publishedAt === null || one.publishedAt === null || one.publishedAt <= publishedAt;
  });
  const stable = fitting.filter(({ version }) => !isPrerelease(version));
  return (stable.length > 0 ? stable : fitting).reduce<ListedVersion | null>((best, one) => {
    return best === null || isHigher(one.version, best.version) ? one : best;
  }, null);
}

function isHigher(a: string, b: string): boolean {
  const [key, other] = [versionSort(a), versionSort(b)];
  return key !== null && (other === null || compareVersionKeys(key, other) > 0);
}
