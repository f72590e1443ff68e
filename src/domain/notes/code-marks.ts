// Delimiters of code spans in texts whose markup has been removed: private-use characters, which no source can bring along
// because `inline` drops them.
export const CODE_OPEN = '\uE000';
export const CODE_CLOSE = '\uE001';

// The text without delimiters, as readers see it.
export function unmark(marked: string): string {
  if (!marked.includes(CODE_OPEN) && !marked.includes(CODE_CLOSE)) return marked;
  return marked.replace(/[\uE000\uE001]/g, '');
}

// The contents of the code spans of a text.
export function codeSpansOf(marked: string): string[] {
  const spans: string[] = [];
  for (let open = marked.indexOf(CODE_OPEN); open !== -1; open = marked.indexOf(CODE_OPEN, open + 1)) {
    const close = marked.indexOf(CODE_CLOSE, open);
    if (close === -1) break;
    const text = marked.slice(open + 1, close);
    if (text && !text.includes(CODE_OPEN)) spans.push(text);
  }
  return spans;
}
