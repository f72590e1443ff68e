// Writes blocks of markdown. Every line gets the markers and the indentation of the container blocks around it.

interface OpenContainer {
  // The prefix of the first line, and of all further ones.
  first: string;
  rest: string;
  started: boolean;
}

// Deeper levels add no indentation, so that the output stays linear in the input.
const MAX_CONTAINERS = 10;

export class MarkdownWriter {
  private readonly lines: string[] = [];
  private readonly containers: OpenContainer[] = [];
  private size = 0;
  private readonly limit: number;

  // Callers stop writing beyond `limit` characters, because the rest would be cut off anyway.
  constructor(limit: number) {
    this.limit = limit;
  }

  get isFull(): boolean {
    return this.size > this.limit;
  }

  // `gap` writes a blank line before the block.
  block(lines: readonly string[], gap: boolean): void {
    if (gap && this.lines.length > 0) this.add(this.prefixOf((container) => container.started).trimEnd());
    for (const line of lines) {
      const prefix = this.prefixOf();
      this.add(line === '' ? prefix.trimEnd() : prefix + line);
      for (const container of this.containers) container.started = true;
    }
  }

  // Runs `write` inside a list item or a block quote.
  inside(first: string, rest: string, write: () => void): void {
    const adds = this.containers.length < MAX_CONTAINERS;
    if (adds) this.containers.push({ first, rest, started: false });
    write();
    if (adds) this.containers.pop();
  }

  toString(): string {
    return this.lines.join('\n');
  }

  private prefixOf(counts: (container: OpenContainer) => boolean = () => true): string {
    return this.containers
      .filter(counts)
      .map(({ first, rest, started }) => (started ? rest : first))
      .join('');
  }

  private add(line: string): void {
    this.lines.push(line);
    this.size += line.length + 1;
  }
}
