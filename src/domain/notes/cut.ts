const CLAUSE_END = /[,;:](?=\s)| [-–—(|]/g;
const SENTENCE_END = /[.!?](?=\s)/g;
const SHORTEST_CLAUSE = 20;

/** At most `max` characters, ending with a whole word. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  const end = space > 0 ? space : isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end).replace(/[\s,;:–—(-]{1,8}$/, '');
}

/** At most `max` characters, ending with a sentence or clause where a long enough one fits, else with a word. */
export function cutAtClause(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max + 2);
  const end = lastEnd(head, SENTENCE_END, max) || lastEnd(head, CLAUSE_END, max);
  return end > 0 ? text.slice(0, end) : cutAtWord(text, max);
}

function lastEnd(head: string, pattern: RegExp, max: number): number {
  let end = 0;
  for (const match of head.matchAll(pattern))
    if (match.index <= max && match.index >= SHORTEST_CLAUSE) end = match.index;
  return end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
