// What may begin with `<` inside of text: an autolink, an HTML tag, a comment, a processing instruction, a declaration.
import { escapeHtml, escapeUrl } from './escape.ts';

const URI_AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,4000})>/iy;
const EMAIL_AUTOLINK = /<([\w.!#$%&'*+/=?^`{|}~-]{1,128}@[a-z0-9](?:[a-z0-9.-]{0,253}))>/iy;
const TAG =
  /<(?:\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>/iy;
// A longer tag is text, so that an unclosed `<` does not make every search run to the end.
const MAX_TAG = 4_000;
const DELIMITED: readonly { begin: string; end: string }[] = [
  { begin: '<!--', end: '-->' },
  { begin: '<?', end: '?>' },
  { begin: '<![CDATA[', end: ']]>' },
  { begin: '<!', end: '>' },
];

interface InlineHtmlSpan {
  html: string;
  end: number;
}

export class InlineHtml {
  readonly #text: string;
  // Ends that the rest of the text does not hold, so that nothing looks for them again.
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  at(start: number): InlineHtmlSpan | null {
    for (const { begin, end } of DELIMITED)
      if (this.#text.startsWith(begin, start)) return this.#delimited(start, begin, end);
    const window = this.#text.slice(start, start + MAX_TAG);
    return (
      autolinkIn(window, start, URI_AUTOLINK, '') ??
      autolinkIn(window, start, EMAIL_AUTOLINK, 'mailto:') ??
      tagIn(window, start)
    );
  }

  #delimited(start: number, begin: string, end: string): InlineHtmlSpan | null {
    if (this.#missing.has(end)) return null;
    const found = this.#text.indexOf(end, start + begin.length - (begin === '<!--' ? 2 : 0));
    if (found < 0) {
      this.#missing.add(end);
      return null;
    }
    return { html: this.#text.slice(start, found + end.length), end: found + end.length };
  }
}

function autolinkIn(window: string, start: number, pattern: RegExp, scheme: string): InlineHtmlSpan | null {
  pattern.lastIndex = 0;
  const match = pattern.exec(window);
  if (!match) return null;
  const target = match[1] as string;
  return { html: `<a href="${scheme}${escapeUrl(target)}">${escapeHtml(target)}</a>`, end: start + match[0].length };
}

function tagIn(window: string, start: number): InlineHtmlSpan | null {
  TAG.lastIndex = 0;
  const match = TAG.exec(window);
  return match ? { html: match[0], end: start + match[0].length } : null;
}
