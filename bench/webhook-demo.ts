// How late a webhook is in the first minute of a new demo, while the worker derives, embeds and counts everything.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Figure } from './figures.ts';
import { type Running, startDemo } from './service.ts';
import { nextMessage, RECEIVER, type Received } from './webhooks.ts';

const ROOT_KEY = 'bench-root-key-of-a-scratch-registry';
const EVENTS = 60;
const EVERY_MS = 1_000;
// The first events wait for the worker to start, too.
const TARGET_S = 5;

export async function benchWebhookDemo(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const receiver = fork(RECEIVER, ['1']);
  try {
    const { ports } = await nextMessage<{ ports: number[] }>(receiver);
    const service = await startDemo(folder, { REGISTRY_ROOT_KEY: ROOT_KEY, REGISTRY_EGRESS_ALLOW: '127.0.0.1' });
    try {
      await publishFor(service, `http://127.0.0.1:${ports[0]}/timed`);
    } finally {
      await service.stop();
    }
    receiver.send('tell');
    return await figuresOf(folder, await nextMessage<Received>(receiver));
  } finally {
    receiver.disconnect();
    rmSync(folder, { recursive: true });
  }
}

async function publishFor({ url }: Running, target: string): Promise<void> {
  const org = await post(`${url}/v1/orgs`, { name: 'Bench' });
  const source = await post(`${url}/v1/sources`, {
    name: 'Bench',
    type: 'feed',
    url: 'https://bench.example/',
    orgId: org.id,
  });
  await post(`${url}/v1/webhooks`, { orgId: org.id, url: target });
  for (let event = 0; event < EVENTS; event += 1) {
    const release = { title: `Release ${event}`, version: `1.${event}.0`, content: 'Some words of text. '.repeat(20) };
    await post(`${url}/v1/sources/${source.id}/releases/batch`, { releases: [release] });
    await sleep(EVERY_MS);
  }
  await sleep(TARGET_S * 1_000);
}

async function post(url: string, body: object): Promise<{ id: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ROOT_KEY}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string };
}

async function figuresOf(dataDir: string, { firstAt }: Received): Promise<Figure[]> {
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: dataDir, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    const events = await ctx.store.read
      .selectFrom('events as e')
      .innerJoin('orgs as o', 'o.id', 'e.org_id')
      .select(['e.id', 'e.ts'])
      .where('o.name', '=', 'Bench')
      .execute();
    const attempts = await ctx.store.read.selectFrom('webhook_attempts').select('outcome').execute();
    const delays = events.map(({ id, ts }) => ((firstAt[id] ?? Infinity) - ts) / 1_000).sort((a, b) => a - b);
    const longest = delays.at(-1) ?? Infinity;
    const failed = attempts.filter(({ outcome }) => outcome !== 'success').length;
    return [
      {
        name: 'webhook on a new demo',
        value: longest,
        unit: 's, the longest',
        target: `< ${TARGET_S}`,
        holds: longest < TARGET_S && events.length === EVENTS,
        detail: `median ${delays[delays.length >> 1]} s over ${events.length} events of the first minute`,
      },
      {
        name: 'webhooks on a new demo, failed attempts',
        value: failed,
        unit: '',
        target: '0',
        holds: failed === 0,
        detail: `of ${attempts.length} to a receiver that answers at once`,
      },
    ];
  } finally {
    await close();
  }
}
