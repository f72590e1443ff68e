// Code spans. The positions of all backtick runs are listed by length, so that the end of a span is looked up and not
// searched for.

interface CodeSpan {
  // Length of the opening backtick run.
  length: number;
  // Null when no run of the same length follows, so that the run is text.
  content: string | null;
  end: number;
}

export class CodeSpans {
  readonly #text: string;
  #runs: Map<number, { starts: number[]; next: number }> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  // The code span at a position; callers ask for rising positions only.
  at(start: number): CodeSpan {
    let length = 0;
    while (this.#text.charCodeAt(start + length) === 0x60) length += 1;
    this.#runs ??= runsOf(this.#text);
    const runs = this.#runs.get(length);
    const from = start + length;
    if (runs) while ((runs.starts[runs.next] ?? Infinity) < from) runs.next += 1;
    const close = runs?.starts[runs.next];
    if (close === undefined) return { length, content: null, end: from };
    return { length, content: codeContent(this.#text.slice(from, close)), end: close + length };
  }
}

function runsOf(text: string): Map<number, { starts: number[]; next: number }> {
  const runs = new Map<number, { starts: number[]; next: number }>();
  for (let start = text.indexOf('`'); start >= 0; ) {
    let end = start;
    while (text.charCodeAt(end) === 0x60) end += 1;
    const known = runs.get(end - start);
    if (known) known.starts.push(start);
    else runs.set(end - start, { starts: [start], next: 0 });
    start = text.indexOf('`', end);
  }
  return runs;
}

// One space at each side is no part of the content: it allows code that begins or ends with a backtick.
function codeContent(content: string): string {
  const text = content.replaceAll('\n', ' ');
  const padded = text.length > 1 && text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  return padded ? text.slice(1, -1) : text;
}
