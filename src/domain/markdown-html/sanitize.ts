// Sanitizes HTML by an allow list of elements, attributes and URLs. Of other elements the text remains, or nothing at all.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { parseHtml } from '../html/parse.ts';
import { escapeHtml } from './escape.ts';
import { Anchors, HEADING, slugOf, textOf, topHeadingLevel } from './heading-anchors.ts';
import { highlightCode } from './highlight-code.ts';
import { repositoryText } from './repository-links.ts';
import { attributesHtml, safeMediaUrl, type UrlBases } from './safe-attributes.ts';

const ELEMENTS = new Set(
  `p br hr h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code kbd samp em strong del ins sub sup a img picture
  source video table caption thead tbody tfoot tr th td details summary figure figcaption abbr span`.split(/\s+/),
);
const SYNONYMS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del', tt: 'code' };
const VOID = new Set(['br', 'hr', 'img', 'source']);
// Elements that are removed with their content.
const REMOVED = new Set(
  'script style template iframe object embed noscript svg math head title textarea select'.split(' '),
);
// Elements whose text is no prose, so that mentions in it are no links.
const LITERAL = new Set(['a', 'pre', 'code', 'kbd', 'samp']);
const ALERTS = new Set(['note', 'tip', 'important', 'warning', 'caution']);
// Elements that are nested deeper leave their text.
const DEEPEST = 100;
// The page around the text has the only `h1`.
const FIRST_LEVEL = 2;

interface SanitizeOptions extends UrlBases {
  // `owner/repo`, where the text is from a repository.
  repository: string | null;
  // Writes classes, anchors and syntax highlighting, which a feed for example has no styles for.
  isPage: boolean;
  // The prefix of all anchors.
  prefix: string;
}

export interface RenderedText {
  html: string;
  // The headings of the first level with their anchors, and those of the second below them.
  headings: RenderedHeading[];
}

interface RenderedHeading {
  id: string;
  name: string;
  parts: { id: string; name: string }[];
}

// The work is linear in the length of the text, whatever it holds, because the parser bounds the depth of the tree.
export function sanitizeHtml(html: string, options: SanitizeOptions): RenderedText {
  const { children } = parseHtml(html);
  const writer = new SafeWriter(options, topHeadingLevel(children) ?? FIRST_LEVEL);
  writer.write(children, { depth: 0, literal: false });
  return { html: writer.out.join(''), headings: writer.headings };
}

interface ElementContext {
  depth: number;
  literal: boolean;
}

class SafeWriter {
  readonly out: string[] = [];
  readonly headings: RenderedText['headings'] = [];
  readonly #options: SanitizeOptions;
  // Added to the level of every heading.
  readonly #shift: number;
  readonly #anchors: Anchors;

  constructor(options: SanitizeOptions, top: number) {
    this.#options = options;
    this.#shift = FIRST_LEVEL - top;
    this.#anchors = new Anchors(options.prefix);
  }

  write(nodes: readonly ChildNode[], context: ElementContext): void {
    for (const node of nodes) {
      if (isText(node)) this.#text(node.data, context);
      else if (isTag(node) && !REMOVED.has(node.name)) this.#element(node, context);
    }
  }

  #text(text: string, { literal }: ElementContext): void {
    const { repository } = this.#options;
    this.out.push(repository === null || literal ? escapeHtml(text) : repositoryText(text, repository));
  }

  #element(node: Element, context: ElementContext): void {
    const { isPage } = this.#options;
    const element = HEADING.test(node.name) ? this.#headingName(node.name) : (SYNONYMS[node.name] ?? node.name);
    const { attribs } = node;
    const isWritten = ELEMENTS.has(element) && context.depth < DEEPEST && this.#isAllowed(element, attribs);
    const inner = {
      depth: isWritten ? context.depth + 1 : context.depth,
      literal: context.literal || (isWritten && LITERAL.has(element)),
    };
    if (!isWritten) {
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
    this.out.push(`<${element}${attributesHtml(element, attribs, this.#options)}${isNote ? this.#noteId(note) : ''}>`);
    if (VOID.has(element)) return;
    this.write(node.children, inner);
    if (isNote) this.out.push(` <a class="back" href="#${this.#anchors.first(`ref-${note}`)}" aria-label="Back">↩</a>`);
    this.out.push(`</${element}>`);
  }

  #headingName(name: string): string {
    return `h${Math.min(6, Math.max(FIRST_LEVEL, Number(name[1]) + this.#shift))}`;
  }

  #heading(element: string, node: Element, inner: ElementContext): void {
    const name = textOf(node).replaceAll(/\s+/g, ' ').trim();
    const id = this.#anchors.next(slugOf(name));
    if (element === `h${FIRST_LEVEL}`) this.headings.push({ id, name, parts: [] });
    else if (element === `h${FIRST_LEVEL + 1}`) this.headings.at(-1)?.parts.push({ id, name });
    this.out.push(`<${element} id="${id}">`);
    this.write(node.children, inner);
    this.out.push(`<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(name)}">#</a></${element}>`);
  }

  #noteId(note: string): string {
    return ` id="${this.#anchors.next(`note-${note}`)}"`;
  }

  #noteReference(note: string): void {
    const id = this.#anchors.next(`ref-${note}`);
    const to = this.#anchors.first(`note-${note}`);
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

  // Wide code scrolls by itself, so that it has to be reachable by keyboard.
  #code(node: Element, inner: ElementContext): void {
    const [only, ...others] = node.children;
    const isCode = only && others.length === 0 && isTag(only) && only.name === 'code';
    const language = isCode ? (only.attribs['data-language'] ?? '') : '';
    const highlighted = language === '' || !isCode ? null : highlightCode(textOf(only), language);
    this.out.push('<pre tabindex="0">');
    if (highlighted === null) this.write(node.children, inner);
    else this.out.push(`<code>${highlighted}</code>`);
    this.out.push('</pre>');
  }

  #table(node: Element, inner: ElementContext): void {
    this.out.push(
      '<div class="scroll" tabindex="0">',
      `<table${attributesHtml('table', node.attribs, this.#options)}>`,
    );
    this.write(node.children, inner);
    this.out.push('</table></div>');
  }

  // An image without a URL, or with an unsafe one, is left out.
  #isAllowed(element: string, attributes: Record<string, string>): boolean {
    return element !== 'img' || safeMediaUrl(attributes.src ?? '', this.#options.media) !== null;
  }
}
