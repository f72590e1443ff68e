// What was seen in a Python file: the paths that names lead to, with their lines, and the names that a scope knows.

// A step of a path: what a call gives.
export const GIVEN = '()';

interface PythonTouch {
  // From the first part of the module inwards.
  path: readonly string[];
  line: number;
  kind: 'import' | 'value';
}

export interface PythonCall {
  path: readonly string[];
  line: number;
  // The names of its arguments, and where each stands.
  named: ReadonlyMap<string, number>;
  // It hands on arguments whose names are not known.
  isOpen: boolean;
  places: number;
}

export interface PythonFileUses {
  touches: readonly PythonTouch[];
  calls: readonly PythonCall[];
  // Members of values that nobody knows: their names and lines.
  members: readonly { name: string; line: number; named: ReadonlyMap<string, number> }[];
  // Modules whose names are all taken over, and modules that are asked for by a name that is put together.
  stars: readonly { module: string; line: number }[];
  open: readonly { path: readonly string[]; line: number }[];
}

export type Path = readonly string[] | null;

export class NotedUses implements PythonFileUses {
  readonly touches: PythonTouch[] = [];
  readonly calls: PythonCall[] = [];
  readonly members: { name: string; line: number; named: ReadonlyMap<string, number> }[] = [];
  readonly stars: { module: string; line: number }[] = [];
  readonly open: { path: readonly string[]; line: number }[] = [];
  readonly #lines: number[] = [];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lines.push(at);
  }

  lineAt(offset: number): number {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  touch(path: readonly string[], offset: number): void {
    this.touches.push({ path, line: this.lineAt(offset), kind: 'value' });
  }
}

export class Scope {
  readonly names = new Map<string, Path>();
  readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  find(name: string): Path {
    for (let at: Scope | null = this; at !== null; at = at.outer) {
      const found = at.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }
}
