// Beside a version only these say that it is not out: `4.0.0 (next)` is a published version on a side channel.
const NOT_OUT = 'unreleased|not yet released|upcoming|tbd|wip';
const BRANCH = 'next|head|main|master';
const NOUN = '(?: (?:release|version|changes))?';
const BESIDE_VERSION = new RegExp(`^(?:version )?(?:${NOT_OUT}|next(?= [rv]))${NOUN}$`);
const ALONE = new RegExp(`^(?:${NOT_OUT}|${BRANCH})${NOUN}$`);

// Whether a heading stands for work that has not been released, so that it starts no entry.
export function isUnreleased(words: string, version: string | null): boolean {
  const rest = words.replace(/(?<!\S)v?\.?\d[^\s()]*/gi, ' ');
  const pattern = version === null ? ALONE : BESIDE_VERSION;
  return rest
    .toLowerCase()
    .split(/[()|,;:/]|\s[-\u2010-\u2015]+\s/)
    .some((part) => pattern.test(part.replace(/[\s\-\u2010-\u2015.!]+/g, ' ').trim()));
}
