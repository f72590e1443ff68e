// Text with the search terms highlighted, and with the code that its delimiters enclose.
import { CODE_CLOSE, CODE_OPEN, unmark } from '../../domain/notes/code-marks.ts';
import { type Html, html } from './html.ts';

type Spans = readonly (readonly [number, number])[];

export function highlight(text: string, spans: Spans): Html {
  const parts: Html[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf(CODE_OPEN, at);
    const close = open === -1 ? -1 : text.indexOf(CODE_CLOSE, open);
    if (close === -1) break;
    parts.push(marked(text, spans, [at, open]), html`<code>${marked(text, spans, [open + 1, close])}</code>`);
    at = close + 1;
  }
  return html`${parts}${marked(text, spans, [at, text.length])}`;
}

// One stretch of the text. A snippet that begins or ends inside code has a lone delimiter, which is left out.
function marked(text: string, spans: Spans, [from, to]: readonly [number, number]): Html {
  const parts: Html[] = [];
  let at = from;
  for (const [start, end] of spans) {
    const [first, last] = [Math.max(start, at), Math.min(end, to)];
    if (first >= last) continue;
    parts.push(html`${unmark(text.slice(at, first))}<mark>${unmark(text.slice(first, last))}</mark>`);
    at = last;
  }
  return html`${parts}${unmark(text.slice(at, to))}`;
}
