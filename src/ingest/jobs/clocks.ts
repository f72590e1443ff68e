// Work that is due by the clock. Each task is one job under a key of its own, so that several processes do it once; a task
// that was due while no process ran is done at the next start.

import { type RawBuilder, sql } from 'kysely';
import { type Context, now, transact } from '../../context.ts';
import type { Dialect } from '../../store/dialect.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { JobKind } from '../queue/kinds.ts';
import { scheduleListings } from '../registries/due-packages.ts';
import { scheduleFetchJobs } from '../schedule/fetch-jobs.ts';

// Sets the polling tier of sources by how often they publish, in one statement for all.

const WINDOW_DAYS = 180;
const MIN_RELEASES = 3;
const NORMAL_DAYS = 14;
const LOW_DAYS = 90;
const DAY_SECONDS = 86_400;

export async function retierSources(ctx: Context): Promise<void> {
  const at = now(ctx);
  const since = new Date(ctx.clock().getTime() - WINDOW_DAYS * DAY_SECONDS * 1000).toISOString();
  await transact(
    ctx,
    async ({ tx, store }) => {
      await sql`
        UPDATE sources SET
          median_gap_days = m.median,
          last_retiered_at = ${at},
          fetch_priority = CASE
            WHEN sources.fetch_priority = 'paused' OR m.median IS NULL THEN sources.fetch_priority
            WHEN m.median <= ${NORMAL_DAYS} AND sources.archived = 0 THEN 'normal'
            WHEN m.median <= ${LOW_DAYS} THEN 'low'
            ELSE sources.fetch_priority END
        FROM (SELECT s.id, g.median FROM sources s LEFT JOIN (${medians(store.dialect, since, at)}) g ON g.source_id = s.id) m
        WHERE m.id = sources.id AND sources.deleted_at IS NULL`.execute(tx);
    },
    'derived',
  );
}

// Listing 0 is suppressed; the index by source and listing holds all that is read here.
function medians(dialect: Dialect, since: string, until: string): RawBuilder<unknown> {
  return sql`
    SELECT source_id, AVG(gap) AS median FROM (
      SELECT source_id, gap,
        ROW_NUMBER() OVER (PARTITION BY source_id ORDER BY gap) AS place,
        COUNT(*) OVER (PARTITION BY source_id) AS gaps
      FROM (
        SELECT source_id, (seconds - LAG(seconds) OVER (PARTITION BY source_id ORDER BY seconds)) / ${sql.lit(DAY_SECONDS)}.0 AS gap
        FROM (
          SELECT source_id, ${dialect.epochSeconds('feed_at')} AS seconds FROM releases
          WHERE listing <> 0 AND published_at IS NOT NULL AND feed_at >= ${since} AND feed_at <= ${until}) dated) gapped
      WHERE gap IS NOT NULL) ranked
    WHERE gaps >= ${sql.lit(MIN_RELEASES - 1)}
      AND place IN ((gaps + 1) / 2, (gaps + 2) / 2)
    GROUP BY source_id`;
}

export interface Clock {
  kind: JobKind;
  // The first time after this one.
  next(after: Date): Date;
  run(ctx: Context, signal: AbortSignal): Promise<unknown>;
}

// A new clock is one line here.
export const CLOCKS: readonly Clock[] = [
  { kind: 'retier', next: dailyAt(3), run: retier },
  { kind: 'ahead', next: hourly, run: async (ctx, signal) => (await ahead()).enqueueNewestSteps(ctx, signal) },
  { kind: 'stubs', next: dailyAt(4), run: async (ctx, signal) => (await nightly()).tendStubs(ctx, signal) },
  { kind: 'mapping', next: dailyAt(5), run: async (ctx, signal) => (await mapping()).schedulePackageJobs(ctx, signal) },
  { kind: 'known-packages', next: everyMinutes(10), run: (ctx) => scheduleListings(ctx) },
  {
    kind: 'manifest',
    next: dailyAt(6),
    run: async (ctx, signal) => (await nightly()).syncManifestsNightly(ctx, signal),
  },
];

// Imported when it is due.
function nightly() {
  return import('../manifests/nightly.ts');
}

function ahead() {
  return import('../evidence/ahead.ts');
}

function mapping() {
  return import('../package-map/packages-job.ts');
}

async function retier(ctx: Context): Promise<void> {
  await retierSources(ctx);
  await scheduleFetchJobs(ctx);
}

function hourly(after: Date): Date {
  return new Date((Math.floor(after.getTime() / 3_600_000) + 1) * 3_600_000);
}

export function dailyAt(hour: number): Clock['next'] {
  return (after) => {
    const today = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), hour);
    return new Date(today > after.getTime() ? today : today + 86_400_000);
  };
}

function everyMinutes(minutes: number): Clock['next'] {
  return (after) => new Date(after.getTime() + minutes * 60_000);
}

function clockKey({ kind }: Pick<Clock, 'kind'>): string {
  return `clock:${kind}`;
}

export async function scheduleClocks(ctx: Context, clocks: readonly Clock[] = CLOCKS): Promise<void> {
  const known = await ctx.store.read
    .selectFrom('jobs')
    .select('key')
    .where('key', 'in', clocks.map(clockKey))
    .execute();
  const missing = clocks.filter((clock) => !known.some(({ key }) => key === clockKey(clock)));
  if (missing.length === 0) return;
  const at = ctx.clock();
  const orders = missing.map((clock) => ({
    key: clockKey(clock),
    kind: clock.kind,
    dueAt: clock.next(at).toISOString(),
  }));
  await transact(ctx, (ctx) => enqueue(ctx, orders), 'bookkeeping');
}
