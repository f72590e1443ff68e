// Work that is due by the clock. Each task is one job under a key of its own, so that several processes do it once; a task
// that was due while no process ran is done at the next start.
import { type Context, transact } from '../../context.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { JobKind } from '../queue/kinds.ts';
import { scheduleFetchJobs } from '../schedule/fetch-jobs.ts';
import { retierSources } from '../schedule/retier.ts';

export interface Clock {
  kind: JobKind;
  // The first time after this one.
  next(after: Date): Date;
  run(ctx: Context, signal: AbortSignal): Promise<unknown>;
}

// A new clock is one line here.
export const CLOCKS: readonly Clock[] = [
  { kind: 'retier', next: dailyAt(3), run: retier },
  { kind: 'stubs', next: dailyAt(4), run: async (ctx, signal) => (await nightly()).tendStubs(ctx, signal) },
  { kind: 'mapping', next: dailyAt(5), run: async (ctx, signal) => (await mapping()).schedulePackageJobs(ctx, signal) },
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

function mapping() {
  return import('../package-map/packages-job.ts');
}

async function retier(ctx: Context): Promise<void> {
  await retierSources(ctx);
  await scheduleFetchJobs(ctx);
}

export function dailyAt(hour: number): Clock['next'] {
  return (after) => {
    const today = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), hour);
    return new Date(today > after.getTime() ? today : today + 86_400_000);
  };
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
