// Which names a package has anywhere in what it publishes, and which it declares as exports.
import { isRecord, type Manifest, type PackageFiles } from '../evidence/package-files.ts';

export interface PackageNames {
  // Every word of code and package.json, so that a name that is not among them is nowhere.
  words: ReadonlySet<string>;
  exported: ReadonlySet<string>;
  // What it depends on, by the last part of the name.
  others: ReadonlySet<string>;
  // Declarations were read, which tell all names that users can name.
  hasDeclarations: boolean;
}

const MAX_WORDS = 500_000;
const EXPORTED =
  /\bexport\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]{0,100})/g;

export function packageNames(
  { texts, paths, manifest }: PackageFiles,
  others: ReadonlyMap<string, string>,
): PackageNames {
  const words = new Set<string>();
  const exported = new Set<string>();
  for (const text of [...texts.values(), ...others.values(), ...paths, JSON.stringify(manifest)]) {
    for (const [word] of text.matchAll(/[A-Za-z_$][\w$]{0,100}/g)) {
      if (words.size >= MAX_WORDS) break;
      words.add(word);
    }
  }
  for (const text of texts.values()) for (const [, name = ''] of text.matchAll(EXPORTED)) exported.add(name);
  const hasDeclarations = [...texts.keys()].some((path) => /\.d\.[cm]?ts$/.test(path));
  return {
    words,
    exported,
    others: dependencyNames(manifest),
    hasDeclarations: hasDeclarations && words.size < MAX_WORDS,
  };
}

const DEPENDENCIES = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];

function dependencyNames(manifest: Manifest): Set<string> {
  const names = DEPENDENCIES.flatMap((field) => Object.keys(isRecord(manifest[field]) ? manifest[field] : {}));
  return new Set(names.map((name) => name.slice(name.lastIndexOf('/') + 1).toLowerCase()));
}
