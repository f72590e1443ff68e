// The template tag of all pages. An interpolated value is escaped unless it is markup itself.
import { html, raw } from 'hono/html';
import { endLongTurn } from '../../threads/turns.ts';

export { html, raw };
export type Html = ReturnType<typeof html> | '';

// Joins markup with a separator that is markup too.
export function join(parts: readonly Html[], separator: Html = ''): Html[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

const ESCAPED_AT_ONCE = 256 * 1024;

// The content of a text area, which may have megabytes: other requests are read between its parts. A quote means nothing there.
export async function areaText(text: string): Promise<Html> {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += ESCAPED_AT_ONCE) {
    await endLongTurn();
    const part = text.slice(start, start + ESCAPED_AT_ONCE);
    parts.push(part.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
  }
  return raw(parts.join(''));
}

// The formatter is created once, because a list formats hundreds of numbers and `toLocaleString` would create one for
// each; and only with the first page, because creating it loads the data of the locale.
let numbers: Intl.NumberFormat | undefined;

// A count of nothing is left out.
export function someOf(count: number): string {
  return count > 0 ? formatCount(count) : '';
}

export function formatCount(count: number): string {
  // Without a group separator, as most counts are.
  if (Number.isInteger(count) && count >= 0 && count < 1000) return String(count);
  numbers ??= new Intl.NumberFormat('en');
  return numbers.format(count);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
