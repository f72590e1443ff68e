// Compares what was confirmed with what the database has, and that with what the receiver got.
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Received } from '../webhooks.ts';

export interface Losses {
  // Releases that were confirmed and are not stored, or more than once.
  lost: number;
  repeated: number;
  // Numbers that no event has, and releases that do not have exactly one event.
  gaps: number;
  unmatched: number;
  events: number;
  // Events that never came, and deliveries beyond the first.
  undelivered: number;
  deliveredAgain: number;
  // Milliseconds from the event to its first delivery.
  delays: number[];
}

// A delivery that has not come after this long does not come.
const PATIENCE_MS = 60_000;

interface LossInput {
  env: Record<string, string>;
  sources: readonly string[];
  acknowledged: readonly string[];
  received(): Promise<Received>;
}

// The workers still run, so that what is on its way comes.
export async function countLosses({ env, sources, acknowledged, received }: LossInput): Promise<Losses> {
  const { ctx, close } = await createApp(readConfig({ ...env, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    const { read } = ctx.store;
    const rows = await read
      .selectFrom('releases')
      .select(['id', 'version'])
      .where('source_id', 'in', sources)
      .execute();
    const own = await read
      .selectFrom('events')
      .select(['id', 'ts', 'release_id'])
      .where('source_id', 'in', sources)
      .execute();
    const {
      first = 0,
      last = 0,
      all = 0,
    } = (await read
      .selectFrom('events')
      .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last'), fn.countAll().as('all')])
      .executeTakeFirst()) ?? {};
    const came = await whenDelivered(own, received);
    const versions = Map.groupBy(rows, (row) => row.version);
    const events = Map.groupBy(own, (event) => event.release_id);
    return {
      lost: acknowledged.filter((version) => !versions.has(version)).length,
      repeated: acknowledged.filter((version) => (versions.get(version)?.length ?? 0) > 1).length,
      gaps: all ? Number(last) - Number(first) + 1 - Number(all) : 0,
      unmatched: rows.filter(({ id }) => events.get(id)?.length !== 1).length,
      events: own.length,
      undelivered: own.filter(({ id }) => came.firstAt[id] === undefined).length,
      deliveredAgain: came.requests - came.different,
      delays: own.map(({ id, ts }) => (came.firstAt[id] ?? Number.NaN) - ts).filter((delay) => !Number.isNaN(delay)),
    };
  } finally {
    await close();
  }
}

async function whenDelivered(events: readonly { id: string }[], received: LossInput['received']): Promise<Received> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    const came = await received();
    if (Date.now() > until || events.every(({ id }) => came.firstAt[id] !== undefined)) return came;
  }
}
