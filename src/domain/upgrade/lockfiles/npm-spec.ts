// `name@range` as npm lockfiles write it, with the protocols that lead elsewhere.
import { isName } from './types.ts';

interface NpmSpec {
  name: string;
  // Without `npm:`.
  range: string;
}

// Packages of the project itself, of a disk, of a repository: no registry knows their versions.
const ELSEWHERE = /^(?:workspace|link|portal|file|patch|exec|git|github|git\+[a-z]+|https?|ssh|catalog):/i;

// Null for what comes from no registry. An alias is the package that it stands for.
export function readNpmSpec(text: string): NpmSpec | null {
  const at = text.indexOf('@', 1);
  return at === -1 ? null : readNpmRange(text.slice(0, at), text.slice(at + 1));
}

export function readNpmRange(name: string, range: string): NpmSpec | null {
  const isAlias = range.startsWith('npm:');
  const plain = isAlias ? range.slice(4) : range;
  const at = isAlias ? plain.indexOf('@', 1) : -1;
  if (at !== -1 && isName(plain.slice(0, at))) return { name: plain.slice(0, at), range: plain.slice(at + 1) };
  return ELSEWHERE.test(plain) || plain.includes('/') || !isName(name) ? null : { name, range: plain };
}
