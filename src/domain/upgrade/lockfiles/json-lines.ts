// Lines of JSON that is written one key a line, as package managers do, so that a piece of a file can be read.

interface JsonLine {
  key: string;
  // Null when the line begins a block.
  value: string | null;
  // Keys of the blocks around the line as far as the piece shows them, the innermost last.
  path: readonly string[];
}

const LINE = /^\s*"(?<key>[^"\\]{0,500})":\s*(?:"(?<text>[^"\\]{0,500})"|(?<flag>true|false)|\{)/;

export function* jsonLines(lines: readonly string[]): Generator<JsonLine> {
  const open: { indent: number; key: string }[] = [];
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    if (line.slice(indent, indent + 1) === '') continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const groups = LINE.exec(line)?.groups;
    if (!groups) continue;
    const { key = '' } = groups;
    const value = groups.text ?? groups.flag ?? null;
    yield { key, value, path: open.map((block) => block.key) };
    if (value === null) open.push({ indent, key });
  }
}
