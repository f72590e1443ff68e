// Filters that lately left too many vectors for an exact scan, so that the next question need not find it out again.
import type { Wanted } from './conditions.ts';

const REMEMBERED_MS = 60_000;
const MOST = 1_000;

export class WideFilters {
  readonly #seen = new Map<string, number>();

  has(wanted: Wanted): boolean {
    const at = this.#seen.get(nameOf(wanted));
    return at !== undefined && Date.parse(wanted.now) - at < REMEMBERED_MS;
  }

  add(wanted: Wanted): void {
    const name = nameOf(wanted);
    this.#seen.delete(name);
    this.#seen.set(name, Date.parse(wanted.now));
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function nameOf({ kind, filter, exceptOrgIds, entityType }: Wanted): string {
  return JSON.stringify([kind, filter, exceptOrgIds, entityType]);
}
