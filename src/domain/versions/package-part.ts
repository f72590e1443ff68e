import { readDate } from './numbers.ts';
import { classOfWord, isNeutralPrefix } from './word-classes.ts';

type PackageSplit = {
  packagePart: string | null;
  // A pre-release word that stood before the version, as in `nightly-2024-01-15`; lower case.
  preWord: string | null;
  version: string;
};

const VERSION_START = /^(?:v\.?)?\d/i;
const MARKED_OR_JOINED = /^(?:v\.?\d|\d+[._]\d)/i;
const SEPARATORS = '-_/ ';

// Splits the name of a package, or a word like `release`, from the version that follows it.
export function splitPackage(text: string): PackageSplit {
  return splitAtSign(text) ?? (VERSION_START.test(text) ? whole(text) : splitName(text));
}

// The text before an `@` is a package even when it is a pre-release word: `next@15.0.0`.
function splitAtSign(text: string): PackageSplit | null {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, Math.max(at, 0));
  const version = text.slice(at + 1).trim();
  if (name === '' || version === '' || /\s/.test(name)) return null;
  if (VERSION_START.test(name) && !VERSION_START.test(version)) return null;
  return { packagePart: name, preWord: null, version };
}

function splitName(text: string): PackageSplit {
  for (let at = 0; at < text.length; at++) {
    if (!SEPARATORS.includes(text.charAt(at))) continue;
    const name = trimSeparators(text.slice(0, at));
    const version = text.slice(at + 1);
    if (beginsVersion(version, name)) return named(name, version);
  }
  return splitGlued(text) ?? whole(text);
}

function splitGlued(text: string): PackageSplit | null {
  const letters = /^\p{L}{2,}/u.exec(text)?.[0];
  if (letters === undefined) return null;
  const name = withoutGluedV(letters);
  const version = text.slice(name.length);
  return beginsVersion(version, name) ? named(name, version) : null;
}

// `dev1.2` and `rev1.2` are words of their own; in `appv1.2` the `v` belongs to the version.
function withoutGluedV(letters: string): string {
  const known = classOfWord(letters.toLowerCase()) !== 'unknown';
  return !known && letters.length > 2 && /v$/i.test(letters) ? letters.slice(0, -1) : letters;
}

function beginsVersion(text: string, name: string): boolean {
  if (MARKED_OR_JOINED.test(text) || readDate(text) !== null) return true;
  return name !== '' && isNeutral(name) && /^\d/.test(text);
}

function named(name: string, version: string): PackageSplit {
  if (isNeutral(name)) return { packagePart: null, preWord: null, version };
  const word = name.toLowerCase();
  if (classOfWord(word) === 'pre') return { packagePart: null, preWord: word, version };
  return { packagePart: name, preWord: null, version };
}

function isNeutral(name: string): boolean {
  return name.split(/[-_/ ]/).every((word) => word === '' || isNeutralPrefix(word.toLowerCase()));
}

function trimSeparators(name: string): string {
  let end = name.length;
  while (end > 0 && SEPARATORS.includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

function whole(text: string): PackageSplit {
  return { packagePart: null, preWord: null, version: text };
}
