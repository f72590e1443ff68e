// Block elements → markdown: headings, lists, block quotes, code, tables and paragraphs.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { innerBase, linkTarget } from './addresses.ts';
import { elementsOf, inlineWithBlocks, isBlockName, isRemoved, MAX_DEPTH, rawText, tagName } from './elements.ts';
import { backticksAround, escapeLineStart } from './escape.ts';
import { DELIMITERS, type InlineContext, linkText, walkInline } from './inline.ts';
import { InlineText } from './inline-text.ts';
import { dataRows, tableLines } from './tables.ts';
import { MarkdownWriter } from './writer.ts';

// Code blocks: a `pre` element → fenced code.

const LANGUAGE = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,40})(?=\s|$)/i;
const NOT_CODE = new Set(['script', 'style', 'template', 'button']);
// Syntax highlighters wrap the block in elements of their own, which may have the class with the language.
const WRAPPERS = 3;

// The lines of the fenced code. The language is taken from the classes of the elements.
function fencedCode(element: Element): string[] {
  // A line end directly behind the opening tag is no part of the content in HTML, and one at the end is written with the
  // fence.
  const code = rawText(element.children, (child) => NOT_CODE.has(tagName(child)))
    .replace(/\r\n?/g, '\n')
    .replace(/^\n/, '')
    .replace(/\n$/, '');
  if (code.trim() === '') return [];
  const fence = backticksAround(code, 3);
  return [fence + languageOf(element), ...code.split('\n'), fence];
}

function languageOf(element: Element): string {
  for (const inner of elementsOf([element])) {
    const language = languageIn(inner);
    if (language) return language;
    if (tagName(inner) === 'code') break;
  }
  let up = element.parent;
  for (let level = 0; level < WRAPPERS && up && isTag(up); level += 1, up = up.parent) {
    const language = languageIn(up);
    if (language) return language;
  }
  return '';
}

function languageIn({ attribs }: Element): string | undefined {
  return LANGUAGE.exec((attribs.class ?? '').slice(0, 500))?.[1]?.toLowerCase();
}

export function writeBlocks(nodes: readonly ChildNode[], base: string | null, limit: number): string {
  const walk = new BlockWalk(inlineWithBlocks(nodes), limit);
  walk.nodes(nodes, { base, delimiters: [], inLink: false, depth: 0 });
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
  // Links and emphasis around whole blocks. They cannot span blocks in markdown, so that each paragraph gets its own.
  private around: Decorate[] = [];
  // The next block is separated by a blank line.
  private gap = true;
  // The innermost list is tight.
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
      // Two spaces at the end of a line make a hard line break.
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
    else if (name === 'pre') this.write(fencedCode(element));
    else if (name === 'hr') this.write(['---']);
    else if (LISTS.has(name)) this.list(element, context);
    // A list item outside of a list.
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
    // Number signs at the end would be taken for a closing sequence.
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
        // HTML allows nothing but items here; the content of other elements is written all the same.
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
    // The caption, and text between the rows, are written before the table.
    for (const child of element.children) if (!isTag(child) || !ROWS.has(tagName(child))) this.nodes([child], context);
    this.flush();
    const cellText = (cell: Element) => cellLine(this.inlineText(cell.children, context));
    this.write(tableLines(rows, cellText));
  }

  // The text of a heading or a cell, in which blocks are only text.
  private inlineText(nodes: readonly ChildNode[], context: InlineContext): string {
    const text = new InlineText();
    walkInline(nodes, text, context);
    return text.whole().trim();
  }

  private decorated(name: string, element: Element, context: InlineContext): void {
    const delimiter = DELIMITERS[name];
    const target = name === 'a' && !context.inLink ? linkTarget(element.attribs.href, context.base) : null;
    const outer = this.around;
    if (delimiter && !context.delimiters.includes(delimiter)) {
      this.around = [...outer, (text) => emphasis(text, delimiter)];
      this.nodes(element.children, { ...context, delimiters: [...context.delimiters, delimiter] });
    } else if (target !== null) {
      this.around = [...outer, (text) => linkText(text, target)];
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

function emphasis(text: string, delimiter: string): string {
  const inner = new InlineText();
  inner.emphasis(text, delimiter);
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
