// Inline elements → markdown: emphasis, code, links, images, videos.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { absoluteUrl, innerBase, linkTarget } from './addresses.ts';
import { isBlockName, isRemoved, MAX_DEPTH, rawText, tagName } from './elements.ts';
import { codeSpan, escapeText, linkDestination } from './escape.ts';
import { imageOf } from './images.ts';
import { InlineText } from './inline-text.ts';

export interface InlineContext {
  base: string | null;
  // Delimiters of emphasis that are open already: the same one inside would end them.
  delimiters: readonly string[];
  inLink: boolean;
  depth: number;
}

export const DELIMITERS: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const CODE = new Set(['code', 'kbd', 'samp', 'tt']);
// Labels of the link to itself that many sites put into a heading.
const ANCHOR_LABELS = new Set(['#', '¶', '§', '🔗', '']);

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
  else if (DELIMITERS[name]) walkEmphasis(element, DELIMITERS[name], out, context);
  else if (name === 'a') walkLink(element, out, context);
  else if (name === 'br') out.lineBreak();
  else if (name === 'img') out.push(imageText(element, context));
  else if (name === 'iframe' || name === 'video') out.push(videoText(element, context));
  else if (name === 'input') out.push(checkbox(element, out));
  else if (isBlockName(name)) walkBlock(element, out, context);
  else if (name !== 'noscript' || !repeatsImage(element)) walkInline(element.children, out, context);
}

// A block inside a heading or a table cell, where it can only be text with line breaks around it.
function walkBlock(element: Element, out: InlineText, context: InlineContext): void {
  out.lineBreak();
  walkInline(element.children, out, context);
  out.lineBreak();
}

function walkEmphasis(element: Element, delimiter: string, out: InlineText, context: InlineContext): void {
  if (context.delimiters.includes(delimiter)) {
    walkInline(element.children, out, context);
    return;
  }
  const inner = new InlineText();
  walkInline(element.children, inner, { ...context, delimiters: [...context.delimiters, delimiter] });
  out.emphasis(inner.whole(), delimiter);
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
  if (element.attribs.href?.includes('#') && ANCHOR_LABELS.has(label.replaceAll('\\', '').trim())) return;
  out.push(linkText(label, target));
}

// A link in one line. White space around its label is moved out of the link.
export function linkText(label: string, target: string): string {
  const core = label.trim();
  if (core === '') return label.slice(0, 1);
  const before = /^\s/.test(label) ? ' ' : '';
  const after = /\s$/.test(label) ? ' ' : '';
  return `${before}[${core.replace(/\s*\n\s*/g, ' ')}](${linkDestination(target)})${after}`;
}

function imageText(element: Element, { base }: InlineContext): string {
  const image = imageOf(element, base);
  if (image?.isEmoji || (image === null && /\bemoji\b/.test(element.attribs.class ?? ''))) {
    return escapeText(element.attribs.alt ?? '');
  }
  if (image === null || image.isTrackingPixel) return '';
  return `![${escapeText(image.alt, true)}](${linkDestination(image.url)})`;
}

function videoText(element: Element, { base, inLink }: InlineContext): string {
  if (inLink) return '';
  const isFrame = tagName(element) === 'iframe';
  const file = element.attribs.src ?? element.attribs['data-src'] ?? firstSource(element);
  const url = absoluteUrl(file, base);
  const target = url !== null && isFrame ? watchUrl(url) : url;
  return target === null ? '' : `[Video](${linkDestination(target)})`;
}

export function firstSource(element: Element): string | undefined {
  return element.children.find((child): child is Element => isTag(child) && tagName(child) === 'source')?.attribs.src;
}

function checkbox({ attribs }: Element, out: InlineText): string {
  if (attribs.type?.toLowerCase() !== 'checkbox' || !out.isEmpty) return '';
  return attribs.checked === undefined ? '[ ] ' : '[x] ';
}

// Whether a `noscript` element repeats the lazily loaded image before it.
function repeatsImage(element: Element): boolean {
  let before = element.prev;
  while (before && isText(before) && before.data.trim() === '') before = before.prev;
  return before !== null && isTag(before) && ['img', 'picture'].includes(tagName(before));
}

// Embedded players of known video hosts, and the pages that show the same videos.

const ID = '(?<id>[\\w-]{1,64})';
const PLAYERS: readonly [host: RegExp, path: RegExp, watch: (id: string) => string][] = [
  [
    /^(?:www\.|m\.)?youtube(?:-nocookie)?\.com$/,
    path(`/(?:embed|v|shorts)/${ID}`),
    (id) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [/^youtu\.be$/, path(`/${ID}`), (id) => `https://www.youtube.com/watch?v=${id}`],
  [/^player\.vimeo\.com$/, path('/video/(?<id>\\d{1,20})'), (id) => `https://vimeo.com/${id}`],
  [
    /^fast\.wistia\.(?:com|net)$/,
    path(`/embed/(?:iframe|medias)/${ID}`),
    (id) => `https://fast.wistia.net/embed/iframe/${id}`,
  ],
  [/^(?:www\.)?loom\.com$/, path(`/(?:embed|share)/${ID}`), (id) => `https://www.loom.com/share/${id}`],
  [/^(?:www\.)?dailymotion\.com$/, path(`/embed/video/${ID}`), (id) => `https://www.dailymotion.com/video/${id}`],
  [/^play\.vidyard\.com$/, path(`/${ID}`), (id) => `https://share.vidyard.com/watch/${id}`],
];

function path(pattern: string): RegExp {
  return new RegExp(`^${pattern}(?:[/.]|$)`);
}

// The page of the video in an embedded player; null for frames of any other kind.
function watchUrl(frameUrl: string): string | null {
  const url = URL.parse(frameUrl);
  if (url === null) return null;
  const playlist = url.searchParams.get('list');
  if (/youtube/.test(url.hostname) && /^\/embed\/videoseries\/?$/.test(url.pathname)) {
    return playlist ? `https://www.youtube.com/playlist?list=${encodeURIComponent(playlist)}` : null;
  }
  for (const [host, path, watch] of PLAYERS) {
    const id = host.test(url.hostname) ? path.exec(url.pathname)?.groups?.id : undefined;
    if (id) return watch(id);
  }
  return null;
}
