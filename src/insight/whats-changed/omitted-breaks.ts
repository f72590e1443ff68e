// The breaks of a range in short, for answers that leave out some of their releases.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { MOST_OMITTED_BREAKS, type OmittedBreak } from '../../contract/whats-changed.ts';
import { breakCost, firstStep } from '../../domain/upgrade/omitted.ts';
import { isBreaking } from '../../domain/upgrade/verdict.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import type { ReadEntry } from './entries.ts';
import { asBranch, inUnions, ORDER_COLUMN } from './spans.ts';
import { canonicalNotes, type ToldRequest, toldRows } from './told-rows.ts';

export interface ShortBreak {
  short: OmittedBreak;
  cost: number;
}

// Oldest first; no more of them than an answer may name.
export async function readBreaks(ctx: Context, requested: readonly ToldRequest[]): Promise<ShortBreak[][]> {
  const rows = await inUnions(requested, (one, slot) => breakRows(ctx, one, slot));
  const notes = await canonicalNotes(ctx, rows);
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  return requested.map((_, slot) =>
    (bySlot.get(slot) ?? []).sort(oldestFirst).map((row) => {
      const { breaking, migration_notes } = notes.get(row.coverage_of ?? '') ?? row;
      const title = row.title_generated ?? row.title;
      const short = { id: row.id, version: row.version, breaking, title, step: firstStep(migration_notes) };
      return { short, cost: breakCost(short) };
    }),
  );
}

// The same of a range whose releases were all read.
export function breaksAmong(newestFirst: readonly ReadEntry[]): ShortBreak[] {
  const breaks = newestFirst.filter(({ entry }) => isBreaking(entry.breaking)).slice(-MOST_OMITTED_BREAKS);
  return breaks.reverse().map(({ entry: { id, version, breaking, title, migrationNotes } }) => {
    const short = { id, version, breaking, title, step: firstStep(migrationNotes) };
    return { short, cost: breakCost(short) };
  });
}

type BreakRow = Awaited<ReturnType<ReturnType<typeof breakRows>['execute']>>[number];

function breakRows(ctx: Context, requested: ToldRequest, slot: number) {
  const column = ORDER_COLUMN[requested.span.window.by];
  const oldest = toldRows(ctx, { ...requested, breakingOnly: true })
    .select([sql.lit(slot).as('slot'), `${column} as order_key`])
    .select(['r.id', 'r.version', 'r.title', 'r.title_generated', 'r.breaking', 'r.migration_notes'])
    .select(['r.coverage_of', 'r.feed_at'])
    .orderBy(column)
    .orderBy('r.feed_at')
    .orderBy('r.id')
    .limit(MOST_OMITTED_BREAKS);
  return asBranch(ctx, oldest);
}

// The rows are sorted here, because a union has no order.
function oldestFirst(a: BreakRow, b: BreakRow): number {
  const byKey = compareVersionKeys(a.order_key ?? '', b.order_key ?? '');
  if (byKey !== 0) return byKey;
  const [one, other] = a.feed_at === b.feed_at ? [a.id, b.id] : [a.feed_at, b.feed_at];
  return one < other ? -1 : 1;
}
