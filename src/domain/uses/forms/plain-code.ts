// The code of a file in which nothing but code can be found: comments and the insides of texts are blank, and texts stand apart.
// Read in one pass and without a grammar, so that a regular expression with quotes in it may hide the rest of its line.

export interface PlainCode {
  // Of the same length as the file.
  code: string;
  // Texts in quotes that span no lines, by the offset of the opening quote.
  texts: ReadonlyMap<number, string>;
}

const MAX_LENGTH = 2_000_000;

export function plainCode(source: string): PlainCode {
  const text = source.slice(0, MAX_LENGTH);
  const out: string[] = [];
  const texts = new Map<number, string>();
  let start = 0;
  const blank = (from: number, to: number) => {
    out.push(text.slice(start, from), text.slice(from, to).replace(/[^\n]/g, ' '));
    start = to;
  };
  const end = (at: number) => (at === -1 ? text.length : at);
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '/' && text[at + 1] === '/') {
      const to = end(text.indexOf('\n', at));
      blank(at, to);
      at = to;
    } else if (character === '/' && text[at + 1] === '*') {
      const close = text.indexOf('*/', at + 2);
      const to = close === -1 ? text.length : close + 2;
      blank(at, to);
      at = to - 1;
    } else if (character === '"' || character === "'" || character === '`') {
      const to = closingQuote(text, at, character);
      if (to === -1) continue;
      const inside = text.slice(at + 1, to);
      if (inside.length <= 200 && !inside.includes('\n')) texts.set(at, inside);
      blank(at + 1, to);
      at = to;
    }
  }
  out.push(text.slice(start));
  return { code: out.join(''), texts };
}

// -1 for a quote that its line does not close.
function closingQuote(text: string, open: number, quote: string): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === quote) return at;
    else if (character === '\n' && quote !== '`') return -1;
  }
  return -1;
}
