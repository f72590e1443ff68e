const BLOCK_TAG =
  /<(\/?)(h[1-6]|p|div|li|ul|ol|br|hr|pre|blockquote|table|tr|td|th|thead|tbody|details|summary|section|article|aside|header|footer|main|figure|figcaption|dl|dt|dd|center|script|style|template)(?=[\s/>])[^<>]*>/gi;
const HTML_START = /^\s*<(?:!doctype|html|body|h[1-6]|p|div|ul|ol|table|section|article|main|details)\b/i;

export type BlockTag = { name: string; closing: boolean; start: number; end: number };

// A body that begins with a block-level tag is HTML throughout; in others only lines that begin with a tag are.
export function isHtmlBody(content: string): boolean {
  return HTML_START.test(content.slice(0, 500));
}

function countTicks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 96) count += 1;
  return count;
}

// Reads the block-level tags of a text once, forwards, with one tag of lookahead.
export class TagCursor {
  private readonly content: string;
  private next: BlockTag | null;

  constructor(content: string) {
    this.content = content;
    this.next = content.includes('<') ? this.search(0) : null;
  }

  // The tags of a line; one inside a code span is text.
  within(start: number, end: number): BlockTag[] {
    const tags: BlockTag[] = [];
    let counted = start;
    let ticks = 0;
    for (let tag = this.from(start); tag && tag.start < end; tag = this.from(tag.end)) {
      ticks += countTicks(this.content, counted, tag.start);
      counted = tag.start;
      if (ticks % 2 === 0) tags.push(tag);
    }
    return tags;
  }

  private from(at: number): BlockTag | null {
    if (this.next && this.next.start < at) this.next = this.search(at);
    return this.next;
  }

  private search(at: number): BlockTag | null {
    BLOCK_TAG.lastIndex = at;
    const match = BLOCK_TAG.exec(this.content);
    if (!match) return null;
    const name = match[2]?.toLowerCase() ?? '';
    return { name, closing: match[1] === '/', start: match.index, end: match.index + match[0].length };
  }
}
