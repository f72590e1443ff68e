import { inline } from './inline.ts';

const FULL_LOG =
  /^[\s*_>[#(-]{0,8}(?:(?:view |see |read )?(?:the )?full (?:change ?log|diff|list of changes|commit log|release notes|history)|compare (?:changes|source|diff|with|to)|all (?:changes|commits) (?:since|in)\b|(?:see|view) (?:all|the) (?:changes|commits|diff))/i;
const FIRST_CONTRIBUTION = /@[\w-]{1,40}\]?(?:\([^)]{0,200}\))? made (?:their|his|her) first contribution/;
const CHECKSUM = /(?:^|[^\w/])[0-9a-f]{32,128}\b/i;
const CHECKSUM_LENGTH = 32;
const FEW_WORDS = 4;

/** Lines that say nothing about the change: compare links, first contributions, checksums. */
export function isNoiseLine(line: string): boolean {
  if (FULL_LOG.test(line)) return true;
  if (line.includes('first contribution') && FIRST_CONTRIBUTION.test(line)) return true;
  if (line.includes('/compare/') && fewWordsBeside(line, /https?:\/\/\S{1,2000}/g)) return true;
  return hasHexRun(line) && CHECKSUM.test(line) && fewWordsBeside(line, /[0-9a-f]{32,128}/gi);
}

function fewWordsBeside(line: string, removed: RegExp): boolean {
  const rest = inline(line.slice(0, 4000)).replace(removed, ' ');
  return (rest.match(/[a-z]{2,}/gi)?.length ?? 0) <= FEW_WORDS;
}

/** A run of 32 covers every 32nd place, so that most lines are cleared by a few looks. */
function hasHexRun(line: string): boolean {
  for (let at = CHECKSUM_LENGTH - 1; at < line.length; at += CHECKSUM_LENGTH) {
    let start = at;
    while (start >= 0 && at - start < CHECKSUM_LENGTH && isHex(line.charCodeAt(start))) start -= 1;
    let end = at;
    while (end < line.length && end - at < CHECKSUM_LENGTH && isHex(line.charCodeAt(end))) end += 1;
    if (end - start > CHECKSUM_LENGTH) return true;
  }
  return false;
}

function isHex(code: number): boolean {
  const letter = code | 32;
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 102);
}
