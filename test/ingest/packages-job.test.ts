// A package from start to end: a repository is fetched, its manifest is read, and its name leads to its releases.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { updateSource } from '../../src/entities/sources/update.ts';
import { schedulePackageJobs } from '../../src/ingest/package-map/packages-job.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { whatsChanged } from '../../src/packages/whats-changed/index.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { githubEnv } from './github-env.ts';

const HOUR = 3_600_000;

forEachEngine('the packages of a repository', (engine) => {
  async function setUp(t: TestContext) {
    const release = (id: number, tag: string, day: string) => {
      const published_at = `2026-02-${day}T00:00:00Z`;
      return {
        id,
        tag_name: tag,
        name: tag,
        body: '### Fixed\n- A crash',
        published_at,
        html_url: `https://x.example/${tag}`,
      };
    };
    const json: Record<string, unknown> = {
      '/repos/acme/engine': { id: 7, full_name: 'acme/engine', stargazers_count: 1, archived: false, fork: false },
      '/repos/acme/engine/releases': [release(2, 'v1.1.0', '20'), release(1, 'v1.0.0', '10')],
      '/repos/acme/engine/git/trees/HEAD': {
        sha: 'a'.repeat(40),
        truncated: false,
        tree: [{ path: 'package.json', type: 'blob', sha: 'b'.repeat(40), size: 30 }],
      },
      '/acme/engine/HEAD/package.json': { name: '@acme/engine' },
    };
    const requested: string[] = [];
    const server = await serve(t, (request, answer) => {
      const { pathname } = new URL(request.url ?? '', 'http://x');
      requested.push(pathname);
      const found = json[pathname];
      answer.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(found ?? {}));
    });
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock, env: githubEnv(server.origin) });
    const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/engine' });
    const work = () => createWorker(ctx, { tasks: createFetching() }).drain();
    const job = () =>
      ctx.store.read.selectFrom('jobs').selectAll().where('key', '=', `packages:${id}`).executeTakeFirst();
    return { ctx, clock, id, requested, work, job };
  }

  it('are known after one pass of a worker, and looked at again in a week', async (t) => {
    const { ctx, clock, work, job, requested } = await setUp(t);

    await work();

    const answer = await whatsChanged(ctx, { package: '@acme/engine', ecosystem: 'npm', from: '1.0.0', to: 'latest' });
    assert.deepEqual([answer.matchedBy, answer.entries.map(({ version }) => version)], ['package_map', ['v1.1.0']]);
    assert.equal((await job())?.due_at, new Date(clock().getTime() + 7 * 24 * HOUR).toISOString());
    requested.length = 0;
    clock.move(7 * 24 * HOUR);
    await work();
    assert.ok(requested.includes('/repos/acme/engine/git/trees/HEAD'));
  });

  it('of a source that is paused or was only looked up are not read', async (t) => {
    const { ctx, clock, id, work, job, requested } = await setUp(t);
    await work();
    const trees = () => requested.filter((path) => path.endsWith('/git/trees/HEAD')).length;
    const before = trees();

    await updateSource(ctx, { src: id }, { fetchPriority: 'paused' });
    clock.move(8 * 24 * HOUR);
    await work();
    assert.deepEqual([trees(), (await job()) !== undefined], [before, true]);
    await updateSource(ctx, { src: id }, { isHidden: true, discovery: 'on_demand' });
    clock.move(8 * 24 * HOUR);
    await work();
    assert.deepEqual([trees(), await job()], [before, undefined]);
  });

  it('get their job from the clock where they have none', async (t) => {
    const { ctx, work, job } = await setUp(t);
    assert.equal(await schedulePackageJobs(ctx), 0, 'what was never fetched waits for its first fetch');
    await work();
    await ctx.store.transaction((tx) => tx.deleteFrom('jobs').where('kind', '=', 'packages').execute(), 'bookkeeping');

    assert.deepEqual([await schedulePackageJobs(ctx), await schedulePackageJobs(ctx)], [1, 0]);
    assert.ok(await job());
  });
});
