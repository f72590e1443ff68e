// The text of notes that snippets are cut from: entries apart from each other, and a heading only where it adds to them.
// Code spans stay between CODE_OPEN and CODE_CLOSE where they are wanted.

import { scanBlocks } from './blocks.ts';
import { tidyInline } from './clean-item.ts';
import { CODE_OPEN, unmark } from './code-marks.ts';
import { inline } from './inline.ts';
import type { NoteBlock } from './markdown-lines.ts';

// What is left of references and pictures without a text.
const EMPTY = /(?:^| )(?:\(\s*\)|\[\s*\](?!\())/g;
const HEADING_MARKS = /^#{1,6}\s+|\s+#+$/g;
const SAME_BEGINNING = 3;

interface SnippetPart {
  text: string;
  kind: NoteBlock['kind'];
}

export function snippetText(markdown: string, maxChars: number, { marks = false } = {}): string {
  const parts: SnippetPart[] = [];
  let length = 0;
  for (const block of scanBlocks(markdown)) {
    if (block.kind === 'code' || block.kind === 'close') continue;
    const text = blockText(block, markdown.slice(block.start, block.end), marks);
    if (text === '') continue;
    parts.push({ text, kind: block.kind });
    length += text.length + 2;
    if (length > maxChars) break;
  }
  return parts
    .map((part, index) => joined(part, parts[index + 1]))
    .join('')
    .trimEnd();
}

// With marks the text is for people, who need no references and credits.
function blockText({ kind }: NoteBlock, raw: string, marks: boolean): string {
  const source = kind === 'table' ? (/^[\s|:-]*$/.test(raw) ? '' : raw.replaceAll('|', ' ')) : raw;
  const bare = source.replaceAll(HEADING_MARKS, '');
  return (marks ? tidyInline(bare) : unmark(inline(bare))).replaceAll(EMPTY, '').trim();
}

function joined({ text, kind }: SnippetPart, next: SnippetPart | undefined): string {
  if (next === undefined) return kind === 'heading' ? '' : text;
  if (kind === 'heading') return repeats(text, next.text) ? '' : `${text.replace(/:$/, '')}: `;
  const isOpen = /[\p{L}\p{N})\]"\u{E001}]$/u.test(text);
  return `${text}${isOpen && next.kind !== 'text' ? ';' : isOpen ? '.' : ''} `;
}

// "Fixed" above "Fixed a crash" and "Fixes" above "fix a crash" say it twice.
function repeats(heading: string, text: string): boolean {
  const [said, ...others] =
    unmark(heading)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const first =
    unmark(text)
      .toLowerCase()
      .match(/\p{L}+/u)?.[0] ?? '';
  return (
    said !== undefined &&
    others.length === 0 &&
    first.startsWith(said.slice(0, SAME_BEGINNING)) &&
    !text.startsWith(CODE_OPEN)
  );
}
