// Names of files that are upgrade guides: `UPGRADING.md`, `migration-guide-v5.md`, `VERSION_11_UPGRADE.md`,
// `migrating-from-v7-to-v8.md`, `upgradeGuide.md`. Each word of such a name is about upgrading, or a version.

const ABOUT = new Set(['upgrade', 'upgrading', 'migration', 'migrating']);
const BESIDE = new Set(['guide', 'notes', 'version', 'from', 'to']);
const VERSION = /^v?(\d{1,4})(?:\.(?:\d{1,4}|x)){0,2}$/;
const MAX_NAME_LENGTH = 80;

export function isGuideName(filename: string): boolean {
  const words = wordsOf(filename);
  return words.some((word) => ABOUT.has(word)) && words.every((word) => isKnown(word) || VERSION.test(word));
}

// The version that a guide leads to, by its name alone; null when the name tells none.
export function targetOfName(filename: string): string | null {
  const words = wordsOf(filename);
  const versions = words.filter((word) => VERSION.test(word));
  const [first, second, third] = versions;
  if (first === undefined || third !== undefined || !isGuideName(filename)) return null;
  if (second !== undefined) return plain(second);
  return words[words.indexOf(first) - 1] === 'from' ? versionAfter(first) : plain(first);
}

// The version to which a guide "from 4" leads: the next major one. Null after a version that is none itself.
export function versionAfter(version: string): string | null {
  const [, major, rest = ''] = /^v?(\d{1,4})((?:\.\w+)*)$/i.exec(version) ?? [];
  return major === undefined || !/^(?:\.[0x*])*$/i.test(rest) ? null : `${Number(major) + 1}`;
}

function plain(version: string): string {
  return version.replace(/^v/, '').replace(/(?:\.x)+$/, '');
}

function isKnown(word: string): boolean {
  return ABOUT.has(word) || BESIDE.has(word);
}

function wordsOf(filename: string): string[] {
  if (!/\.md$/i.test(filename) || filename.length > MAX_NAME_LENGTH) return [];
  const parted = filename
    .slice(0, -'.md'.length)
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/([a-z]{2})(\d)/gi, '$1-$2');
  return parted.toLowerCase().split(/[-_ ]+/);
}
