// Figures of the work that all processes do together, as the database knows it.
import { type Context, now, queries } from '../../context.ts';
import { FETCH_COUNTER } from './record-fetch.ts';

export interface WorkFigures {
  releasesInserted: number;
  releasesUpdated: number;
  fetches: { outcome: string; count: number }[];
  // How long the source that waits longest has been due; 0 when none is.
  fetchQueueAgeSeconds: number;
  eventsWaiting: number;
  oldestEventSeconds: number;
}

export async function workFigures(ctx: Context): Promise<WorkFigures> {
  const db = queries(ctx);
  const counters = await db.selectFrom('counters').selectAll().execute();
  const counter = (name: string) => counters.find((row) => row.name === name)?.value ?? 0;
  const waiting = await db
    .selectFrom('events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('ts').as('oldest')])
    .where('fanned_out_at', 'is', null)
    .executeTakeFirstOrThrow();
  const present = ctx.clock().getTime();
  return {
    releasesInserted: counter('releases_inserted'),
    releasesUpdated: counter('releases_updated'),
    fetches: counters
      .filter((row) => row.name.startsWith(FETCH_COUNTER))
      .map((row) => ({ outcome: row.name.slice(FETCH_COUNTER.length), count: row.value })),
    fetchQueueAgeSeconds: await fetchQueueAge(ctx),
    eventsWaiting: Number(waiting.count),
    oldestEventSeconds: waiting.oldest ? Math.max(0, (present - Number(waiting.oldest)) / 1000) : 0,
  };
}

async function fetchQueueAge(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .select(({ fn }) => fn.min('s.next_fetch_after').as('due'))
    .where('s.deleted_at', 'is', null)
    .where('s.fetch_priority', '<>', 'paused')
    .where((eb) => eb.or([eb('o.fetch_paused', 'is', null), eb('o.fetch_paused', '=', 0)]))
    .where('s.next_fetch_after', '<=', now(ctx))
    .executeTakeFirst();
  return row?.due ? Math.max(0, (ctx.clock().getTime() - Date.parse(row.due)) / 1000) : 0;
}
