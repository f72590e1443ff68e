// Kills workers at random while they send, and counts what is lost, what arrives twice, and what is left behind.
import type { Context } from '../../src/context.ts';
import { createRandom } from '../../src/domain/seeded-random.ts';
import { LEASE_MS } from '../../src/webhooks/delivery/delivery.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type SenderProcess, startReceiver, startSender } from './sender-process.ts';

interface FaultRun {
  // The environment of the database, for the workers.
  env: Record<string, string>;
  deliveries: number;
  subscriptions: number;
  rounds: number;
  seed: number;
}

interface Faults {
  expected: number;
  lost: number;
  // The number of requests beyond one per message.
  repeats: number;
  // Deliveries that are not done although everything has arrived.
  stuck: number;
  kills: number;
}

const WORKERS = 3;
const BATCH = 400;

export async function runFaults(ctx: Context, run: FaultRun): Promise<Faults> {
  const receiver = await startReceiver();
  const random = createRandom(run.seed);
  const env = { ...run.env, REGISTRY_EGRESS_ALLOW: '127.0.0.1', REGISTRY_WEBHOOK_RATE: '0' };
  try {
    await subscribeAll(ctx, receiver.url, run);
    let kills = 0;
    for (let round = 0; round < run.rounds; round += 1) {
      const workers = Array.from({ length: WORKERS }, () => startWorker(env, round));
      // Each worker dies at a different request, before or after its response.
      const from = receiver.requests();
      const span = Math.floor(run.deliveries / (run.rounds + 1));
      const moments = workers.map(() => from + 1 + Math.floor(random.next() * span)).sort((a, b) => a - b);
      const broken = workers.map((worker) => worker.broken);
      const dead = new Promise<void>((resolve) => {
        receiver.onRequest = async (number) => {
          while (moments[0] !== undefined && number >= moments[0]) {
            moments.shift();
            kills += 1;
            const dying = workers.pop()?.kill();
            if (random.next() < 0.5) await dying;
            if (workers.length === 0) resolve();
          }
        };
      });
      await Promise.race([dead, ...broken]);
    }
    receiver.onRequest = () => {};
    const last = startWorker(env, run.rounds);
    await Promise.race([receiver.received(run.deliveries), last.broken]);
    const stuck = await settled(ctx);
    await last.kill();
    const counts = [...receiver.seen.values()];
    return {
      expected: run.deliveries,
      lost: run.deliveries - counts.length,
      repeats: counts.reduce((sum, count) => sum + count - 1, 0),
      stuck,
      kills,
    };
  } finally {
    await receiver.close();
  }
}

// The clock of every round is ahead of the leases of the round before.
function startWorker(env: Record<string, string>, round: number): SenderProcess {
  return startSender(env, { aheadMs: round * (LEASE_MS + 5000) });
}

async function subscribeAll(ctx: Context, url: string, { deliveries, subscriptions }: FaultRun): Promise<void> {
  const { id: orgId } = await createOrg(ctx);
  const { id: sourceId } = await createSource(ctx, { orgId });
  for (let index = 0; index < subscriptions; index += 1) {
    await createSubscription(ctx, { owner: 'operator', input: { orgId, url: `${url}/${index}` } });
  }
  const events = deliveries / subscriptions;
  for (let start = 0; start < events; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, events - start) }, (_, index) =>
      releaseRow(`3.${start + index}.0`),
    );
    await postReleases(ctx, sourceId, rows);
  }
}

// The outcome of the last response is still being written.
async function settled(ctx: Context): Promise<number> {
  let stuck = -1;
  for (let look = 0; look < 100 && stuck !== 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const row = await ctx.store.read
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    stuck = Number(row.count);
  }
  return stuck;
}
