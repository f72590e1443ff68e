import { isHeadingLine } from '../markdown/line-marks.ts';

// A chunk that says nothing: headings, anchors and link definitions, with no word below or between them.
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<\/?[a-z][^<>\n]{0,300}>/gi;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const LINK_DEFINITION = /^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*\S.*$/;
const WORD = /[\p{L}\p{N}]/u;

export function isBlankChunk(text: string): boolean {
  const lines = text
    .replace(COMMENT, ' ')
    .replace(TAG, ' ')
    .split(/\r\n?|\n/);
  return !lines.some((line, at) => {
    if (!WORD.test(line) || isHeadingLine(line) || LINK_DEFINITION.test(line)) return false;
    return !UNDERLINE.test(lines[at + 1] ?? '');
  });
}
