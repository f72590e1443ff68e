// Private-use characters that keep code spans recognisable while the rest of a text is rewritten.
export const CODE_OPEN = '\uE000';
export const CODE_CLOSE = '\uE001';

// A marked text as shown to a reader.
export function unmark(marked: string): string {
  return marked.replace(/[\uE000\uE001]/g, '');
}

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
