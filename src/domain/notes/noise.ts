// Lines of release notes that describe no change.
import { inline } from './inline.ts';

const FULL_LOG =
  /^[\s*_>[#(-]{0,8}(?:(?:view |see |read )?(?:the )?full (?:change ?log|diff|list of changes|commit log|release notes|history)|compare (?:changes|source|diff|with|to)|all (?:changes|commits) (?:since|in)\b|(?:see|view) (?:all|the) (?:changes|commits|diff))/i;
const FIRST_CONTRIBUTION = /@[\w-]{1,40}\]?(?:\([^)]{0,200}\))? made (?:their|his|her) first contribution/;
const CHECKSUM = /(?:^|[^\w/])[0-9a-f]{32,128}\b/i;
// "- Remove `connect` <commit>": a real change, followed by the commit that made it.
const COMMITTED =
  /^\s{0,8}(?:[-*+] )?(?:[\w-]{1,20}: )?(?:add|chang|fix|remov|renam|replac|updat|drop|mov|allow|support|mak|us|implement|improv|deprecat)[a-z]{0,5} .{0,200} \(?[0-9a-f]{40}\)?$/i;
const CHECKSUM_LENGTH = 32;
const FEW_WORDS = 4;

// Whether a line is a compare link, a first contribution or a checksum.
export function isNoiseLine(line: string): boolean {
  if (FULL_LOG.test(line)) return true;
  if (line.includes('first contribution') && FIRST_CONTRIBUTION.test(line)) return true;
  if (line.includes('/compare/') && fewWordsBeside(line, /https?:\/\/\S{1,2000}/g)) return true;
  if (!hasHexRun(line, CHECKSUM_LENGTH) || !CHECKSUM.test(line) || COMMITTED.test(line)) return false;
  return fewWordsBeside(line, /[0-9a-f]{32,128}/gi);
}

function fewWordsBeside(line: string, removed: RegExp): boolean {
  const rest = inline(line.slice(0, 4000)).replace(removed, ' ');
  return (rest.match(/[a-z]{2,}/gi)?.length ?? 0) <= FEW_WORDS;
}

// Whether a text has `length` hexadecimal digits in a row. A run of n digits covers at least one of every n-th character,
// so that only those are checked.
export function hasHexRun(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    let start = at;
    while (start >= 0 && at - start < length && isHex(text.charCodeAt(start))) start -= 1;
    let end = at;
    while (end < text.length && end - at < length && isHex(text.charCodeAt(end))) end += 1;
    if (end - start > length) return true;
  }
  return false;
}

function isHex(code: number): boolean {
  const letter = code | 32;
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 102);
}
