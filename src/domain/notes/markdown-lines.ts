// The blocks of a body, and how lines of markdown become them: headings, list items, table rows, paragraphs and indented code.
import { isDefinitionLine } from '../markdown/definitions.ts';
import { adorns, atxHeading, codeFence, listItemText, setextLevel, uniformRun } from '../markdown/line-syntax.ts';
import type { TextRange } from '../markdown/offsets.ts';
import { classOfName } from './headings.ts';
import { inline } from './inline.ts';

type BlockKind = 'heading' | 'item' | 'text' | 'table' | 'code' | 'close';

export type NoteBlock = TextRange & {
  kind: BlockKind;
  // Of headings: 1–6 as written, PSEUDO_LEVEL for bold lines and labels, DETAILS_LEVEL for a summary of details.
  level: number;
  indent: number;
  lines: number;
  lineStart: number;
  // A heading by its words alone, such as "Bug fixes"; it is a sentence when no block follows it.
  label: boolean;
};

const PSEUDO_LEVEL = 7;
export const DETAILS_LEVEL = 8;

// All fields are always given, so that the objects have one shape: this runs for every line of every body.
type NoteBlockInput = TextRange & { kind: BlockKind; lineStart: number; level: number; indent: number };

export class BlockList {
  readonly content: string;
  readonly blocks: NoteBlock[] = [];
  // The paragraph or list item that a following line of text continues.
  open: NoteBlock | null = null;
  // What the last opening tag makes of the text behind it.
  pending: { kind: BlockKind; level: number; indent: number } | null = null;
  inTable = false;
  inList = false;
  afterBlank = true;
  // Some line was not indented. In a body that is indented throughout, indentation does not mean code.
  hasMargin = false;

  constructor(content: string) {
    this.content = content;
  }

  add({ kind, lineStart, start, end, level, indent }: NoteBlockInput): NoteBlock {
    const block: NoteBlock = { kind, start, end, level, indent, lines: 1, lineStart, label: false };
    this.blocks.push(block);
    this.open = kind === 'item' || kind === 'text' ? block : null;
    this.afterBlank = false;
    this.pending = null;
    if (kind === 'heading') this.inList = false;
    if (kind === 'item') this.inList = true;
    if (kind !== 'code') this.hasMargin ||= indent < 4;
    return block;
  }

  // Ends the open block as a blank line does.
  blank(): void {
    this.open = null;
    this.afterBlank = true;
  }

  // All blocks, in which a label that heads nothing has become a sentence.
  finish(): NoteBlock[] {
    const { blocks } = this;
    blocks.forEach((block, index) => {
      const next = blocks[index + 1];
      if (block.label && (!next || next.kind === 'heading' || next.kind === 'close')) block.kind = 'text';
    });
    return blocks;
  }
}

// A line or a part of one. `at` is the position behind indentation and block quote markers, `column` its column.
export type ScannedLine = { start: number; at: number; column: number; end: number };

const MAX_TITLE_LENGTH = 120;
const MAX_LABEL_LENGTH = 40;
const BOLD_LINE = /^(?:\*\*|__)(?=\S)(?:[^*_]|_(?!_)){1,80}(?:\*\*|__):?$/;
const SENTENCE_END = /[.!?][*_:]{0,5}$/;
const ALERT = /^\[!\w{1,20}\]$/;
const UNDERLINES = '=-*_~^"+';
const THEMATIC_BREAKS = '-*_=';

export function addMarkdownLine(list: BlockList, line: ScannedLine): void {
  const { content } = list;
  const { start, at, end } = line;
  const first = at < end ? content[at] : undefined;
  if (first === undefined) {
    list.blank();
    return;
  }
  // Fenced code is hidden from the scanner, so that a fence here is one that is never closed.
  if ((first === '`' || first === '~') && isUnclosedFence(list, line)) {
    list.blank();
    return;
  }
  if (UNDERLINES.includes(first) && addUnderline(list, at, end)) return;
  const heading = first === '#' ? atxHeading(content, at, end) : null;
  const item = listItemText(content, at, end);
  const text = content.slice(item === -1 ? at : item, end);
  if (heading) {
    // An empty heading has no section, so that it ends none either.
    if (heading.end <= heading.start) list.blank();
    else list.add({ kind: 'heading', lineStart: start, ...heading, indent: 0 });
  } else if (first === '|') list.add({ kind: 'table', lineStart: start, start: at, end, level: 0, indent: 0 });
  else if (isNoiseLine(text)) list.blank();
  else if (item !== -1) list.add({ kind: 'item', lineStart: start, start: item, end, level: 0, indent: line.column });
  else addTextLine(list, line, text);
}

function addTextLine(list: BlockList, { start, at, column, end }: ScannedLine, text: string): void {
  const { pending, open } = list;
  if (pending) {
    const { kind, level, indent } = pending;
    list.add({ kind, lineStart: start, start: at, end, level, indent });
  } else if (text[0] === '[' && (isDefinitionLine(text) || ALERT.test(text))) list.blank();
  else if (BOLD_LINE.test(text) && !SENTENCE_END.test(text.slice(-6))) {
    list.add({ kind: 'heading', lineStart: start, start: at, end, level: PSEUDO_LEVEL, indent: 0 });
  } else if (column < 2 && isLabel(list, text)) {
    list.add({ kind: 'heading', lineStart: start, start: at, end, level: PSEUDO_LEVEL, indent: 0 }).label = true;
  } else if (open) {
    open.end = end;
    open.lines += 1;
  } else {
    if (list.afterBlank && column < 2) list.inList = false;
    const isCode = column >= 4 && list.afterBlank && !list.inList && list.hasMargin;
    const kind = isCode ? 'code' : list.inTable ? 'table' : 'text';
    list.add({ kind, lineStart: start, start: at, end, level: 0, indent: column });
  }
}

// A line that is, as a whole, a known heading name: "What's new:", "Bug Fixes". In the middle of a paragraph it has to
// follow a finished sentence.
function isLabel({ content, open }: BlockList, text: string): boolean {
  if (text.length > MAX_LABEL_LENGTH || text.endsWith('.') || /^[a-z]/.test(text) || !classOfName(text)) return false;
  if (open?.kind !== 'text' || text.endsWith(':')) return true;
  return /[.!?:]/.test(content[open.end - 1] ?? '');
}

function isUnclosedFence(list: BlockList, { at, end }: ScannedLine): boolean {
  if (!codeFence(list.content, at, Math.min(end, at + MAX_TITLE_LENGTH))?.canOpen) return false;
  return !underlinesTitle(list, uniformRun(list.content, at, end));
}

// Whether an underline of this length would make a title of the single line of text above it.
function underlinesTitle({ open }: BlockList, length: number): boolean {
  return open?.kind === 'text' && open.lines === 1 && adorns(length, open.end - open.start);
}

// An underline makes a heading of the line above; elsewhere a line of one repeated character divides blocks.
function addUnderline(list: BlockList, at: number, end: number): boolean {
  const { content, open } = list;
  const count = uniformRun(content, at, end);
  if (count < 2) return false;
  const isTitle = open?.kind === 'text' && open.lines === 1 && open.end - open.start <= MAX_TITLE_LENGTH;
  const level = isTitle ? setextLevel(content, at, end) || (underlinesTitle(list, count) ? 3 : 0) : 0;
  if (isTitle && level > 0) {
    open.kind = 'heading';
    open.level = level;
  } else if (count < 3 || !THEMATIC_BREAKS.includes(content[at] ?? '')) {
    return false;
  }
  list.blank();
  return true;
}

// Lines of release notes that describe no change.

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
function isNoiseLine(line: string): boolean {
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
