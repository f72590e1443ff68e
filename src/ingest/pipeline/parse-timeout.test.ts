import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { startOutsideWorld } from '../../../test/support/outside-world.ts';
import { type Context, transact } from '../../context.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import { TaskOutOfMemory, TaskTimeout } from '../../threads/task.ts';
import { runJob } from '../jobs/jobs.ts';
import { claim } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob } from '../queue/job.ts';
import type { JobKind } from '../queue/kinds.ts';
import { fetchSource } from './fetch-source.ts';
import { item, scripted } from './scripted.fixture.ts';

const START = '2026-03-01T12:00:00.000Z';
const STOPPED = new TaskTimeout(10_000);

forEachEngine('a document that takes too long to read', (engine) => {
  const logOf = (ctx: Context) => ctx.store.read.selectFrom('fetch_log').selectAll().execute();
  const { signal } = new AbortController();

  it('ends the fetch as a time-out that says so', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx);
    const { adapters, model } = scripted();
    const stopped = async () => Promise.reject(STOPPED);
    const tools = { model, adapters: Object.fromEntries(Object.keys(adapters).map((name) => [name, stopped])) };
    await fetchSource(ctx, id, { trigger: 'schedule', tools: tools as never });
    const log = await ctx.store.read.selectFrom('fetch_log').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([log.status, log.error_category], ['timeout', 'timeout']);
    assert.equal(log.error, 'timeout: parse_timeout: not done within 10 s');
  });

  it('ends it as malformed where it needs too much memory', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx);
    const tools = scripted(() => Promise.reject(new TaskOutOfMemory(512)));
    const { status, error } = await fetchSource(ctx, id, { trigger: 'schedule', tools });
    assert.deepEqual([status, error], ['error', 'malformed: parse_memory: needs more than 512 MB of memory']);
  });

  it('ends every other job with a log row that says so, and the job waits a day', async () => {
    const { ctx } = await engine.openTestApp({ clock: movableClock(START) });
    const { id } = await createSource(ctx);
    const kinds: JobKind[] = ['changelog', 'packages', 'reapply', 'coverage', 'media'];
    const handlers = Object.fromEntries(kinds.map((kind) => [kind, () => Promise.reject(STOPPED)]));
    for (const kind of kinds) {
      await transact(ctx, (inner) => enqueue(inner, { key: `${kind}:${id}`, kind, sourceId: id }));
      await runJob(ctx, (await claim(ctx)) as ClaimedJob, { signal, handlers });
    }

    assert.deepEqual(
      (await logOf(ctx)).map((log) => `${log.status} ${log.error_category} ${log.error}`).sort(),
      kinds.map((kind) => `timeout timeout timeout: parse_timeout (${kind}): not done within 10 s`).sort(),
    );
    const jobs = await ctx.store.read.selectFrom('jobs').selectAll().execute();
    assert.deepEqual(
      jobs.map((job) => [job.due_at, job.attempts]),
      kinds.map(() => ['2026-03-02T12:00:00.000Z', 0]),
    );
    // The source itself could be read all the time.
    const source = await ctx.store.read.selectFrom('sources').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([source.consecutive_errors, source.failing_since, source.last_outcome], [0, null, null]);
  });

  it('is met while what was found is stored: the same outcome, and nothing is stored', async () => {
    const { ctx } = await engine.openTestApp({ clock: movableClock(START) });
    const { id } = await createSource(ctx);
    await transact(ctx, (inner) => enqueue(inner, { key: `fetch:${id}`, kind: 'fetch', sourceId: id }));
    const { lease } = (await claim(ctx)) as ClaimedJob;
    let runs = 0;
    const nextRun = () => {
      runs += 1;
      if (runs === 1) throw STOPPED;
      return null;
    };
    const tools = scripted({ items: [item('1.0.0')] });
    const report = await fetchSource(ctx, id, { trigger: 'schedule', tools, lease, nextRun });

    assert.deepEqual([report.status, report.error], ['timeout', 'timeout: parse_timeout: not done within 10 s']);
    assert.deepEqual(await ctx.store.read.selectFrom('releases').select('id').execute(), []);
  });

  it('leaves the teaser of one article, and the others are read', async (t) => {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const env = { REGISTRY_HOST_DELAY_MS: '0', REGISTRY_EGRESS_ALLOW: '127.0.0.0/8' };
    const { ctx } = await engine.openTestApp({ clock: movableClock(START), env });
    const { id } = await createSource(ctx, { type: 'feed' });
    const prose = 'The cache of the server holds what was read twice within an hour. '.repeat(20);
    const teasers = ['1.0.0', '1.1.0', '1.2.0'].map((version) => {
      world.route(`/${version}`, `<html><body><article><h1>${version}</h1><p>${prose}</p></article></body></html>`);
      return item(version, { content: 'A teaser.', url: `${world.url}/${version}` });
    });
    await fetchSource(ctx, id, { trigger: 'schedule', tools: scripted({ items: teasers }) });
    const fetch: GuardedFetch = (request) =>
      String(request.url).endsWith('/1.1.0') ? Promise.reject(STOPPED) : ctx.fetch(request);
    const outside: Context = { ...ctx, fetch };
    for (let job = await claim(ctx); job !== null; job = await claim(ctx)) {
      if (job.kind === 'articles') await runJob(outside, job, { signal, tools: scripted() });
    }

    const releases = await ctx.store.read
      .selectFrom('releases')
      .select(['version', 'content'])
      .orderBy('version')
      .execute();
    assert.deepEqual(
      releases.map(({ version, content }) => [version, content.length > 600]),
      [
        ['1.0.0', true],
        ['1.1.0', false],
        ['1.2.0', true],
      ],
    );
    const errors = (await logOf(ctx)).flatMap(({ error }) => error ?? []);
    assert.deepEqual(errors, ['timeout: parse_timeout (articles): not done within 10 s']);
  });
});
