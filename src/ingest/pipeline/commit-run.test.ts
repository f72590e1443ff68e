// What a fetch commits together, and what is left when it breaks off.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import type { CreateSource } from '../../entities/sources/create.ts';
import { deleteSource } from '../../entities/sources/delete.ts';
import { coverReleases } from '../coverage/cover-releases.ts';
import { claim, claimKey } from '../queue/claim.ts';
import { type ClaimedJob, LEASE_MS } from '../queue/job.ts';
import { fetchKey, scheduleFetchJobs } from '../schedule/fetch-jobs.ts';
import { fetchSource } from './fetch-source.ts';
import { item, scripted, validator } from './scripted.fixture.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const github = { type: 'github', url: 'https://github.com/acme/cli' } as const;
// Its listing is read to the end, however long it is.
const REPOSITORY = { type: 'github', url: 'https://github.com/acme/cli' } as const;

forEachEngine('what a fetch commits', (engine) => {
  async function setUp(more: Partial<CreateSource> = {}) {
    const clock = movableClock(START);
    const faults = { title: '' };
    const { ctx } = await engine.openTestApp({
      clock,
      env: { REGISTRY_HOST_DELAY_MS: '0' },
      ports: {
        coverage: {
          async cover(inner, sourceInOrg, rows) {
            if (rows.some(({ title }) => title === faults.title)) throw new Error('disk full');
            return coverReleases(inner, sourceInOrg, rows);
          },
        },
      },
    });
    const { id } = await createSource(ctx, more);
    await scheduleFetchJobs(ctx);
    const tools = scripted();
    const run = async () => {
      const { lease } = (await claimKey(ctx, fetchKey(id))) as ClaimedJob;
      return fetchSource(ctx, id, { trigger: 'schedule', tools, lease });
    };
    return { ctx, clock, id, tools, faults, run };
  }

  const versions = async (ctx: Context) =>
    (await ctx.store.read.selectFrom('releases').select('version').orderBy('seq').execute()).map((row) => row.version);
  const validators = (ctx: Context) => ctx.store.read.selectFrom('source_validators').selectAll().execute();
  const job = (ctx: Context, key: string) =>
    ctx.store.read.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst();
  const logs = (ctx: Context) => ctx.store.read.selectFrom('fetch_log').selectAll().orderBy('created_at').execute();

  it('ends the job with the run, due when the source is', async () => {
    const { ctx, id, tools, run } = await setUp();
    tools.say({ items: [item('1.0.0')] });

    await run();

    const after = await job(ctx, fetchKey(id));
    const wait = Date.parse(after?.due_at ?? '') - Date.parse(START);
    assert.deepEqual([after?.lease_until, after?.attempts], [null, 0]);
    assert.ok(wait >= 3.6 * HOUR && wait <= 4.4 * HOUR);
    assert.equal(await scheduleFetchJobs(ctx), 0, 'the scheduler finds nothing to correct');
  });

  it('writes more than 500 releases in several transactions, oldest first, and calls them read with the last', async () => {
    const { ctx, tools, faults, run, clock } = await setUp(REPOSITORY);
    const items = Array.from({ length: 1003 }, (_, index) =>
      item(`1.${index}.0`, { publishedAt: new Date(Date.UTC(2020, 0, 1) + index * HOUR).toISOString() }),
    ).reverse();
    tools.say({ items, validators: [validator('"a"')], sourceChanges: { stars: 5 } });
    faults.title = 'Acme 1.1001.0';

    const broken = await run();
    assert.deepEqual([broken.status, broken.error, broken.releasesInserted], ['error', 'error: not stored: Error', 0]);
    const left = await versions(ctx);
    assert.deepEqual([left.length, left[0], left.at(-1)], [1000, '1.0.0', '1.999.0']);
    assert.deepEqual(await validators(ctx), []);

    faults.title = '';
    clock.move(5 * HOUR);
    const whole = await run();
    assert.deepEqual([whole.status, whole.releasesInserted, whole.announced], ['success', 3, 0]);
    assert.equal((await versions(ctx)).length, 1003);
    assert.equal((await validators(ctx)).length, 1);
    assert.deepEqual(
      (await logs(ctx)).map((row) => [row.status, row.total_releases]),
      [
        ['error', 1000],
        ['success', 1003],
      ],
    );
  });

  it('splits no document whose items can only be identified together', async () => {
    const { ctx, tools, faults, run } = await setUp(REPOSITORY);
    const shared = { url: 'https://acme.dev/all', guid: null };
    const items = Array.from({ length: 600 }, (_, index) => item(`1.${index}.0`, index % 599 === 0 ? shared : {}));
    tools.say({ items });
    faults.title = 'Acme 1.3.0';

    assert.equal((await run()).status, 'error');
    assert.equal((await versions(ctx)).length, 0, 'two of them share an address, one at each end');
  });

  it('stores nothing when another worker has the job, and says so', async () => {
    const { ctx, clock, id, tools } = await setUp();
    const late = (await claim(ctx)) as ClaimedJob;
    clock.move(LEASE_MS);
    const next = (await claim(ctx)) as ClaimedJob;
    tools.say({ items: [item('1.0.0')], validators: [validator('"a"')] });

    const lost = await fetchSource(ctx, id, { trigger: 'schedule', tools, lease: late.lease });
    assert.deepEqual([lost.status, lost.error, lost.releasesInserted], ['skipped', 'skipped: the lease was lost', 0]);
    assert.deepEqual([await versions(ctx), await validators(ctx)], [[], []]);

    const won = await fetchSource(ctx, id, { trigger: 'schedule', tools, lease: next.lease });
    assert.deepEqual([won.status, await versions(ctx)], ['success', ['1.0.0']]);
  });

  it('a database that fails is an error of the run, not the end of the job', async () => {
    const { ctx, id, tools, faults, run } = await setUp();
    faults.title = 'Acme 1.0.0';
    tools.say({ items: [item('1.0.0')], validators: [validator('"a"')] });

    const report = await run();

    assert.deepEqual([report.status, report.errorCategory], ['error', 'error']);
    const [log] = await logs(ctx);
    assert.deepEqual([log?.status, log?.error], ['error', 'error: not stored: Error']);
    assert.ok(((await job(ctx, fetchKey(id)))?.due_at ?? '') > START);
  });

  it('a source that is deleted meanwhile takes its job along', async () => {
    const { ctx, id, tools, run } = await setUp();
    tools.say(async () => {
      await deleteSource(ctx, { path: { src: id }, hard: false });
      return { items: [item('1.0.0')] };
    });

    assert.equal((await run()).status, 'skipped');
    assert.deepEqual([await versions(ctx), await job(ctx, fetchKey(id)), await logs(ctx)], [[], undefined, []]);
  });

  it('a worker that stops gives the job back and logs nothing', async () => {
    const { ctx, id, tools } = await setUp();
    const stop = new AbortController();
    const { lease } = (await claim(ctx)) as ClaimedJob;
    tools.say(() => {
      stop.abort();
      return { outcome: 'error', detail: 'aborted' };
    });

    await fetchSource(ctx, id, { trigger: 'schedule', tools, lease, signal: stop.signal });

    assert.deepEqual(await logs(ctx), []);
    assert.equal((await claim(ctx))?.attempts, 1);
  });

  it('orders what follows: the rest of a first fetch, and a look at the changelog', async () => {
    const { ctx, id, tools, run } = await setUp(github);
    tools.say({ items: [item('2.0.0', { origin: 'release' })], backfill: 'https://api.example/page/2' });

    await run();

    const backfill = await job(ctx, `backfill:${id}`);
    assert.deepEqual(
      [backfill?.priority, backfill?.host, JSON.parse(backfill?.payload ?? '')],
      [7, 'api.github.com', { page: 'https://api.example/page/2' }],
    );
    assert.equal((await job(ctx, `changelog:${id}`))?.priority, 3);
  });

  it('looks at the changelog of a repository without releases once, and orders nothing when nothing came', async () => {
    const { ctx, clock, id, tools, run } = await setUp(github);
    tools.say({ outcome: 'no_change' });
    const keys = async () =>
      (await ctx.store.read.selectFrom('jobs').select('key').orderBy('key').execute()).map(({ key }) => key);

    await run();
    assert.deepEqual(await keys(), [`changelog:${id}`, `fetch:${id}`, `packages:${id}`]);
    await ctx.store.transaction((tx) => tx.deleteFrom('jobs').where('kind', '<>', 'fetch').execute(), 'bookkeeping');
    clock.move(5 * HOUR);
    await run();

    assert.deepEqual(await keys(), [`fetch:${id}`]);
  });

  it('a quota that runs low holds every job of its host until the reset, without a log row', async () => {
    const { ctx, clock, tools, run } = await setUp(github);
    const other = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/other' });
    await scheduleFetchJobs(ctx);
    const resetAt = new Date(Date.parse(START) + HOUR).toISOString();
    const budget = { host: 'api.github.com', tokenFingerprint: null, limit: 60, remaining: 10, resetAt };
    tools.say({ items: [], budget });

    await run();
    assert.equal(await claim(ctx), null);
    clock.move(HOUR);

    assert.equal((await claim(ctx))?.sourceId, other.id);
    assert.equal((await logs(ctx)).length, 1);
  });

  it('being throttled by a shared quota is nobody’s error, and moves every job of the host', async () => {
    const { ctx, clock, id, tools, run } = await setUp(github);
    await createSource(ctx, { type: 'github', url: 'https://github.com/acme/other' });
    await scheduleFetchJobs(ctx);
    const retryAt = new Date(Date.parse(START) + 600_000).toISOString();
    tools.say({ outcome: 'throttled', detail: 'http 403', retryAt });

    await run();

    const row = await ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual([row.consecutive_errors, row.failing_since, row.last_outcome], [0, null, 'throttled']);
    assert.equal(await claim(ctx), null);
    clock.move(600_000);
    assert.ok(await claim(ctx));
  });
});
