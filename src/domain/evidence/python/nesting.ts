// How deep the brackets of a Python file nest: a parser that mends what is not closed takes ever longer for every level. It is known in
// one pass over the text, before any parser sees it.

// Real files have at most a tenth of it.
const MAX_NESTING = 300;

const MARK = /"""|'''|["'#()[\]{}]/g;

export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  MARK.lastIndex = 0;
  for (let found = MARK.exec(text); found; found = MARK.exec(text)) {
    const [mark] = found;
    if (mark === '(' || mark === '[' || mark === '{') depth += 1;
    else if (mark === ')' || mark === ']' || mark === '}') depth = Math.max(0, depth - 1);
    else MARK.lastIndex = mark === '#' ? endOfLine(text, found.index) : endOfText(text, found.index, mark);
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

// A short string ends with its line, where it is not closed.
function endOfText(text: string, start: number, quote: string): number {
  for (let at = start + quote.length; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (quote.length === 1 && text[at] === '\n') return at;
  }
  return text.length;
}
