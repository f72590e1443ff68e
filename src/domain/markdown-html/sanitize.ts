// Sanitizes HTML by an allow list of elements, attributes and addresses. Other elements leave their text, or nothing at all.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { parseHtml } from '../html/parse.ts';
import { escapeHtml } from './escape.ts';
import { highlightCode } from './highlight-code.ts';
import { repositoryText } from './repository-links.ts';

const ELEMENTS = new Set(
  `p br hr h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code kbd samp em strong del ins sub sup a img picture
  source video table caption thead tbody tfoot tr th td details summary figure figcaption abbr span`.split(/\s+/),
);
const SAME_AS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del', tt: 'code' };
const ATTRIBUTES = new Set(
  'href src srcset alt title width height colspan rowspan start open lang dir controls poster'.split(' '),
);
const VOID = new Set(['br', 'hr', 'img', 'source']);
// Elements whose text is not shown.
const SILENT = new Set(
  'script style template iframe object embed noscript svg math head title textarea select'.split(' '),
);
const MEDIA = new Set(['img', 'source', 'video']);
// Elements whose text is no prose, so that no links are made in it.
const VERBATIM = new Set(['a', 'pre', 'code', 'kbd', 'samp']);
const ALERTS = new Set(['note', 'tip', 'important', 'warning', 'caution']);
const DEEPEST = 100;
const HEADING = /^h[1-6]$/;
// The heading level of the page around the text.
const FIRST_LEVEL = 2;

interface SanitizeOptions {
  // What relative addresses are relative to; null: they are dropped.
  links: string | null;
  media: string | null;
  // `owner/repo`, where the text is from a repository.
  repository: string | null;
  // Classes, anchors and colours of code; without it the text stands anywhere, a feed for example.
  isPage: boolean;
  // The prefix of all anchors.
  prefix: string;
}

export interface RenderedText {
  html: string;
  // Those of the first level that have an anchor.
  headings: { id: string; name: string }[];
}

// Linear in the length of the text, whatever it holds: the tree of strangers' markup is never deep.
export function sanitizeHtml(html: string, options: SanitizeOptions): RenderedText {
  const { children } = parseHtml(html);
  const writer = new SafeWriter(options, topLevel(children));
  writer.write(children, { depth: 0, verbatim: false });
  return { html: writer.out.join(''), headings: writer.headings };
}

interface ElementContext {
  depth: number;
  verbatim: boolean;
}

class SafeWriter {
  readonly out: string[] = [];
  readonly headings: RenderedText['headings'] = [];
  readonly #options: SanitizeOptions;
  // Added to the level of every heading.
  readonly #shift: number;
  readonly #anchors = new Map<string, number>();

  constructor(options: SanitizeOptions, top: number) {
    this.#options = options;
    this.#shift = FIRST_LEVEL - top;
  }

  write(nodes: readonly ChildNode[], context: ElementContext): void {
    for (const node of nodes) {
      if (isText(node)) this.#text(node.data, context);
      else if (isTag(node) && !SILENT.has(node.name)) this.#element(node, context);
    }
  }

  #text(text: string, { verbatim }: ElementContext): void {
    const { repository } = this.#options;
    this.out.push(repository === null || verbatim ? escapeHtml(text) : repositoryText(text, repository));
  }

  #element(node: Element, context: ElementContext): void {
    const { isPage } = this.#options;
    const element = HEADING.test(node.name) ? this.#headingName(node.name) : (SAME_AS[node.name] ?? node.name);
    const { attribs } = node;
    const stays = ELEMENTS.has(element) && context.depth < DEEPEST && this.#mayStand(element, attribs);
    const inner = {
      depth: stays ? context.depth + 1 : context.depth,
      verbatim: context.verbatim || (stays && VERBATIM.has(element)),
    };
    if (!stays) {
      if (!VOID.has(element)) this.write(node.children, inner);
    } else if (element === 'blockquote' && ALERTS.has(attribs['data-alert'] ?? '')) this.#alert(node, inner);
    else if (isPage && HEADING.test(element)) this.#heading(element, node, inner);
    else if (isPage && element === 'pre') this.#code(node, inner);
    else if (isPage && element === 'table') this.#table(node, inner);
    else this.#plain(element, node, inner);
  }

  #plain(element: string, node: Element, inner: ElementContext): void {
    const { attribs } = node;
    const note = /^\d{1,4}$/.exec(attribs['data-note-ref'] ?? attribs['data-note'] ?? '')?.[0];
    const isNote = this.#options.isPage && note !== undefined;
    if (isNote && element === 'sup') {
      this.#noteReference(note);
      return;
    }
    this.out.push(`<${element}${this.#attributes(element, attribs)}${isNote ? this.#noteId(note) : ''}>`);
    if (VOID.has(element)) return;
    this.write(node.children, inner);
    if (isNote) this.out.push(` <a class="back" href="#${this.#prefix}ref-${note}" aria-label="Back">↩</a>`);
    this.out.push(`</${element}>`);
  }

  get #prefix(): string {
    return this.#options.prefix;
  }

  #headingName(name: string): string {
    return `h${Math.min(6, Math.max(FIRST_LEVEL, Number(name[1]) + this.#shift))}`;
  }

  #heading(element: string, node: Element, inner: ElementContext): void {
    const name = textOf(node).replaceAll(/\s+/g, ' ').trim();
    const id = this.#anchor(slugOf(name));
    if (element === `h${FIRST_LEVEL}`) this.headings.push({ id, name });
    this.out.push(`<${element} id="${id}">`);
    this.write(node.children, inner);
    this.out.push(`<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(name)}">#</a></${element}>`);
  }

  #anchor(slug: string): string {
    const count = (this.#anchors.get(slug) ?? 0) + 1;
    this.#anchors.set(slug, count);
    return `${this.#prefix}${slug}${count === 1 ? '' : `-${count}`}`;
  }

  #noteId(note: string): string {
    return ` id="${this.#anchor(`note-${note}`)}"`;
  }

  #noteReference(note: string): void {
    const id = this.#anchor(`ref-${note}`);
    const to = `${this.#prefix}note-${note}`;
    this.out.push(`<sup id="${id}"><a href="#${to}" aria-label="Note ${note}">${note}</a></sup>`);
  }

  #alert(node: Element, inner: ElementContext): void {
    const kind = node.attribs['data-alert'] ?? '';
    const word = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
    const [open, close] = this.#options.isPage
      ? [`<div class="alert ${kind}" role="note"><p class="t">${word}</p>`, '</div>']
      : [`<blockquote>\n<p><strong>${word}</strong></p>`, '</blockquote>'];
    this.out.push(open);
    this.write(node.children, inner);
    this.out.push(close);
  }

  // Wide code scrolls by itself, so that the keyboard has to reach it.
  #code(node: Element, inner: ElementContext): void {
    const [only, ...others] = node.children;
    const isCode = only && others.length === 0 && isTag(only) && only.name === 'code';
    const language = isCode ? (only.attribs['data-language'] ?? '') : '';
    const marked = language === '' || !isCode ? null : highlightCode(textOf(only), language);
    this.out.push('<pre tabindex="0">');
    if (marked === null) this.write(node.children, inner);
    else this.out.push(`<code>${marked}</code>`);
    this.out.push('</pre>');
  }

  #table(node: Element, inner: ElementContext): void {
    this.out.push('<div class="scroll" tabindex="0">', `<table${this.#attributes('table', node.attribs)}>`);
    this.write(node.children, inner);
    this.out.push('</table></div>');
  }

  // An image without an address, or with an unsafe one, is left out.
  #mayStand(element: string, attributes: Record<string, string>): boolean {
    return element !== 'img' || safeAddress(attributes.src ?? '', this.#options.media, true) !== null;
  }

  #attributes(element: string, attributes: Record<string, string>): string {
    let text = '';
    for (const [name, value] of Object.entries(attributes)) {
      const safe = ATTRIBUTES.has(name) ? this.#safeValue(element, name, value) : null;
      if (safe !== null) text += ` ${name}="${escapeHtml(safe)}"`;
    }
    if (element === 'a') text += ' rel="nofollow ugc noopener noreferrer"';
    if (element === 'img') {
      if (!('alt' in attributes)) text += ' alt=""';
      text += ' loading="lazy" decoding="async" referrerpolicy="no-referrer"';
    }
    if (element === 'video') text += ' preload="none"';
    return text;
  }

  #safeValue(element: string, name: string, value: string): string | null {
    const { links, media } = this.#options;
    if (name === 'href') return element === 'a' ? safeAddress(value, links, false) : null;
    if (name === 'src' || name === 'poster') return MEDIA.has(element) ? safeAddress(value, media, true) : null;
    if (name === 'srcset') return MEDIA.has(element) ? safeSourceSet(value, media) : null;
    return value;
  }
}

// The highest level that a heading of the text has.
function topLevel(nodes: readonly ChildNode[]): number {
  let top = 6;
  let found = false;
  const walk = (list: readonly ChildNode[]): void => {
    for (const node of list) {
      if (!isTag(node)) continue;
      if (HEADING.test(node.name)) {
        top = Math.min(top, Number(node.name[1]));
        found = true;
      }
      walk(node.children);
    }
  };
  walk(nodes);
  return found ? top : FIRST_LEVEL;
}

function textOf(node: Element): string {
  return node.children.map((child) => (isText(child) ? child.data : isTag(child) ? textOf(child) : '')).join('');
}

function slugOf(text: string): string {
  const slug = text
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return slug || 'section';
}

function safeSourceSet(value: string, base: string | null): string | null {
  const allowed = value.split(',').flatMap((part) => {
    const [address = '', size = ''] = part.trim().split(/\s+/);
    const safe = safeAddress(address, base, true);
    return safe === null ? [] : [size === '' ? safe : `${safe} ${size}`];
  });
  return allowed.length === 0 ? null : allowed.join(', ');
}

function safeAddress(value: string, base: string | null, media: boolean): string | null {
  let url: URL;
  try {
    url = base === null ? new URL(value) : new URL(value, base);
  } catch {
    return null;
  }
  const allowed = media ? ['https:'] : ['https:', 'http:', 'mailto:'];
  return allowed.includes(url.protocol) ? url.href : null;
}
