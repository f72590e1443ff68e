// The blocks of a release body while it is scanned, and what one line decides about the next.
import type { TextRange } from '../markdown/offsets.ts';

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

export const PSEUDO_LEVEL = 7;
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
