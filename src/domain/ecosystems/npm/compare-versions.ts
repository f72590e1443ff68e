// The order of Semantic Versioning, which npm goes by: what follows `+` does not count, and a pre-release stands before its version.

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]*)?$/;
const MAX_LENGTH = 256;

interface SemanticVersion {
  numbers: readonly bigint[];
  pre: readonly string[];
}

export function readSemanticVersion(text: string): SemanticVersion | null {
  const found = text.length > MAX_LENGTH ? null : VERSION.exec(text.trim());
  if (!found) return null;
  const [, major = '0', minor = '0', patch = '0', pre] = found;
  return { numbers: [major, minor, patch].map(BigInt), pre: pre === undefined ? [] : pre.split('.') };
}

// Negative, zero or positive; null where one of the two is no version of this kind.
export function compareSemanticVersions(one: string, other: string): number | null {
  const [a, b] = [readSemanticVersion(one), readSemanticVersion(other)];
  if (!a || !b) return null;
  for (const [at, number] of a.numbers.entries()) {
    const against = b.numbers[at] ?? 0n;
    if (number !== against) return number < against ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (let at = 0; at < Math.max(a.pre.length, b.pre.length); at++) {
    const order = compareIdentifiers(a.pre[at], b.pre[at]);
    if (order !== 0) return order;
  }
  return 0;
}

const NUMERIC = /^\d+$/;

// The shorter list stands first, numbers stand before words.
function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [isNumber, isOtherNumber] = [NUMERIC.test(a), NUMERIC.test(b)];
  if (isNumber && isOtherNumber) return a === b ? 0 : BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
