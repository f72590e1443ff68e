// The template tag of all pages. An interpolated value is escaped unless it is markup itself.
import { html, raw } from 'hono/html';

export { html, raw };
export type Html = ReturnType<typeof html> | '';

// Joins markup with a separator that is markup too.
export function join(parts: readonly Html[], separator: Html = ''): Html[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
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
