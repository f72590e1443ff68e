// Statements that a connection repeats are prepared under a name: the server parses such a statement once, and after five
// plans it keeps one for all values unless those for single values were cheaper.
import { randomBytes } from 'node:crypto';
import { errorCode, errorMessage } from '../../domain/records.ts';
import { ONE_PLAN_MARK } from '../query-builder.ts';

// Statements remembered for a connection, whether they have a name yet or not.
const MAX_REMEMBERED = 400;
// Longer ones insert many rows, and hardly any has the same number of rows as another.
const MAX_LENGTH = 10_000;
// The best way through a range, a page of a sorted list or a search depends on the values, so these are planned each time
// unless they are marked. One plan serves every lookup by key, sorted or not, and every write of rows.
const PLANNED_EACH_TIME = /[<>]|\b(?:limit|like|between|tsquery)\b|_tsquery/i;

interface PreparedName {
  name: string | undefined;
  // A statement that was not used for long and makes room.
  dropped: string | null;
}

const UNNAMED: PreparedName = { name: undefined, dropped: null };

export class PreparedNames {
  // In the order of their last use; null for a statement that was used once.
  readonly #names = new Map<string, string | null>();
  // Behind a pooler a statement may meet what another client has prepared on the same connection of the server: a name
  // that two of them could give would run the statement of the other.
  readonly #own = randomBytes(8).toString('hex');
  #count = 0;

  of(text: string): PreparedName {
    if (text.length > MAX_LENGTH) return UNNAMED;
    if (PLANNED_EACH_TIME.test(text) && !text.endsWith(ONE_PLAN_MARK)) return UNNAMED;
    const known = this.#names.get(text);
    this.#names.delete(text);
    // A name is never given twice, because the server may still have what was dropped.
    const name = known === undefined ? null : (known ?? `registry_${this.#own}_${++this.#count}`);
    this.#names.set(text, name);
    return { name: name ?? undefined, dropped: this.#names.size > MAX_REMEMBERED ? this.#dropOldest() : null };
  }

  // The next use of each statement prepares it again.
  forget(): void {
    this.#names.clear();
  }

  #dropOldest(): string | null {
    const [oldest = ''] = this.#names.keys();
    const name = this.#names.get(oldest) ?? null;
    this.#names.delete(oldest);
    return name;
  }
}

const NOT_SUPPORTED = '0A000';
const UNKNOWN_STATEMENT = '26000';
const STATEMENT_EXISTS = '42P05';

// A migration changed the columns of a prepared statement: it has to be prepared again.
export function isStalePlan(error: unknown): boolean {
  return errorCode(error) === NOT_SUPPORTED && errorMessage(error).startsWith('cached plan must not change');
}

// A pooler between service and server gives each transaction another connection, so names mean nothing. A name that was
// not prepared yet is also unknown in a transaction that failed before its statement.
export function isForeignName(error: unknown, wasPrepared = true): boolean {
  return errorCode(error) === STATEMENT_EXISTS || (errorCode(error) === UNKNOWN_STATEMENT && wasPrepared);
}
