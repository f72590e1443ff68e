// A killed worker loses nothing: another one takes its job when the lease has expired, and finds the old validators.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { scripted } from '../../src/ingest/pipeline/scripted.fixture.ts';
import { LEASE_MS } from '../../src/ingest/queue/job.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { NODE_FLAGS, testProgram } from '../support/program.ts';
import { listing } from './listing.ts';

const DOOMED = testProgram('test/ingest/doomed-worker.ts');

interface Case {
  name: string;
  when: 'reading' | 'storing';
  count: number;
  // The number of rows that the killed worker leaves behind.
  left: number;
}

const CASES: Case[] = [
  { name: 'while it reads', when: 'reading', count: 3, left: 0 },
  { name: 'between the answer and the commit', when: 'storing', count: 20, left: 0 },
  // A commit holds at most 500 releases.
  { name: 'in the last of several commits', when: 'storing', count: 560, left: 500 },
];

forEachEngine('a worker killed', (engine) => {
  for (const { name, when, count, left } of CASES) {
    it(`${name}: the next one stores all of it, once`, async () => {
      const database = await engine.openTestDatabase();
      const clock = movableClock(new Date().toISOString());
      const { ctx } = await engine.openTestApp({ database, clock });
      const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/cli' });
      await kill(database, when, count);
      const tools = scripted(listing(count));
      const work = () => createWorker(ctx, { tasks: createFetching({ tools }) }).drain();

      await work();
      assert.equal(tools.seen.length, 0, 'the lease of the dead worker holds');
      assert.deepEqual([(await guids(ctx)).length, await validators(ctx)], [left, 0]);
      assert.equal((await logs(ctx)).length, 0);

      clock.move(LEASE_MS + 60_000);
      await work();
      const stored = await guids(ctx);
      assert.deepEqual([stored.length, new Set(stored).size, await validators(ctx)], [count, count, 1]);
      assert.deepEqual(
        (await logs(ctx)).map((row) => [row.source_id, row.status, row.releases_inserted]),
        [[id, 'success', count - left]],
      );
      assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), [], 'still a first fetch');
    });
  }
});

async function kill(database: Record<string, string>, when: Case['when'], count: number): Promise<void> {
  const child = spawn(process.execPath, [...NODE_FLAGS, DOOMED, when, String(count)], {
    env: { ...process.env, ...database, REGISTRY_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  if (when === 'reading') child.kill('SIGKILL');
  const [, signal] = await exited;
  assert.equal(signal, 'SIGKILL');
}

async function guids(ctx: Context): Promise<(string | null)[]> {
  return (await ctx.store.read.selectFrom('releases').select('guid').execute()).map((row) => row.guid);
}

async function validators(ctx: Context): Promise<number> {
  return (await ctx.store.read.selectFrom('source_validators').selectAll().execute()).length;
}

function logs(ctx: Context) {
  return ctx.store.read.selectFrom('fetch_log').selectAll().execute();
}
