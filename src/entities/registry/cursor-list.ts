// Lists sorted by creation time, newest first, with a cursor of time and id.
import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import type { CursorPagination } from '../../contract/pagination.ts';
import { decodeListCursor, encodeCursor } from '../../domain/cursor.ts';
import { parseWindow } from '../../domain/time-window.ts';

export interface CursorPage {
  cursor?: string;
  limit: number;
}

interface Timed {
  id: string;
  created_at: string;
}

// biome-ignore lint/suspicious/noExplicitAny: lists of any table that has both columns
type CursorQuery<Row> = SelectQueryBuilder<any, any, Row>;

// `alias` is that of the listed table.
export async function readNewest<Row extends Timed>(
  query: CursorQuery<Row>,
  page: CursorPage,
  alias: string,
): Promise<{ rows: Row[]; pagination: CursorPagination }> {
  const [createdAt, id] = [`${alias}.created_at`, `${alias}.id`];
  let after = query;
  if (page.cursor !== undefined) {
    const key = decodeListCursor(page.cursor);
    if (!key) throw new ApiError('invalid_cursor', 'the cursor is not one that this service gave out');
    after = after.where((eb) => eb(eb.refTuple(createdAt, id), '<', eb.tuple(key[0], key[1])));
  }
  const found = await after
    .orderBy(createdAt, 'desc')
    .orderBy(id, 'desc')
    .limit(page.limit + 1)
    .execute();
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  const nextCursor = found.length > page.limit && last ? encodeCursor([last.created_at, last.id]) : null;
  return { rows, pagination: { nextCursor, limit: page.limit } };
}

interface TimeBounds {
  after: string | null;
  before: string | null;
}

// `after` and `before` of the logs take the formats of `since` and `until`; both ends are inclusive.
export function timeBounds(ctx: Context, given: { after?: string; before?: string }): TimeBounds {
  const window = parseWindow({ since: given.after, until: given.before }, ctx.clock());
  if (window.ok) return { after: window.since, before: window.until };
  const reason = window.reason.replace('later than until', 'later than before');
  throw badRequest(window.parameter === 'since' ? 'after' : 'before', reason);
}
