// Two worker processes on one queue, over real sockets; one of them is killed in the middle.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { LEASE_MS } from '../../src/ingest/queue/job.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { NODE_FLAGS, testProgram } from '../support/program.ts';

const WORKER = testProgram('test/ingest/fetching-worker.ts');
const HOSTS = 8;
const FEEDS_A_HOST = 4;
const SOURCES = HOSTS * FEEDS_A_HOST;
const WORDS = 'It was asked for often, and it is faster than before. '.repeat(14);

function feed(name: string): string {
  const items = [1, 2].map(
    (number) => `<item><title>Release ${number}</title><link>https://acme.dev${name}/${number}</link>
      <guid>${name}-${number}</guid><description>${WORDS}</description></item>`,
  );
  return `<rss version="2.0"><channel><title>Acme</title>${items.join('')}</channel></rss>`;
}

interface Sights {
  // The number of finished requests.
  answered: number;
  // Open requests at the same time: the most of one host, and whether one feed ever had two.
  mostOfHost: number;
  overlaps: number;
}

// Ports that simulate hosts. Each response takes a moment, so that concurrent requests overlap.
async function serveFeeds(t: TestContext, onAnswer: (answered: number) => void) {
  const sights: Sights = { answered: 0, mostOfHost: 0, overlaps: 0 };
  const open = new Map<string, number>();
  const add = (key: string, change: number) => {
    const count = (open.get(key) ?? 0) + change;
    open.set(key, count);
    return count;
  };
  const origins: string[] = [];
  for (let host = 0; host < HOSTS; host += 1) {
    const server = createServer((request, response) => {
      const name = `/${host}${request.url}`;
      if (add(name, 1) > 1) sights.overlaps += 1;
      sights.mostOfHost = Math.max(sights.mostOfHost, add(`host ${host}`, 1));
      response.once('close', () => {
        add(name, -1);
        add(`host ${host}`, -1);
      });
      setTimeout(() => {
        response.writeHead(200, { 'Content-Type': 'application/rss+xml', ETag: `"${name}"` });
        response.end(feed(name));
        sights.answered += 1;
        onAnswer(sights.answered);
      }, 10);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  return { sights, origins };
}

forEachEngine('two workers, one of them killed in the middle', (engine) => {
  it('every source is read, nothing is stored twice, no host has more than two requests at once', async (t) => {
    const database = await engine.openTestDatabase();
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0', REGISTRY_LOG_LEVEL: 'silent' };
    const clock = movableClock(new Date().toISOString());
    const { ctx } = await engine.openTestApp({ database, clock, env });
    const workers: ChildProcess[] = [];
    const { sights, origins } = await serveFeeds(t, (answered) => {
      // One may have ended already, when the other holds all that may be fetched at the moment.
      if (answered === SOURCES / 4) workers.find(({ exitCode }) => exitCode === null)?.kill('SIGKILL');
    });
    for (let index = 0; index < SOURCES; index += 1) {
      await createSource(ctx, { url: `${origins[index % HOSTS]}/${index}` });
    }
    const yesterday = new Date(clock().getTime() - 24 * 3_600_000).toISOString();
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set({ last_polled_at: yesterday }).execute(),
      'derived',
    );

    const ends = [0, 1].map(() => {
      const worker = spawn(process.execPath, [...NODE_FLAGS, WORKER], {
        env: { ...process.env, ...database, ...env },
        stdio: 'inherit',
      });
      workers.push(worker);
      return once(worker, 'exit');
    });
    const exits = (await Promise.all(ends)).map(([code, signal]) => signal ?? code);
    assert.deepEqual(new Set(exits), new Set(['SIGKILL', 0]));
    clock.move(Date.now() - clock().getTime() + LEASE_MS + 60_000);
    await createWorker(ctx, { tasks: createFetching() }).drain();

    const logs = await ctx.store.read.selectFrom('fetch_log').select(['source_id', 'status']).execute();
    assert.deepEqual([logs.length, new Set(logs.map((row) => row.source_id)).size], [SOURCES, SOURCES]);
    assert.ok(logs.every((row) => row.status === 'success'));
    const stored = await ctx.store.read.selectFrom('releases').select(['source_id', 'guid']).execute();
    assert.deepEqual([stored.length, new Set(stored.map((row) => row.guid)).size], [SOURCES * 2, SOURCES * 2]);
    const validators = await ctx.store.read.selectFrom('source_validators').select(['source_id', 'etag']).execute();
    assert.equal(validators.filter((row) => row.etag !== null).length, SOURCES);
    assert.deepEqual([sights.overlaps, sights.mostOfHost <= 2], [0, true]);
    assert.ok(sights.answered >= SOURCES);
  });
});
