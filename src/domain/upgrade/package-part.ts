// Which of the packages that share a source is meant.
import { normalizePackageName } from '../package-names.ts';
import { lastSegment } from './asked.ts';

export interface PartsOfSource {
  // The package names in front of versions, sorted.
  parts: readonly string[];
  // Some stored versions have no package name.
  hasBare: boolean;
}

export interface PartRequest {
  // What the package map says; null when it says nothing.
  mapped: string | null;
  names: readonly string[];
  // The package names in front of the requested versions.
  inBounds: readonly string[];
  // `owner/repo` of the source.
  coordinate: string | null;
}

export type PartChoice = { part: string | null } | { choices: readonly string[] };

const MAX_CHOICES = 20;

export function choosePart({ parts, hasBare }: PartsOfSource, requested: PartRequest): PartChoice {
  if (requested.mapped !== null) return { part: namedLike(parts, [requested.mapped]) ?? requested.mapped };
  const inBounds = requested.inBounds.flatMap((name) => namedLike(parts, [name]) ?? []);
  // A caller who writes a package name into both versions means that package, whatever the source is called.
  const insisted = inBounds.length === 2 ? theOne(inBounds) : null;
  const named = insisted ?? namedLike(parts, requested.names) ?? theOne(inBounds);
  if (named !== null) return { part: named };
  if (hasBare || parts.length === 0) return { part: null };
  const repository = requested.coordinate === null ? null : namedLike(parts, [lastSegment(requested.coordinate)]);
  const part = repository ?? theOne(parts);
  return part === null ? { choices: parts.slice(0, MAX_CHOICES) } : { part };
}

function namedLike(parts: readonly string[], names: readonly string[]): string | null {
  for (const name of names) {
    const exact = parts.find((part) => part === name) ?? parts.find((part) => sameName(part, name));
    if (exact !== undefined) return exact;
  }
  return null;
}

function theOne(names: readonly string[]): string | null {
  const [first, ...others] = new Set(names);
  return first !== undefined && others.length === 0 ? first : null;
}

// Names are compared by the most lenient spelling. Two packages of one source that differ only in spelling are found by
// their exact names.
function sameName(a: string, b: string): boolean {
  return normalizePackageName('pypi', a) === normalizePackageName('pypi', b);
}

// The tag prefix of a package: its name, the last segment of it, or its folder in the repository.
export function partOfPackage(parts: readonly string[], { name, folder }: { name: string; folder: string }) {
  const folders = folder === '' ? [] : [folder, lastSegment(folder)];
  return namedLike(parts, [name, lastSegment(name), ...folders]);
}
