// What share of the neighbours passed a filter lately, so that the next question asks for about as many as it needs.
import type { Wanted } from './conditions.ts';

const KEPT_MS = 60_000;
const MOST = 1_000;
const UNKNOWN = 0.5;
const LEAST = 0.01;

interface Seen {
  share: number;
  wide: boolean;
  at: number;
}

export class Selectivity {
  readonly #seen = new Map<string, Seen>();

  of(wanted: Wanted): number {
    return this.#find(wanted)?.share ?? UNKNOWN;
  }

  seen(wanted: Wanted, passed: number, asked: number): void {
    if (asked > 0) this.#put(wanted, { share: Math.max(LEAST, passed / asked) });
  }

  /** Whether the filter left too many for an exact scan. */
  isWide(wanted: Wanted): boolean {
    return this.#find(wanted)?.wide ?? false;
  }

  wide(wanted: Wanted): void {
    this.#put(wanted, { wide: true });
  }

  #find(wanted: Wanted): Seen | undefined {
    const found = this.#seen.get(nameOf(wanted));
    return found && Date.parse(wanted.now) - found.at < KEPT_MS ? found : undefined;
  }

  #put(wanted: Wanted, more: Partial<Seen>): void {
    const name = nameOf(wanted);
    const known = this.#find(wanted) ?? { share: UNKNOWN, wide: false, at: Date.parse(wanted.now) };
    this.#seen.delete(name);
    this.#seen.set(name, { ...known, ...more });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function nameOf({ kind, filter, exceptOrgIds, entityType }: Wanted): string {
  return JSON.stringify([kind, filter, exceptOrgIds, entityType]);
}
