// Walks a tree and writes its blocks as markdown.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { innerBase, linkTarget } from './addresses.ts';
import { fenceLines } from './code-block.ts';
import { inlineWithBlocks, isBlockName, isRemoved, MAX_DEPTH, rawText, tagName } from './elements.ts';
import { escapeLineStart } from './escape.ts';
import { type InlineContext, linked, MARKS, walkInline } from './inline.ts';
import { InlineText } from './inline-text.ts';
import { dataRows, tableLines } from './tables.ts';
import { MarkdownWriter } from './writer.ts';

export function writeBlocks(nodes: readonly ChildNode[], base: string | null, limit: number): string {
  const walk = new BlockWalk(inlineWithBlocks(nodes), limit);
  walk.nodes(nodes, { base, marks: [], inLink: false, depth: 0 });
  walk.flush();
  return walk.writer.toString();
}

const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);
const ROWS = new Set(['tr', 'thead', 'tbody', 'tfoot', 'colgroup', 'col']);

type Decorate = (text: string) => string;

class BlockWalk {
  readonly writer: MarkdownWriter;
  private readonly holdsBlocks: ReadonlySet<Element>;
  private readonly line = new InlineText();
  // Links and emphasis around whole blocks: each paragraph inside gets its own.
  private around: Decorate[] = [];
  private gap = true;
  // Whether the innermost list is tight.
  private tight = false;

  constructor(holdsBlocks: ReadonlySet<Element>, limit: number) {
    this.writer = new MarkdownWriter(limit);
    this.holdsBlocks = holdsBlocks;
  }

  nodes(nodes: readonly ChildNode[], context: InlineContext): void {
    if (context.depth > MAX_DEPTH) {
      this.line.text(rawText(nodes), context.inLink);
      return;
    }
    for (const node of nodes) {
      if (this.writer.isFull) return;
      if (isText(node)) this.line.text(node.data, context.inLink);
      else if (isTag(node) && !isRemoved(node)) this.element(node, context);
    }
  }

  flush(): void {
    for (const lines of this.line.take()) {
      // Two spaces force the line break.
      this.write(
        this.decorate(lines.join('\n'))
          .split('\n')
          .map((line, at, all) => escapeLineStart(line.trim()) + (at < all.length - 1 ? '  ' : '')),
      );
    }
  }

  private element(element: Element, context: InlineContext): void {
    const name = tagName(element);
    const inner = { ...context, base: innerBase(element, context.base), depth: context.depth + 1 };
    if (isBlockName(name)) {
      this.flush();
      this.block(name, element, inner);
      this.flush();
    } else if (this.holdsBlocks.has(element)) {
      this.flush();
      this.decorated(name, element, inner);
    } else {
      walkInline([element], this.line, context);
    }
  }

  private block(name: string, element: Element, context: InlineContext): void {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level) this.heading(Number(level), element, context);
    else if (name === 'pre') this.write(fenceLines(element));
    else if (name === 'hr') this.write(['---']);
    else if (LISTS.has(name)) this.list(element, context);
    // A list item that no list holds.
    else if (name === 'li') this.item('- ', element, context);
    else if (name === 'blockquote') this.quote(element, context);
    else if (name === 'table') this.table(element, context);
    else if (name === 'dt' || name === 'summary') this.decorated('strong', element, context);
    else this.nodes(element.children, context);
  }

  private heading(level: number, element: Element, context: InlineContext): void {
    const text = this.inlineText(element.children, context)
      .replace(/\s*\n\s*/g, ' ')
      .trim();
    // A number sign at the end would be taken for the end of the heading.
    const line = this.decorate(text).replace(/(?<= )#+$/, (signs) => `\\${signs}`);
    if (text !== '') this.write([`${'#'.repeat(level)} ${line}`]);
  }

  private list(element: Element, context: InlineContext): void {
    const outer = this.tight;
    const items = element.children.filter((child): child is Element => isTag(child) && tagName(child) === 'li');
    const isTight = items.every((item) => paragraphsOf(item) < 2);
    if (outer) this.gap = false;
    this.tight = isTight;
    let number = startOf(element);
    for (const child of element.children) {
      if (this.writer.isFull) break;
      if (!isTag(child) || isRemoved(child) || tagName(child) !== 'li') {
        // The element is invalid here, but its content is written.
        this.nodes([child], context);
        if (!this.line.isEmpty) this.gap = true;
        continue;
      }
      this.flush();
      const inner = { ...context, base: innerBase(child, context.base), depth: context.depth + 1 };
      this.item(number === null ? '- ' : `${number}. `, child, inner);
      if (number !== null) number += 1;
      if (isTight) this.gap = false;
    }
    this.flush();
    this.tight = outer;
    this.gap = true;
  }

  private item(marker: string, element: Element, context: InlineContext): void {
    this.writer.inside(marker, ' '.repeat(marker.length), () => {
      this.nodes(element.children, context);
      this.flush();
    });
  }

  private quote(element: Element, context: InlineContext): void {
    const outer = this.tight;
    this.tight = false;
    this.writer.inside('> ', '> ', () => {
      this.nodes(element.children, context);
      this.flush();
    });
    this.tight = outer;
  }

  private table(element: Element, context: InlineContext): void {
    const rows = dataRows(element);
    if (rows === null) {
      this.nodes(element.children, context);
      return;
    }
    // The caption, and what is written between the rows, come before.
    for (const child of element.children) if (!isTag(child) || !ROWS.has(tagName(child))) this.nodes([child], context);
    this.flush();
    const cellText = (cell: Element) => cellLine(this.inlineText(cell.children, context));
    this.write(tableLines(rows, cellText));
  }

  // Blocks inside a heading or a cell become inline text in their order.
  private inlineText(nodes: readonly ChildNode[], context: InlineContext): string {
    const text = new InlineText();
    walkInline(nodes, text, context);
    return text.whole().trim();
  }

  private decorated(name: string, element: Element, context: InlineContext): void {
    const mark = MARKS[name];
    const target = name === 'a' && !context.inLink ? linkTarget(element.attribs.href, context.base) : null;
    const outer = this.around;
    if (mark && !context.marks.includes(mark)) {
      this.around = [...outer, (text) => markedText(text, mark)];
      this.nodes(element.children, { ...context, marks: [...context.marks, mark] });
    } else if (target !== null) {
      this.around = [...outer, (text) => linked(text, target)];
      this.nodes(element.children, { ...context, inLink: true });
    } else {
      this.nodes(element.children, context);
    }
    this.flush();
    this.around = outer;
  }

  private decorate(text: string): string {
    return this.around.reduceRight((inner, decorate) => decorate(inner), text);
  }

  private write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.writer.block(lines, this.gap);
    this.gap = true;
  }
}

function markedText(text: string, mark: string): string {
  const inner = new InlineText();
  inner.marked(text, mark);
  return inner.whole();
}

function cellLine(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/\n+/g, '<br>');
}

function paragraphsOf(item: Element): number {
  return item.children.filter((child) => isTag(child) && tagName(child) === 'p').length;
}

function startOf(list: Element): number | null {
  if (tagName(list) !== 'ol') return null;
  const start = Number.parseInt(list.attribs.start ?? '1', 10);
  return start >= 0 && start < 1_000_000 ? start : 1;
}
