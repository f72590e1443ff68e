// Writes blocks of markdown, each line behind the marks of the lists and quotes that it is in.

interface Container {
  first: string;
  rest: string;
  started: boolean;
}

// Deeper levels add no indentation: a line must not cost more than its own length.
const MAX_CONTAINERS = 10;

export class MarkdownWriter {
  private readonly lines: string[] = [];
  private readonly containers: Container[] = [];
  private size = 0;
  private readonly limit: number;

  // Past `limit` characters the writer is full; what comes then is cut off anyway.
  constructor(limit: number) {
    this.limit = limit;
  }

  get isFull(): boolean {
    return this.size > this.limit;
  }

  // `gap`: a blank line sets the block apart from what is above.
  block(lines: readonly string[], gap: boolean): void {
    if (gap && this.lines.length > 0) this.add(this.prefixOf((container) => container.started).trimEnd());
    for (const line of lines) {
      const prefix = this.prefixOf();
      this.add(line === '' ? prefix.trimEnd() : prefix + line);
      for (const container of this.containers) container.started = true;
    }
  }

  // Runs `write` inside a list item or quote.
  inside(first: string, rest: string, write: () => void): void {
    const adds = this.containers.length < MAX_CONTAINERS;
    if (adds) this.containers.push({ first, rest, started: false });
    write();
    if (adds) this.containers.pop();
  }

  toString(): string {
    return this.lines.join('\n');
  }

  private prefixOf(counts: (container: Container) => boolean = () => true): string {
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
