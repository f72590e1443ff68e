// A tree of blocks → HTML, which still has to be sanitized: raw HTML of the markdown passes through.
import { isTight, type MarkdownBlock } from '../markdown/block-tree.ts';
import type { Definitions } from '../markdown/definitions.ts';
import { tableHtml } from '../markdown/tables.ts';
import { escapeHtml } from './escape.ts';
import { parseInlines } from './parse-inlines.ts';

export function blocksHtml(document: MarkdownBlock, definitions: Definitions): string {
  const out: string[] = [];
  const writer: HtmlWriter = { out, definitions, tight: false };
  writeAll(document.children, writer);
  writeFootnotes(writer);
  return out.join('');
}

interface HtmlWriter {
  out: string[];
  definitions: Definitions;
  // Paragraphs of a tight list have no element of their own.
  tight: boolean;
}

// Attributes that begin with `data-` are instructions for the sanitizer, which removes all of them.
function writeFootnotes(writer: HtmlWriter): void {
  const { out, definitions } = writer;
  const { footnotes } = definitions;
  for (let number = 1, note = footnotes.numbered(1); note; number += 1, note = footnotes.numbered(number)) {
    out.push(number === 1 ? '<hr /><ol>\n' : '', `<li data-note="${number}">`);
    writeAll(note.children, writer);
    out.push('</li>\n');
  }
  if (footnotes.numbered(1)) out.push('</ol>\n');
}

function writeAll(blocks: readonly MarkdownBlock[], writer: HtmlWriter): void {
  for (const block of blocks) write(block, writer);
}

function write(block: MarkdownBlock, writer: HtmlWriter): void {
  const { out, definitions } = writer;
  const inline = (text: string) => parseInlines(text, definitions);
  switch (block.type) {
    case 'paragraph':
      out.push(writer.tight ? inline(textOf(block)) : `<p>${inline(textOf(block))}</p>\n`);
      return;
    case 'heading':
      out.push(`<h${block.level}>${inline(textOf(block))}</h${block.level}>\n`);
      return;
    case 'code':
      out.push(
        `<pre><code${languageAttribute(block)}>${escapeHtml(block.lines.map((line) => `${line}\n`).join(''))}</code></pre>\n`,
      );
      return;
    case 'html':
      out.push(`${block.lines.join('\n')}\n`);
      return;
    case 'thematic-break':
      out.push('<hr />\n');
      return;
    case 'table':
      if (block.table) out.push(tableHtml(block.table, inline));
      return;
    case 'quote':
      out.push(`<blockquote${alertAttribute(block)}>\n`);
      writeAll(block.children, { ...writer, tight: false });
      out.push('</blockquote>\n');
      return;
    case 'list':
      writeList(block, writer);
      return;
  }
}

function languageAttribute({ fence }: MarkdownBlock): string {
  const name = /^[\w+#.-]{1,30}/.exec(fence?.info ?? '')?.[0];
  return name === undefined ? '' : ` data-language="${escapeHtml(name)}"`;
}

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

// A block quote that begins with `[!NOTE]` or another kind is an alert; the kind is removed from its text.
function alertAttribute({ children }: MarkdownBlock): string {
  const [first] = children;
  const text = first?.type === 'paragraph' ? textOf(first) : '';
  const opening = ALERT.exec(text);
  if (!first || !opening) return '';
  first.lines = [text.slice(opening[0].length)];
  if (first.lines[0]?.trim() === '') children.shift();
  return ` data-alert="${(opening[1] ?? '').toLowerCase()}"`;
}

function writeList(list: MarkdownBlock, writer: HtmlWriter): void {
  const { out } = writer;
  const { ordered = false, start = 1 } = list.marker ?? {};
  const element = ordered ? 'ol' : 'ul';
  out.push(ordered && start !== 1 ? `<ol start="${start}">\n` : `<${element}>\n`);
  const tight = isTight(list);
  for (const item of list.children) writeItem(item, { ...writer, tight });
  out.push(`</${element}>\n`);
}

function writeItem(item: MarkdownBlock, writer: HtmlWriter): void {
  const { out, tight } = writer;
  out.push('<li>');
  writeTaskBox(item);
  for (const [index, block] of item.children.entries()) {
    const isBare = tight && block.type === 'paragraph';
    if (!isBare && (index === 0 || (tight && item.children[index - 1]?.type === 'paragraph'))) out.push('\n');
    write(block, writer);
    if (isBare && index < item.children.length - 1 && item.children[index + 1]?.type === 'paragraph') out.push('\n');
  }
  out.push('</li>\n');
}

// The sanitizer allows no form elements, so that the box of a task list item becomes a character.
function writeTaskBox(item: MarkdownBlock): void {
  const [first] = item.children;
  if (first?.type !== 'paragraph' || first.lines.length === 0) return;
  const [line = ''] = first.lines;
  const box = /^\[([ xX])\](?=[ \t]+\S)/.exec(line);
  if (box) first.lines[0] = `${box[1] === ' ' ? '☐' : '☑'}${line.slice(3)}`;
}

function textOf(block: MarkdownBlock): string {
  return block.lines.join('\n');
}
