// What begins with `<` inside text: an address in angle brackets, a tag, a comment and its like.
import { escapeHtml } from './escape.ts';
import { addressHtml } from './inline-pieces.ts';

const ADDRESS = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,4000})>/iy;
const MAIL = /<([\w.!#$%&'*+/=?^`{|}~-]{1,128}@[a-z0-9](?:[a-z0-9.-]{0,253}))>/iy;
const TAG =
  /<(?:\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>/iy;
// A tag that is longer is text.
const MAX_TAG = 4_000;
const SPANS: readonly { begin: string; end: string }[] = [
  { begin: '<!--', end: '-->' },
  { begin: '<?', end: '?>' },
  { begin: '<![CDATA[', end: ']]>' },
  { begin: '<!', end: '>' },
];

interface FoundHtml {
  html: string;
  end: number;
}

export class InlineHtml {
  readonly #text: string;
  // Ends that do not come any more, by where they were last sought.
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  at(start: number): FoundHtml | null {
    for (const { begin, end } of SPANS) if (this.#text.startsWith(begin, start)) return this.#span(start, begin, end);
    const window = this.#text.slice(start, start + MAX_TAG);
    return linkIn(window, start, ADDRESS, '') ?? linkIn(window, start, MAIL, 'mailto:') ?? tagIn(window, start);
  }

  #span(start: number, begin: string, end: string): FoundHtml | null {
    if (this.#missing.has(end)) return null;
    const found = this.#text.indexOf(end, start + begin.length - (begin === '<!--' ? 2 : 0));
    if (found < 0) {
      this.#missing.add(end);
      return null;
    }
    return { html: this.#text.slice(start, found + end.length), end: found + end.length };
  }
}

function linkIn(window: string, start: number, form: RegExp, scheme: string): FoundHtml | null {
  form.lastIndex = 0;
  const match = form.exec(window);
  if (!match) return null;
  const shown = match[1] as string;
  return { html: `<a href="${scheme}${addressHtml(shown)}">${escapeHtml(shown)}</a>`, end: start + match[0].length };
}

function tagIn(window: string, start: number): FoundHtml | null {
  TAG.lastIndex = 0;
  const match = TAG.exec(window);
  return match ? { html: match[0], end: start + match[0].length } : null;
}
