// A repository that has only a changelog: fetch, read of its files, second fetch.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { serve } from '../../src/net/loopback.fixture.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { githubEnv } from './github-env.ts';

const CHANGELOG = '# Changelog\n\n## 1.1.0 - 2026-02-20\n\n- Second thing\n\n## 1.0.0 - 2026-02-10\n\n- First thing\n';

forEachEngine('a repository that has only a changelog', (engine) => {
  async function setUp(t: TestContext) {
    const json: Record<string, unknown> = {
      '/repos/acme/engine': { id: 7, full_name: 'acme/engine', stargazers_count: 1, archived: false, fork: false },
      '/repos/acme/engine/releases': [],
      '/repos/acme/engine/tags': [],
      '/repos/acme/engine/git/trees/HEAD': {
        sha: 'a'.repeat(40),
        truncated: false,
        tree: [{ path: 'CHANGELOG.md', type: 'blob', sha: 'b'.repeat(40), size: CHANGELOG.length }],
      },
    };
    const server = await serve(t, (request, answer) => {
      const { pathname } = new URL(request.url ?? '', 'http://x');
      const found = json[pathname];
      if (pathname.endsWith('CHANGELOG.md')) return answer.writeHead(200).end(CHANGELOG);
      answer.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(found ?? {}));
    });
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock, env: githubEnv(server.origin) });
    const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/engine' });
    return { ctx, id };
  }

  it('has its entries after one pass of a worker', async (t) => {
    const { ctx, id } = await setUp(t);

    await createWorker(ctx, { tasks: createFetching() }).drain();

    const rows = await ctx.store.read.selectFrom('releases').select(['version', 'origin']).orderBy('version').execute();
    assert.deepEqual(
      rows.map(({ version, origin }) => [version, origin]),
      [
        ['1.0.0', 'changelog'],
        ['1.1.0', 'changelog'],
      ],
    );
    const jobs = await ctx.store.read
      .selectFrom('jobs')
      .selectAll()
      .where('source_id', '=', id)
      .orderBy('key')
      .execute();
    assert.deepEqual(
      jobs.map((job) => [job.key, job.payload, job.due_at > '2026-03-01T12:00:00.000Z']),
      [
        [`changelog:${id}`, '{}', true],
        [`fetch:${id}`, '{}', true],
        [`packages:${id}`, '{}', true],
      ],
    );
  });
});
