// Tags inside of markdown or plain text, which are no part of what readers get: each becomes its mark, or nothing.
import { DELIMITERS } from './inline.ts';
import { allTags, otherTags } from './is-html.ts';

const NAME = /<(?<slash>\/?)(?<name>[a-z][\w:-]*)/iy;
// Elements that are converted or left out with everything in them.
const WHOLE = new Set(
  `a applet audio button canvas code iframe kbd map math noframes object option samp script select style svg template
  textarea title tt video`.split(/\s+/),
);
const ALONE = new Set(['br', 'img']);

interface TagConversion {
  // HTML of one element as markdown.
  convert: (html: string) => string;
}

export function convertTags(text: string, { convert }: TagConversion): string {
  const ends = new TagEnds(text);
  const out: string[] = [];
  let done = 0;
  for (const start of otherTags(text)) {
    if (start < done) continue;
    out.push(text.slice(done, start));
    done = writeTag(start);
  }
  out.push(text.slice(done));
  return out.join('');

  function writeTag(start: number): number {
    if (text.startsWith('<!--', start)) return ends.comment(start) ?? escaped(start);
    const end = ends.tag(start);
    NAME.lastIndex = start;
    const { slash = '', name = '' } = NAME.exec(text)?.groups ?? {};
    if (end === null) return escaped(start);
    const tag = name.toLowerCase();
    if (slash === '' && WHOLE.has(tag)) {
      const close = ends.element(tag, end);
      if (close === null) return end;
      out.push(convert(text.slice(start, close)));
      return close;
    }
    if (tag === 'br') out.push('  \n');
    else if (ALONE.has(tag)) out.push(convert(text.slice(start, end)));
    else out.push(DELIMITERS[tag] ?? '');
    return end;
  }

  // A tag that never ends is text.
  function escaped(start: number): number {
    out.push('\\<');
    return start + 1;
  }
}

// Plain text with tags in it shows them.
export function escapeTags(text: string): string {
  const out: string[] = [];
  let done = 0;
  for (const start of allTags(text)) {
    out.push(text.slice(done, start), '\\');
    done = start;
  }
  return out.join('') + text.slice(done);
}

// Finds ends in one pass over the text: what the rest does not hold is not looked for again.
class TagEnds {
  readonly #text: string;
  readonly #missing = new Set<string>();
  // A tag ran to the end of the text, so quotes are not followed any more.
  #lastTag = false;

  constructor(text: string) {
    this.#text = text;
  }

  comment(start: number): number | null {
    return this.#behind('-->', start + 2);
  }

  // An angle bracket in a quoted attribute does not end a tag, unless no other one does.
  tag(start: number): number | null {
    if (this.#missing.has('>') || this.#lastTag) return this.#behind('>', start);
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at] ?? '';
      if (character === '>') return at + 1;
      const isQuote = (character === '"' || character === "'") && this.#text[at - 1] === '=';
      const close = isQuote ? this.#behind(character, at + 1) : null;
      if (close !== null) at = close - 1;
    }
    this.#lastTag = true;
    return this.#behind('>', start);
  }

  element(name: string, from: number): number | null {
    const key = `</${name}`;
    if (this.#missing.has(key)) return null;
    const close = new RegExp(`${key}(?=[\\s/>])`, 'gi');
    close.lastIndex = from;
    const found = close.exec(this.#text);
    if (!found) this.#missing.add(key);
    return found ? this.#behind('>', found.index) : null;
  }

  #behind(end: string, from: number): number | null {
    if (this.#missing.has(end)) return null;
    const found = this.#text.indexOf(end, from);
    if (found < 0) this.#missing.add(end);
    return found < 0 ? null : found + end.length;
  }
}
