// Lines of indented blocks, as YAML lockfiles and yarn.lock have them. Only keys and plain values are read: nothing else
// in these files matters here, and one pass over the lines costs the same for every text.

interface BlockLine {
  indent: number;
  // The key without quotes.
  key: string;
  // The value on the same line, without quotes; '' when a block follows.
  value: string;
  // Keys of the blocks around the line, the outermost first.
  path: readonly string[];
}

const DEEPEST = 20;

export function* blockLines(text: string): Generator<BlockLine> {
  const open: { indent: number; key: string }[] = [];
  for (const line of linesOf(text)) {
    const indent = indentOf(line);
    const entry = keyAndValue(line, indent);
    if (entry === null) continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    yield { indent, ...entry, path: open.map(({ key }) => key) };
    if (entry.value === '' && open.length < DEEPEST) open.push({ indent, key: entry.key });
  }
}

export function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield text.slice(start, text[stop - 1] === '\r' ? stop - 1 : stop);
    start = stop + 1;
  }
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent;
}

// Longer lines hold hashes and lists and none of the keys that matter here.
const MAX_LINE_LENGTH = 20_000;

function keyAndValue(line: string, start: number): { key: string; value: string } | null {
  const first = line[start];
  if (first === undefined || first === '#' || line.length > MAX_LINE_LENGTH) return null;
  const end = first === '"' || first === "'" ? quoteEnd(line, start) : plainEnd(line, start);
  if (end === -1) return null;
  const key = unquoted(line.slice(start, end));
  const rest = line.slice(end).trim();
  if (rest.startsWith(':')) return { key, value: unquoted(rest.slice(1).trim()) };
  // yarn.lock writes `version "1.2.3"` and several quoted names before one colon.
  if (rest.endsWith(':')) return { key: line.slice(start).trim().slice(0, -1), value: '' };
  return { key, value: unquoted(rest) };
}

function quoteEnd(line: string, start: number): number {
  const end = line.indexOf(line[start] ?? '', start + 1);
  return end === -1 ? -1 : end + 1;
}

// A colon ends a plain key only before a blank or the end of the line; any other colon belongs to the key.
function plainEnd(line: string, start: number): number {
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === ':' && (at + 1 === line.length || line[at + 1] === ' ')) return at;
    if (line[at] === ' ') return at;
  }
  return line.length;
}

function unquoted(text: string): string {
  const quote = text[0];
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}
