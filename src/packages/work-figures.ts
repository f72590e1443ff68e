// Figures about the work of all processes, from the database.
import { sql } from 'kysely';
import { type Context, now, queries } from '../context.ts';
import { OUTSIDE_COUNTER } from '../entities/registry/count-outside-text.ts';
import { FETCH_COUNTER } from '../entities/registry/record-fetch.ts';
import { COMPARISON_COUNTER } from './evidence/store-pair.ts';
import { COMPARED_BYTES } from './evidence/volume.ts';

export interface WorkFigures {
  releasesInserted: number;
  releasesUpdated: number;
  fetches: { outcome: string; count: number }[];
  // Characters of changelogs that became no release, by kind of text.
  outsideText: { kind: string; characters: number }[];
  // How long the longest waiting source has been due; 0 when none is.
  fetchQueueAgeSeconds: number;
  eventsWaiting: number;
  oldestEventSeconds: number;
  // Deliveries that wait for their time or a free slot, deliveries in progress, and the outcomes of finished ones.
  deliveriesWaiting: number;
  deliveriesInFlight: number;
  attempts: { outcome: string; count: number }[];
  // Packages by what their last reading gave, and how long the longest waiting one has been due.
  packages: { outcome: string; count: number }[];
  packageQueueAgeSeconds: number;
  // Pairs of packages that were compared, by outcome, those that wait, and what was downloaded for them.
  comparisons: { outcome: string; count: number }[];
  comparisonsWaiting: number;
  comparedBytes: number;
  // Digest mails by what came of them, those that wait for the mail server, and those of them that it has put off.
  digests: { outcome: string; count: number }[];
  digestsWaiting: number;
  digestsPutOff: number;
}

export const ATTEMPT_COUNTER = 'webhook_attempts:';
export const DIGEST_COUNTER = 'digests:';

export async function workFigures(ctx: Context): Promise<WorkFigures> {
  const db = queries(ctx);
  const counters = await db.selectFrom('counters').selectAll().execute();
  const counter = (name: string) => counters.find((row) => row.name === name)?.value ?? 0;
  const outcomes = (prefix: string) =>
    counters
      .filter((row) => row.name.startsWith(prefix))
      .map((row) => ({ outcome: row.name.slice(prefix.length), count: row.value }));
  const waiting = await db
    .selectFrom('events')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('ts').as('oldest')])
    .where('fanned_out_at', 'is', null)
    .executeTakeFirstOrThrow();
  const present = ctx.clock().getTime();
  return {
    releasesInserted: counter('releases_inserted'),
    releasesUpdated: counter('releases_updated'),
    fetches: outcomes(FETCH_COUNTER),
    outsideText: counters
      .filter((row) => row.name.startsWith(OUTSIDE_COUNTER))
      .map((row) => ({ kind: row.name.slice(OUTSIDE_COUNTER.length), characters: row.value })),
    fetchQueueAgeSeconds: await fetchQueueAge(ctx),
    ...(await packageFigures(ctx)),
    eventsWaiting: Number(waiting.count),
    attempts: outcomes(ATTEMPT_COUNTER),
    comparisons: outcomes(COMPARISON_COUNTER),
    comparisonsWaiting: await comparisonsWaiting(ctx),
    comparedBytes: counter(COMPARED_BYTES),
    digests: outcomes(DIGEST_COUNTER),
    ...(await digestFigures(ctx)),
    ...(await deliveryFigures(ctx)),
    oldestEventSeconds: waiting.oldest ? Math.max(0, (present - Number(waiting.oldest)) / 1000) : 0,
  };
}

// Each count uses a partial index that contains only these rows.
async function deliveryFigures(ctx: Context): Promise<Pick<WorkFigures, 'deliveriesWaiting' | 'deliveriesInFlight'>> {
  const { rows } = await sql<{ waiting: number; leased: number }>`
    SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'pending' AND lease_until IS NULL) AS waiting,
      (SELECT COUNT(*) FROM webhook_deliveries WHERE lease_until IS NOT NULL) AS leased`.execute(queries(ctx));
  return { deliveriesWaiting: Number(rows[0]?.waiting ?? 0), deliveriesInFlight: Number(rows[0]?.leased ?? 0) };
}

async function packageFigures(ctx: Context): Promise<Pick<WorkFigures, 'packages' | 'packageQueueAgeSeconds'>> {
  const rows = await queries(ctx)
    .selectFrom('package_states')
    .select(({ fn }) => ['outcome', fn.countAll<number>().as('count'), fn.min('next_read_at').as('due')])
    .groupBy('outcome')
    .orderBy('outcome')
    .execute();
  const [due] = rows.flatMap((row) => row.due ?? []).sort();
  return {
    packages: rows.map(({ outcome, count }) => ({ outcome, count: Number(count) })),
    packageQueueAgeSeconds: due ? Math.max(0, (ctx.clock().getTime() - Date.parse(due)) / 1000) : 0,
  };
}

async function digestFigures(ctx: Context): Promise<Pick<WorkFigures, 'digestsWaiting' | 'digestsPutOff'>> {
  const { rows } = await sql<{ waiting: number; off: number | null }>`
    SELECT COUNT(*) AS waiting, SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS off FROM digest_mails`.execute(
    queries(ctx),
  );
  return { digestsWaiting: Number(rows[0]?.waiting ?? 0), digestsPutOff: Number(rows[0]?.off ?? 0) };
}

async function comparisonsWaiting(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('evidence_orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
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
