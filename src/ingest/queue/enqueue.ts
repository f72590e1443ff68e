import { sql } from 'kysely';
import { now, type WriteContext } from '../../context.ts';
import { toJson } from '../../store/json-text.ts';
import { together } from '../../store/pipeline.ts';
import type { Queries } from '../../store/schema/index.ts';
import { NO_HOST } from '../adapters/contract.ts';
import type { JobOrder } from './job.ts';
import { PRIORITIES } from './kinds.ts';

const ROWS = 50;

// Enqueues work in the transaction that made it necessary. A waiting job of the same key is moved forward, a running one runs
// once more.
export async function enqueue(ctx: WriteContext, orders: JobOrder | readonly JobOrder[]): Promise<void> {
  const at = now(ctx);
  const given = ([] as JobOrder[]).concat(orders).map((order) => ({ host: NO_HOST, dueAt: at, ...order }));
  // One statement must not contain a key twice.
  const list = [...new Map(given.map((order) => [order.key, order])).values()];
  const inserts: Promise<void>[] = [];
  const woken = wakeHosts(ctx.tx, list);
  for (let start = 0; start < list.length; start += ROWS)
    inserts.push(insertJobs(ctx, list.slice(start, start + ROWS), at));
  await together([woken, ...inserts]);
}

type FullOrder = JobOrder & { host: string; dueAt: string };

async function insertJobs(ctx: WriteContext, orders: readonly FullOrder[], at: string): Promise<void> {
  const rows = orders.map(({ key, kind, sourceId = null, host, payload = {}, basis = null, dueAt, priority }) => ({
    id: Buffer.from(ctx.randomBytes(12)).toString('hex'),
    key,
    kind,
    source_id: sourceId,
    host,
    payload: toJson(payload),
    priority: priority ?? PRIORITIES[kind],
    due_at: dueAt,
    basis,
    lease_token: 0,
    attempts: 0,
    created_at: at,
  }));
  const waits = sql<boolean>`jobs.lease_until IS NULL`;
  await ctx.tx
    .insertInto('jobs')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        due_at: sql`CASE WHEN ${waits} AND jobs.due_at > excluded.due_at THEN excluded.due_at ELSE jobs.due_at END`,
        priority: sql`CASE WHEN ${waits} AND jobs.priority > excluded.priority
          THEN excluded.priority ELSE jobs.priority END`,
        // An order without a payload, or a less urgent one, leaves the payload of an earlier order.
        payload: sql`CASE WHEN ${waits} AND excluded.payload <> '{}' AND excluded.priority <= jobs.priority
          THEN excluded.payload ELSE jobs.payload END`,
        host: sql`CASE WHEN ${waits} THEN excluded.host ELSE jobs.host END`,
        again_at: sql`CASE WHEN ${waits} OR jobs.again_at < excluded.due_at THEN jobs.again_at ELSE excluded.due_at END`,
      }),
    )
    .execute();
}

// Sorted, so that two transactions lock hosts in the same order.
async function wakeHosts(tx: Queries, orders: readonly FullOrder[]): Promise<void> {
  const earliest = new Map<string, string>();
  for (const { host, dueAt } of orders) {
    const known = earliest.get(host);
    if (known === undefined || dueAt < known) earliest.set(host, dueAt);
  }
  const sorted = [...earliest].sort(([a], [b]) => (a < b ? -1 : 1));
  await together(sorted.map(([host, at]) => wakeHost(tx, host, at)));
}

// Ensures that a claim looks at this host at the given time at the latest.
export async function wakeHost(tx: Queries, host: string, at: string): Promise<void> {
  await sql`
    INSERT INTO hosts (host, ready_at, claims) VALUES (${host}, ${at}, 0)
    ON CONFLICT (host) DO UPDATE SET ready_at =
      CASE WHEN hosts.ready_at IS NOT NULL AND hosts.ready_at <= excluded.ready_at THEN hosts.ready_at
           WHEN hosts.next_request_at > excluded.ready_at THEN hosts.next_request_at
           ELSE excluded.ready_at END`.execute(tx);
}
