// Elements inside a line: emphasis, code, links, pictures, players.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { absoluteUrl, innerBase, linkTarget } from './addresses.ts';
import { isBlockName, isRemoved, MAX_DEPTH, rawText, tagName } from './elements.ts';
import { codeSpan, escapeText, targetText } from './escape.ts';
import { pictureOf } from './images.ts';
import { InlineText } from './inline-text.ts';
import { watchAddress } from './video-frames.ts';

export interface InlineContext {
  base: string | null;
  // Marks that are already open: a second one inside would end the first.
  marks: readonly string[];
  inLink: boolean;
  depth: number;
}

export const MARKS: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const CODE = new Set(['code', 'kbd', 'samp', 'tt']);
// The link to itself that many sites put into a heading.
const ANCHOR_SIGNS = new Set(['#', '¶', '§', '🔗', '']);

export function walkInline(nodes: readonly ChildNode[], out: InlineText, context: InlineContext): void {
  if (context.depth > MAX_DEPTH) {
    out.text(rawText(nodes), context.inLink);
    return;
  }
  for (const node of nodes) {
    if (isText(node)) out.text(node.data, context.inLink);
    else if (isTag(node) && !isRemoved(node)) {
      walkElement(node, out, { ...context, base: innerBase(node, context.base), depth: context.depth + 1 });
    }
  }
}

function walkElement(element: Element, out: InlineText, context: InlineContext): void {
  const name = tagName(element);
  if (CODE.has(name)) out.push(codeSpan(rawText(element.children)));
  else if (MARKS[name]) walkMarked(element, MARKS[name], out, context);
  else if (name === 'a') walkLink(element, out, context);
  else if (name === 'br') out.lineBreak();
  else if (name === 'img') out.push(pictureText(element, context));
  else if (name === 'iframe' || name === 'video') out.push(playerText(element, context));
  else if (name === 'input') out.push(checkbox(element, out));
  else if (isBlockName(name)) walkBlock(element, out, context);
  else if (name !== 'noscript' || !repeatsPicture(element)) walkInline(element.children, out, context);
}

// Only in headings and cells, where a block has no room for its form.
function walkBlock(element: Element, out: InlineText, context: InlineContext): void {
  out.lineBreak();
  walkInline(element.children, out, context);
  out.lineBreak();
}

function walkMarked(element: Element, mark: string, out: InlineText, context: InlineContext): void {
  if (context.marks.includes(mark)) {
    walkInline(element.children, out, context);
    return;
  }
  const inner = new InlineText();
  walkInline(element.children, inner, { ...context, marks: [...context.marks, mark] });
  out.marked(inner.whole(), mark);
}

function walkLink(element: Element, out: InlineText, context: InlineContext): void {
  const target = context.inLink ? null : linkTarget(element.attribs.href, context.base);
  if (target === null) {
    walkInline(element.children, out, context);
    return;
  }
  const inner = new InlineText();
  walkInline(element.children, inner, { ...context, inLink: true });
  const label = inner.whole();
  if (element.attribs.href?.includes('#') && ANCHOR_SIGNS.has(label.replaceAll('\\', '').trim())) return;
  out.push(linked(label, target));
}

// The label's outer space stays outside of the link, and a link is one line.
export function linked(label: string, target: string): string {
  const core = label.trim();
  if (core === '') return label.slice(0, 1);
  const before = /^\s/.test(label) ? ' ' : '';
  const after = /\s$/.test(label) ? ' ' : '';
  return `${before}[${core.replace(/\s*\n\s*/g, ' ')}](${targetText(target)})${after}`;
}

function pictureText(element: Element, { base }: InlineContext): string {
  const picture = pictureOf(element, base);
  if (picture?.isEmoji || (picture === null && /\bemoji\b/.test(element.attribs.class ?? ''))) {
    return escapeText(element.attribs.alt ?? '');
  }
  if (picture === null || picture.isPixel) return '';
  return `![${escapeText(picture.alt, true)}](${targetText(picture.url)})`;
}

function playerText(element: Element, { base, inLink }: InlineContext): string {
  if (inLink) return '';
  const isFrame = tagName(element) === 'iframe';
  const file = element.attribs.src ?? element.attribs['data-src'] ?? firstSource(element);
  const url = absoluteUrl(file, base);
  const target = url !== null && isFrame ? watchAddress(url) : url;
  return target === null ? '' : `[Video](${targetText(target)})`;
}

export function firstSource(element: Element): string | undefined {
  return element.children.find((child): child is Element => isTag(child) && tagName(child) === 'source')?.attribs.src;
}

function checkbox({ attribs }: Element, out: InlineText): string {
  if (attribs.type?.toLowerCase() !== 'checkbox' || !out.isEmpty) return '';
  return attribs.checked === undefined ? '[ ] ' : '[x] ';
}

// A `noscript` element that repeats the lazy image before it.
function repeatsPicture(element: Element): boolean {
  let before = element.prev;
  while (before && isText(before) && before.data.trim() === '') before = before.prev;
  return before !== null && isTag(before) && ['img', 'picture'].includes(tagName(before));
}
