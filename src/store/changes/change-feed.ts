// The commits of all processes as one process knows them: their order, and what each of them changed.

// What one commit changed, as far as cached answers depend on it.
export interface CommitChange {
  everything: boolean;
  // Something that answers about the whole registry may show.
  lists: boolean;
  // Sources, products and orgs whose answers may have changed.
  ids: readonly string[];
}

// A commit and the version of the data that it makes.
export interface Commit {
  version: number;
  change: CommitChange;
}

export const EVERYTHING: CommitChange = { everything: true, lists: true, ids: [] };

// The form in which a change is stored or sent to other processes.
export function encodeChange({ everything, lists, ids }: CommitChange): string {
  if (everything) return '*';
  return lists ? ['.', ...ids].join(' ') : '';
}

export function decodeChange(text: string): CommitChange {
  if (text === '') return { everything: false, lists: false, ids: [] };
  const [kind, ...ids] = text.split(' ');
  return kind === '.' ? { everything: false, lists: true, ids } : EVERYTHING;
}

// The ids that an answer depends on; null when it depends on the whole registry.
export type Dependencies = ReadonlySet<string> | null;

// Beyond this many remembered ids it is cheaper to invalidate everything.
const MAX_IDS = 20_000;

export class ChangeFeed {
  #version = 0;
  // Counts changes locally, so that a version that starts over elsewhere cannot make an old answer valid again.
  #mark = 0;
  #everythingAt = 0;
  #listsAt = 0;
  readonly #changedAt = new Map<string, number>();

  // The version of the last commit that is known.
  get version(): number {
    return this.#version;
  }

  // Incremented with every change. An answer has the mark from before it was read.
  get mark(): number {
    return this.#mark;
  }

  // Commits are numbered without gaps, so a skipped number is an unknown change.
  advance(version: number, change: CommitChange | null): void {
    if (version <= this.#version) return;
    const isNext = version === this.#version + 1;
    this.#version = version;
    this.#apply(isNext && change ? change : EVERYTHING);
  }

  // Called when the commits of other processes are no longer visible.
  lose(): void {
    this.#version = 0;
    this.#apply(EVERYTHING);
  }

  changedSince(mark: number, dependencies: Dependencies): boolean {
    if (this.#everythingAt > mark) return true;
    if (dependencies === null) return this.#listsAt > mark;
    if (this.#listsAt <= mark) return false;
    for (const id of dependencies) if ((this.#changedAt.get(id) ?? 0) > mark) return true;
    return false;
  }

  #apply({ everything, lists, ids }: CommitChange): void {
    this.#mark += 1;
    if (everything || this.#changedAt.size + ids.length > MAX_IDS) {
      this.#everythingAt = this.#mark;
      this.#changedAt.clear();
    }
    if (lists) this.#listsAt = this.#mark;
    for (const id of ids) this.#changedAt.set(id, this.#mark);
  }
}
