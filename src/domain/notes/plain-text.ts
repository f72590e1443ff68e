// Excerpts: the beginning of a text without markup.

import { unmark } from '../clean-text.ts';
import { cellsOf } from '../markdown/tables.ts';
import { scanBlocks } from './blocks.ts';
import { cutAtWord } from './cut.ts';
import { inline } from './inline.ts';

// How many characters of source are read for each character of text; all of the source is read when that was too little.
const MARKUP_FACTOR = 12;

// The first `maxChars` characters of a markdown or HTML text as plain text, ending with a whole word.
export function plainText(markdown: string, maxChars: number): string {
  const enough = maxChars * MARKUP_FACTOR + 2000;
  const text = excerpt(markdown.slice(0, enough), maxChars);
  return text.length >= maxChars || markdown.length <= enough
    ? cutAtWord(text, maxChars)
    : cutAtWord(excerpt(markdown, maxChars), maxChars);
}

function excerpt(markdown: string, maxChars: number): string {
  const parts: string[] = [];
  let length = 0;
  for (const block of scanBlocks(markdown)) {
    if (block.kind === 'code' || block.kind === 'close') continue;
    const raw = markdown.slice(block.start, block.end);
    const text = block.kind === 'table' ? rowText(raw) : unmark(inline(raw));
    if (!text) continue;
    parts.push(text);
    length += text.length + 1;
    if (length > maxChars) break;
  }
  return parts.join(' ');
}

function rowText(row: string): string {
  if (/^[\s|:-]*$/.test(row)) return '';
  return cellsOf(row)
    .map((cell) => unmark(inline(cell)))
    .filter(Boolean)
    .join(' ');
}
