// The open blocks while markdown is parsed: a stack from the document to the innermost block that may take more lines.
import { createBlock, type MarkdownBlock } from './block-tree.ts';
import { Footnotes } from './footnotes.ts';
import { type References, takeReferences } from './references.ts';

export class OpenBlocks {
  readonly document = createBlock('document', 0);
  readonly references: References = new Map();
  readonly footnotes = new Footnotes();
  readonly stack: MarkdownBlock[] = [this.document];
  // Number of the present line, from one.
  line = 0;

  get depth(): number {
    return this.stack.length;
  }

  get innermost(): MarkdownBlock {
    return this.stack[this.stack.length - 1] as MarkdownBlock;
  }

  // Ends the blocks below a depth and opens another one there.
  begin(depth: number, block: MarkdownBlock): void {
    this.close(depth);
    // A list holds nothing but items, so that any other block ends it.
    if (this.innermost.type === 'list' && block.type !== 'item') this.close(this.depth - 1);
    this.innermost.children.push(block);
    this.stack.push(block);
    this.extend(this.depth);
  }

  // Ends all blocks below a depth.
  close(depth: number): void {
    while (this.stack.length > depth) {
      const block = this.stack.pop() as MarkdownBlock;
      if (block.type === 'paragraph') this.#endParagraph(block);
      else if (block.type === 'code' && !block.fence) dropBlankEnd(block.lines);
    }
  }

  // The blocks down to a depth reach to the present line.
  extend(depth: number): void {
    for (let index = 0; index < depth; index += 1) (this.stack[index] as MarkdownBlock).lastLine = this.line;
  }

  // How many containers of content there are down to a depth.
  containersDownTo(depth: number): number {
    let count = 0;
    for (let index = 0; index < depth && index < this.stack.length; index += 1) {
      const type = this.stack[index]?.type;
      if (type === 'quote' || type === 'item' || type === 'footnote') count += 1;
    }
    return count;
  }

  // Link reference definitions are no text; a paragraph that held nothing else is removed from its parent.
  #endParagraph(block: MarkdownBlock): void {
    if (block.lines[0]?.startsWith('[')) block.lines = [takeReferences(block.lines.join('\n'), this.references)];
    if (block.lines.every((line) => line.trim() === '')) {
      const siblings = this.innermost.children;
      if (siblings.at(-1) === block) siblings.pop();
    }
  }
}

function dropBlankEnd(lines: string[]): void {
  while (lines.at(-1)?.trim() === '') lines.pop();
}
