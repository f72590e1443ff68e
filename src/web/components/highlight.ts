// Text with the search terms highlighted.
import { type Html, html } from './html.ts';

export function highlight(text: string, spans: readonly (readonly [number, number])[]): Html {
  let at = 0;
  const parts: Html[] = [];
  for (const [start, end] of spans) {
    if (start < at || end <= start) continue;
    parts.push(html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return html`${parts}${text.slice(at)}`;
}
