// Index pages: headings with nothing but links to the changelogs of single versions.
import type { DocumentLines } from './document-lines.ts';
import type { ClassifiedHeading } from './types.ts';

const FILE_LINK =
  /\]\((?:(?!\w+:|#|\/\/)|https?:\/\/[^()\s]*\/(?:blob|raw|tree)\/)[^()\s]*\.(?:md|markdown|mdx|txt|rst|html?)(?:#[^()\s]*)?\)/i;
const TABLE_FRAME = /^\s*(?:[|:\s-]+|[-*_\s]{3,})$/;
const INTRODUCTION_LINES = 3;
const LINES_READ = 2000;

// Whether a heading has nothing but links to other files below it. A version of three numbers, or one with a date, is a
// release all the same, whose notes are in another file.
export function isFileList({ lines }: DocumentLines, { reading, next }: ClassifiedHeading, end: number): boolean {
  const { version, date } = reading;
  if (version === null || date !== null || version.split('.').length > 2) return false;
  let links = 0;
  let words = 0;
  for (let at = next; at < Math.min(end, next + LINES_READ); at++) {
    const line = (lines[at] ?? '').slice(0, 1000);
    if (line.trim() === '' || TABLE_FRAME.test(line)) continue;
    if (FILE_LINK.test(line)) links++;
    else if (/^\s*[-*+]\s/.test(line)) return false;
    else words++;
  }
  return links > 0 && words <= INTRODUCTION_LINES && (links > 1 || !version.includes('.'));
}
