// Counts searches in memory, without the caller, and writes the counts at intervals, so that a search itself writes nothing.
import { type Context, now, transact } from '../context.ts';
import { insertMany } from '../store/insert-many.ts';
import type { SearchLogRow } from '../store/schema/search.ts';

type CountedSearch = Omit<SearchLogRow, 'id' | 'at'>;

const MAX_WAITING = 10_000;
const BATCH = 500;
const ID_BYTES = 12;
// PostgreSQL refuses NUL, and the other control characters carry no meaning.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;

const waiting = new WeakMap<object, (CountedSearch & { at: string })[]>();

// Searches beyond the limit are not counted, so that a flood does not fill the memory.
export function countSearch(ctx: Context, search: CountedSearch): void {
  const list = waiting.get(ctx.store) ?? [];
  waiting.set(ctx.store, list);
  if (list.length < MAX_WAITING) {
    list.push({ ...search, query: search.query.replace(CONTROL, ' '), at: now(ctx) });
  }
}

// Returns how many were written.
export async function writeSearchLog(ctx: Context): Promise<number> {
  const list = waiting.get(ctx.store) ?? [];
  let written = 0;
  while (list.length > 0) {
    const batch = list.slice(0, BATCH);
    const rows = batch.map((search): SearchLogRow => ({ id: newRowId(ctx), ...search }));
    await transact(ctx, ({ tx }) => insertMany(tx, 'search_log', rows), 'bookkeeping');
    list.splice(0, batch.length);
    written += batch.length;
  }
  return written;
}

function newRowId({ randomBytes }: Context): string {
  return Buffer.from(randomBytes(ID_BYTES)).toString('hex');
}
