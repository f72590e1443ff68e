// The template tag of all pages. An interpolated value is escaped unless it is markup itself.
import { randomUUID } from 'node:crypto';
import { html, raw } from 'hono/html';

export { html, raw };
export type Html = ReturnType<typeof html> | '';

// Joins markup with a separator that is markup too.
export function join(parts: readonly Html[], separator: Html = ''): Html[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

// The contents of text areas, which may have megabytes. A page holds marks for them and is sent in parts, because one string of
// that length is slow to put together.
export class AreaTexts {
  readonly #texts = new Map<string, string>();

  mark(text: string): Html {
    const mark = `area-text-${randomUUID()}`;
    this.#texts.set(mark, text);
    return raw(mark);
  }

  // The page with the texts in place. A quote means nothing in a text area.
  *partsOf(page: Html): Generator<string> {
    for (const part of String(page).split(MARK)) {
      const text = this.#texts.get(part);
      if (text === undefined) yield* slicesOf(part);
      else for (const slice of slicesOf(text)) yield slice.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    }
  }
}

const MARK = /(area-text-[\da-f-]{36})/;
const SLICE_LENGTH = 256 * 1024;

// The two halves of a character stay together.
function* slicesOf(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + SLICE_LENGTH;
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    yield text.slice(start, end);
  }
}

// A count of nothing is left out.
export function someOf(count: number): string {
  return count > 0 ? formatCount(count) : '';
}

const GROUPS_OF_THREE = /\B(?=(?:\d{3})+$)/g;

// Only whole numbers are grouped. The formatter of the platform would load the data of a locale in the middle of the first page.
export function formatCount(count: number): string {
  const digits = String(count);
  return digits.length > 3 ? digits.replaceAll(GROUPS_OF_THREE, ',') : digits;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
