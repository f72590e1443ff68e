// The brake on floods. A source that brings more new releases than its habit allows is paused, with a reason, until an operator
// accepts what it has brought.

import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { allowedGain, busyDay, floodReason, isHarmless } from '../../domain/fetching/flood.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import { recordAudit } from '../../entities/audit.ts';
import type { SourceHoldRow, SourceRow } from '../../store/schema/sources.ts';
import type { Memory } from '../adapters/memory.ts';

const DAY_MS = 86_400_000;
const HABIT_DAYS = 180;
// The name under which a source's gain of the running day is remembered.
const GAINS = 'gains';

interface Gains {
  since: string;
  count: number;
}

interface GainingRun {
  source: SourceRow;
  memory: Memory;
  isFirstTime: boolean;
  // Releases of earlier runs of a first time that was never finished.
  before: number;
  fresh: number;
}

export interface Flood {
  reason: string;
  found: number;
  allowed: number;
}

// Null when the run may be stored.
export async function floodOf(ctx: Context, run: GainingRun): Promise<Flood | null> {
  const { source, isFirstTime, fresh } = run;
  if (fresh === 0) return null;
  const gained = fresh + (isFirstTime ? run.before : gainsOf(ctx, run.memory).count);
  if (isHarmless({ gained, isFirstTime })) return null;
  const days = (ctx.clock().getTime() - Date.parse(source.last_fetched_at ?? now(ctx))) / DAY_MS;
  const allowed = allowedGain({ isFirstTime, busyDay: await busyDayOf(ctx, source.id), days });
  if (gained <= allowed) return null;
  return { reason: floodReason({ gained, allowed }, isFirstTime), found: fresh, allowed };
}

// What is remembered after a run that inserted releases.
export function gainsAfter(ctx: Context, memory: Memory, inserted: number): Memory {
  const { since, count } = gainsOf(ctx, memory);
  return { [GAINS]: { since, count: count + inserted } };
}

function gainsOf(ctx: Context, memory: Memory): Gains {
  const known = memory[GAINS] as Gains | undefined;
  const isRunning = known !== undefined && ctx.clock().getTime() - Date.parse(known.since) < DAY_MS;
  return isRunning ? known : { since: now(ctx), count: 0 };
}

async function busyDayOf(ctx: Context, sourceId: string): Promise<number> {
  const rows = await queries(ctx)
    .selectFrom('release_days')
    .select('count')
    .where('source_id', '=', sourceId)
    .where('day', '>=', addDays(utcDay(now(ctx)), -HABIT_DAYS))
    .where('count', '>', 0)
    .execute();
  return busyDay(rows.map(({ count }) => count));
}

// Whether an operator has accepted what the source brings next.
export async function isAccepted(ctx: Context, sourceId: string): Promise<boolean> {
  const hold = await holdOf(ctx, sourceId);
  return hold !== undefined && hold.accepted_at !== null;
}

export function holdOf(ctx: Context, sourceId: string): Promise<SourceHoldRow | undefined> {
  return queries(ctx).selectFrom('source_holds').selectAll().where('source_id', '=', sourceId).executeTakeFirst();
}

export async function holdSource(ctx: WriteContext, source: SourceRow, flood: Flood): Promise<void> {
  const known = await holdOf(ctx, source.id);
  const columns = { ...flood, held_at: now(ctx), accepted_at: null };
  await ctx.tx
    .insertInto('source_holds')
    .values({ source_id: source.id, fetch_priority: source.fetch_priority, ...columns })
    .onConflict((conflict) => conflict.column('source_id').doUpdateSet(columns))
    .execute();
  await ctx.tx.updateTable('sources').set({ fetch_priority: 'paused' }).where('id', '=', source.id).execute();
  if (known) return;
  const after = { reason: flood.reason };
  await recordAudit(ctx, { action: 'source.hold', targetType: 'source', targetId: source.id, after });
}

// Called when an accepted run was stored.
export async function endHold(ctx: WriteContext, sourceId: string): Promise<void> {
  await ctx.tx.deleteFrom('source_holds').where('source_id', '=', sourceId).execute();
}
