import { type Context, now, queries } from '../../context.ts';
import type { DayRange } from '../../contract/activity.ts';
import { badRequest } from '../../contract/errors.ts';
import { parseDay, utcDay } from '../../domain/timestamps.ts';

export interface AskedRange {
  from?: string;
  to?: string;
}

export function checkRange({ from, to }: AskedRange): void {
  if (from !== undefined && parseDay(from) === null) throw badRequest('from', 'must be a date (YYYY-MM-DD)');
  if (to !== undefined && parseDay(to) === null) throw badRequest('to', 'must be a date (YYYY-MM-DD)');
  if (from !== undefined && to !== undefined && from > to) throw badRequest('from', 'must not be later than to');
}

// An end that was not asked for is that of the dated releases, and never on the wrong side of the other one.
export async function effectiveRange(ctx: Context, sourceIds: readonly string[], asked: AskedRange): Promise<DayRange> {
  if (asked.from !== undefined && asked.to !== undefined) return { from: asked.from, to: asked.to };
  const today = utcDay(now(ctx));
  const row = await queries(ctx)
    .selectFrom('source_figures')
    .select(({ fn }) => [fn.min('first_date').as('first'), fn.max('latest_date').as('last')])
    .where('source_id', 'in', [...sourceIds, ''])
    .executeTakeFirst();
  const from = asked.from ?? (row?.first ? utcDay(row.first) : today);
  const to = asked.to ?? (row?.last ? utcDay(row.last) : today);
  if (from <= to) return { from, to };
  const only = asked.from ?? asked.to ?? today;
  return { from: only, to: only };
}
