// A published archive as a package in memory: the texts that tell its API, and the names of all its files.
import { readArchive } from '../archive/read-archive.ts';
import { nestingFault } from './nesting.ts';
import { type PackageFiles, packageOf } from './package-files.ts';

// `isLarge`: the archive is refused for its size, in bytes, entries, texts or how deep they nest.
type PackageReading =
  | { files: PackageFiles; refused?: never; isLarge?: never }
  | { refused: string; isLarge: boolean; files?: never };

const DECLARATION = /\.d\.(?:[cm]?ts|[\w-]+\.ts)$/;
const SOURCE = /\.[cm]?tsx?$/;
const SCRIPT = /\.[cm]?js$/;
const README = /^readme(?:\.(?:md|markdown))?$/i;
const MAX_TEXT_SIZE = 20_000_000;
const MAX_README_SIZE = 1_000_000;
const LARGE: ReadonlySet<string> = new Set(['too_large', 'ratio', 'too_many_entries']);

export async function readPackage(archive: Uint8Array): Promise<PackageReading> {
  const paths = new Set<string>();
  const declared = await read(archive, DECLARATION, paths);
  if (declared.refused !== undefined || declared.files.texts.size > manifests(declared.files)) return declared;
  // Types may be the sources themselves; without any, the scripts have to tell the names.
  const hasSources = [...paths].some((path) => SOURCE.test(path));
  return read(archive, hasSources ? SOURCE : SCRIPT, paths);
}

// The same archive with its scripts for texts; null for one that is refused.
export async function readScripts(archive: Uint8Array): Promise<PackageFiles | null> {
  return (await read(archive, SCRIPT, new Set())).files ?? null;
}

// Whether the scripts have to tell the names, because nothing else does.
export function isOfScripts({ texts }: PackageFiles): boolean {
  return [...texts.keys()].some((path) => SCRIPT.test(path));
}

async function read(archive: Uint8Array, pattern: RegExp, paths: Set<string>): Promise<PackageReading> {
  const { files, refusal } = await readArchive(archive, {
    wanted: (path, size) => {
      paths.add(path);
      if (size > MAX_TEXT_SIZE || path.includes('node_modules/')) return false;
      return pattern.test(path) || isManifest(path) || (README.test(path) && size <= MAX_README_SIZE);
    },
  });
  if (refusal) return { refused: refusal.text, isLarge: LARGE.has(refusal.reason) };
  const decoder = new TextDecoder();
  const texts = new Map([...files].map(([path, bytes]) => [path, decoder.decode(bytes)]));
  const readme = [...texts.keys()].find((path) => README.test(path));
  const own = readme === undefined ? {} : { readme: texts.get(readme) ?? '' };
  for (const path of [...texts.keys()]) if (README.test(path)) texts.delete(path);
  const found = packageOf(texts, paths);
  if (found === null) return { refused: 'the archive has no readable package.json', isLarge: false };
  const fault = nestingFault(texts);
  return fault === null ? { files: { ...found, ...own } } : { refused: fault, isLarge: true };
}

function isManifest(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json');
}

function manifests({ texts }: PackageFiles): number {
  return [...texts.keys()].filter(isManifest).length;
}
