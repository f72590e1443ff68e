// Webhooks of one worker on the embedded database: how many it delivers, and whether endpoints that hang delay others.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { createOrg } from '../src/entities/orgs/create.ts';
import { createSource } from '../src/entities/sources/create.ts';
import { writeReleases } from '../src/releases/write/write-batch.ts';
import { createSubscription } from '../src/webhooks/subscriptions/create.ts';
import { createDelivering } from '../src/worker/delivering.ts';
import { createWorker } from '../src/worker/worker.ts';
import { runFaults } from '../test/webhooks/faults.ts';
import type { Figure } from './figures.ts';

export const RECEIVER = fileURLToPath(new URL('./receiver.ts', import.meta.url));
const RATE_TARGET = 1000;
const DELAY_TARGET_S = 2;
const SUBSCRIPTIONS = 50;
const EVENTS_EACH = 200;
const HANGING = 100;

export interface Received {
  different: number;
  requests: number;
  firstAt: Record<string, number>;
}

interface Bench {
  ctx: Context;
  // `http://127.0.0.1:<port>` of each port of the receiver.
  receivers: string[];
  received(): Promise<Received>;
}

export async function benchWebhooks(): Promise<Figure[]> {
  return [await withReceiver(SUBSCRIPTIONS, benchRate), await withReceiver(HANGING + 1, benchDelay)];
}

// A backlog of events with one subscription each, from the database to the last logged answer.
async function benchRate({ ctx, receivers, received }: Bench): Promise<Figure> {
  for (const [index, receiverUrl] of receivers.entries()) {
    const { orgId, sourceId } = await place(ctx, `rate-${index}`);
    await subscribe(ctx, orgId, `${receiverUrl}/${index}`);
    await publish(ctx, sourceId, EVENTS_EACH);
  }
  const started = performance.now();
  await createWorker(ctx, { tasks: createDelivering() }).drain();
  const seconds = (performance.now() - started) / 1000;
  const { different, requests } = await received();
  const events = receivers.length * EVENTS_EACH;
  const rate = different / seconds;
  return {
    name: 'webhook deliveries',
    value: rate,
    unit: 'events/s',
    target: `≥ ${RATE_TARGET}`,
    holds: rate >= RATE_TARGET && different === events,
    detail: `${different} of ${events} events to ${receivers.length} subscriptions, ${requests} requests, with fan-out and log`,
  };
}

// From the moment at which an event's deliveries exist to its request, while a hundred endpoints hang.
async function benchDelay({ ctx, receivers, received }: Bench): Promise<Figure> {
  const [healthyUrl, ...hanging] = receivers;
  const slow = await place(ctx, 'slow');
  for (const receiverUrl of hanging) await subscribe(ctx, slow.orgId, `${receiverUrl}/hang`);
  await publish(ctx, slow.sourceId, 10);
  const healthy = await place(ctx, 'healthy');
  await subscribe(ctx, healthy.orgId, `${healthyUrl}/timed`);
  const worker = createWorker(ctx, { tasks: createDelivering() });
  worker.start();
  for (let event = 0; event < 100; event += 1) {
    await publish(ctx, healthy.sourceId, 1);
    await sleep(120);
  }
  await sleep(1000);
  const { firstAt } = await received();
  await worker.stop();
  const rows = await ctx.store.read
    .selectFrom('events')
    .select(['id', 'fanned_out_at'])
    .where('org_id', '=', healthy.orgId)
    .execute();
  const delays = rows.map(({ id, fanned_out_at }) => (firstAt[id] ?? Infinity) - Date.parse(fanned_out_at ?? ''));
  const p99 = (delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.99) - 1] ?? Infinity) / 1000;
  return {
    name: `webhook start beside ${HANGING} that hang`,
    value: p99,
    unit: 's, 99 of 100',
    target: `< ${DELAY_TARGET_S}`,
    holds: p99 < DELAY_TARGET_S,
    detail: `median ${delays[Math.floor(delays.length / 2)]} ms over ${delays.length} events`,
  };
}

// Three workers, killed again and again.
export async function benchWebhookFaults(deliveries: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const { ctx, close } = await openOn(folder);
  try {
    const env = { REGISTRY_DATA_DIR: folder };
    const faults = await runFaults(ctx, { env, deliveries, subscriptions: 40, rounds: 2, seed: 11 });
    const share = (100 * faults.repeats) / faults.expected;
    const detail = `${deliveries} deliveries, ${faults.kills} workers killed`;
    return [
      { name: 'webhooks lost', value: faults.lost, unit: '', target: '0', holds: faults.lost === 0, detail },
      { name: 'webhooks repeated', value: share, unit: '%', target: '< 1', holds: share < 1, detail },
      { name: 'webhooks stuck', value: faults.stuck, unit: '', target: '0', holds: faults.stuck === 0, detail },
    ];
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function withReceiver<T>(receivers: number, run: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const receiver = fork(RECEIVER, [String(receivers)]);
  const { ctx, close } = await openOn(folder);
  try {
    const { ports } = await nextMessage<{ ports: number[] }>(receiver);
    return await run({
      ctx,
      receivers: ports.map((port) => `http://127.0.0.1:${port}`),
      received: () => {
        receiver.send('tell');
        return nextMessage<Received>(receiver);
      },
    });
  } finally {
    receiver.disconnect();
    await close();
    rmSync(folder, { recursive: true });
  }
}

export async function nextMessage<T>(receiver: ChildProcess): Promise<T> {
  const [message] = (await once(receiver, 'message')) as [T];
  return message;
}

// No throttle: what is measured is the engine.
async function openOn(folder: string): Promise<{ ctx: Context; close(): Promise<void> }> {
  const app = await createApp(
    readConfig({
      REGISTRY_DATA_DIR: folder,
      REGISTRY_LOG_LEVEL: 'warn',
      REGISTRY_EGRESS_ALLOW: '127.0.0.1',
      REGISTRY_WEBHOOK_RATE: '0',
    }),
  );
  await app.ctx.store.migrate();
  return app;
}

async function place(ctx: Context, name: string): Promise<{ orgId: string; sourceId: string }> {
  const { id: orgId } = await createOrg(ctx, { name, slug: name });
  const { id: sourceId } = await createSource(ctx, { name, url: `https://${name}.example/`, type: 'feed', orgId });
  return { orgId, sourceId };
}

function subscribe(ctx: Context, orgId: string, url: string) {
  return createSubscription(ctx, { owner: 'operator', input: { orgId, url } });
}

let published = 0;

async function publish(ctx: Context, sourceId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    published += 1;
    return { title: `Release ${published}`, version: `1.${published}.0`, content: 'Some words of text. '.repeat(20) };
  });
  await writeReleases(ctx, { path: { src: sourceId }, rows });
}
