// The search: what is found, with a hint of what could be looked up, and the log of it.

import { type Context, now, transact } from '../context.ts';
import type { SearchAnswer } from '../contract/search.ts';
import { githubCoordinate } from '../domain/urls.ts';
import { sourcesOfCoordinate } from '../entities/sources/of-coordinate.ts';
import { insertMany } from '../store/insert-many.ts';
import type { SearchLogRow } from '../store/schema/search.ts';
import { type SearchInput, WHOLE_SEARCH } from './find-answer.ts';
import { noteDegraded, readingContext, runPart } from './search-connection.ts';

export type { SearchInput } from './find-answer.ts';

export async function searchRegistry(ctx: Context, input: SearchInput): Promise<SearchAnswer> {
  const started = ctx.clock().getTime();
  const [{ answer, meta, degraded, isUnknown }, lookup] = await Promise.all([
    runPart(ctx, WHOLE_SEARCH, input),
    lookupHint(readingContext(ctx), input),
  ]);
  noteDegraded(ctx, degraded);
  const tookMs = Math.max(0, ctx.clock().getTime() - started);
  countSearch(ctx, { query: answer.query, mode: meta.mode, hits: meta.returned, took_ms: tookMs });
  return { ...answer, lookup: isUnknown ? null : lookup, _meta: { search: { ...meta, tookMs } } };
}

const COORDINATE = /^(?:github:)?[^/:\s]+\/[^/:\s]+$/i;

// A hint that an untracked repository could be looked up; a search does not do that itself.
async function lookupHint(ctx: Context, { q, releasesOnly }: SearchInput): Promise<SearchAnswer['lookup']> {
  const text = q.trim();
  const coordinate = !releasesOnly && COORDINATE.test(text) ? githubCoordinate(text) : null;
  if (coordinate === null) return null;
  const known = await sourcesOfCoordinate(ctx, coordinate);
  return known.some(({ visible }) => visible) ? null : { provider: 'github', coordinate };
}

// Counts searches in memory, without the caller, and writes the counts at intervals, so that a search itself writes nothing.

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
