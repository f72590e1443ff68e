// POST /sources/{src}/fetch, by status and code.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { createFetchingRoutes } from '../../src/http/routes/fetching.ts';
import { item, scripted, validator } from '../../src/ingest/pipeline/scripted.fixture.ts';
import { claim } from '../../src/ingest/queue/claim.ts';
import { fetchKey, scheduleFetchJobs } from '../../src/ingest/schedule/fetch-jobs.ts';
import { createFakeTimers } from '../../src/net/fake-timers.fixture.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const START = '2026-03-01T12:00:00.000Z';

forEachEngine('POST /sources/{src}/fetch', (engine) => {
  async function setUp(more: Partial<CreateSource> = {}) {
    const app = await engine.openTestApp({ clock: movableClock(START), env: { REGISTRY_HOST_DELAY_MS: '0' } });
    const { ctx } = app;
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id, ...more });
    const tools = scripted();
    const timers = createFakeTimers();
    const service = await startService(app, { routes: createFetchingRoutes({ tools, timers }) });
    const post = (body?: unknown, headers?: Record<string, string>) =>
      service.root.post(`/v1/sources/${source.id}/fetch`, body, headers);
    return { ctx, org, source, tools, timers, service, post };
  }

  const logs = (ctx: Context) => ctx.store.read.selectFrom('fetch_log').selectAll().execute();
  const job = (ctx: Context, key: string) =>
    ctx.store.read.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst();

  it('the run and what it brought, under both paths', async () => {
    const { ctx, org, source, tools, service, post } = await setUp();
    tools.say({ items: [item('1.0.0'), item('1.1.0')], validators: [validator('"a"')] });

    const first = await post();
    const second = await service.root.post(`/v1/orgs/${org.slug}/sources/${source.slug}/fetch`, {});

    assert.equal(first.status, 200);
    const { insertedIds, fetchLogId, ...rest } = first.body;
    assert.deepEqual(rest, {
      fetched: true,
      status: 'success',
      releasesFound: 2,
      releasesInserted: 2,
      releasesUpdated: 0,
      announced: 0,
      durationMs: 0,
      error: null,
      errorCategory: null,
    });
    assert.equal(insertedIds.length, 2);
    assert.deepEqual([second.status, second.body.status], [200, 'no_change']);
    const [log] = await logs(ctx);
    assert.deepEqual([log?.id, log?.trigger], [fetchLogId, 'manual']);
    const after = await job(ctx, fetchKey(source.id));
    assert.deepEqual([after?.priority, after?.payload, (after?.due_at ?? '') > START], [2, '{}', true]);
    const audited = await ctx.store.read.selectFrom('audit_log').select('action').execute();
    assert.equal(audited.filter(({ action }) => action === 'source.fetch').length, 2);
  });

  it('a source that failed is told as such', async () => {
    const { tools, post } = await setUp();
    tools.say({ outcome: 'blocked', detail: 'robots' });

    const { status, body } = await post();

    assert.deepEqual(
      [status, body.status, body.errorCategory, body.error],
      [200, 'blocked', 'blocked', 'blocked: robots'],
    );
  });

  it('announce tells of a first fetch, max takes the newest', async () => {
    const { ctx, tools, post } = await setUp();
    tools.say({ items: [item('1.0.0', { publishedAt: '2020-01-01T00:00:00.000Z' }), item('1.1.0')] });

    const { body } = await post({ announce: true, max: 1 });

    assert.deepEqual([body.releasesInserted, body.announced], [1, 1]);
    assert.equal((await ctx.store.read.selectFrom('events').selectAll().execute()).length, 1);
  });

  it('a dry run shows a sample, stores nothing, and leaves the next fetch alone', async () => {
    const { ctx, source, tools, post } = await setUp();
    await scheduleFetchJobs(ctx);
    tools.say({ items: [item('1.0.0')] });

    const { status, body } = await post({ dryRun: true });

    assert.deepEqual([status, body.status, body.releasesInserted], [200, 'dry_run', 0]);
    assert.deepEqual(body.sample, [
      {
        title: 'Acme 1.0.0',
        version: '1.0.0',
        url: 'https://acme.dev/releases/1.0.0',
        publishedAt: '2026-02-20T00:00:00.000Z',
      },
    ]);
    assert.deepEqual(await ctx.store.read.selectFrom('releases').selectAll().execute(), []);
    assert.deepEqual((await job(ctx, fetchKey(source.id)))?.due_at, START);
    assert.equal((await ctx.store.read.selectFrom('jobs').selectAll().execute()).length, 1);
  });

  it('options may stand in the query, and the body wins', async () => {
    const { ctx, source, tools, service } = await setUp();
    const path = `/v1/sources/${source.id}/fetch`;
    tools.say({ items: [item('1.0.0'), item('1.1.0'), item('1.2.0')] });

    const dry = await service.root.post(`${path}?dryRun=true`);
    assert.deepEqual([dry.body.status, dry.body.sample.length], ['dry_run', 3]);
    assert.deepEqual(await ctx.store.read.selectFrom('releases').selectAll().execute(), []);
    const announced = await service.root.post(`${path}?announce=true&max=1`);
    assert.deepEqual([announced.body.releasesInserted, announced.body.announced], [1, 1]);
    assert.equal((await service.root.post(`${path}?max=1&dryRun=1`, { dryRun: false, max: 2 })).body.status, 'success');
    tools.say({ items: [item('1.3.0', { publishedAt: START })] });
    const silent = await service.root.post(`${path}?silent=true`);
    assert.deepEqual([silent.body.releasesInserted, silent.body.announced], [1, 0]);
    const [both, most, flag] = await Promise.all(
      ['announce=true&silent=true', 'max=1001', 'dryRun=yes'].map((query) => service.root.post(`${path}?${query}`)),
    );
    assert.deepEqual([both?.status, most?.status, flag?.status], [400, 400, 400]);
  });

  it('a paused source is fetched when a person asks, and stays paused', async () => {
    const { ctx, source, tools, post } = await setUp({ fetchPriority: 'paused' });
    tools.say({ items: [item('1.0.0')] });

    assert.equal((await post()).body.status, 'success');
    assert.equal(await job(ctx, fetchKey(source.id)), undefined);
  });

  it('after 30 seconds the answer comes without the result, and the run goes on', async () => {
    const { ctx, tools, timers, post } = await setUp();
    let finish = () => {};
    tools.say(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { items: [item('1.0.0')] };
    });

    const answer = post();
    await timers.set(30_000);
    while (tools.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    timers.advance(30_000);
    const { status, body } = await answer;
    assert.deepEqual([status, body], [202, { queued: true }]);
    assert.equal((await post()).status, 409, 'it still runs');

    finish();
    while ((await logs(ctx)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await ctx.store.read.selectFrom('releases').selectAll().execute()).length, 1);
  });

  it('a host without a free place leaves the fetch to a worker', async () => {
    const { ctx, source, tools, timers, post } = await setUp();
    const { host } = new URL(source.url);
    for (const path of ['a', 'b']) await createSource(ctx, { url: `https://${host}/${path}` });
    await createSource(ctx, { url: `https://${host}/c`, fetch: false });
    await scheduleFetchJobs(ctx);
    await ctx.store.transaction(
      (tx) =>
        tx.updateTable('jobs').set({ due_at: '2027-01-01T00:00:00.000Z' }).where('source_id', '=', source.id).execute(),
      'bookkeeping',
    );
    assert.ok((await claim(ctx)) && (await claim(ctx)));
    tools.say({ items: [item('1.0.0')] });

    const answer = post({ silent: true });
    await timers.set(250);
    timers.advance(30_000);

    assert.deepEqual((await answer).body, { queued: true });
    const waiting = await job(ctx, fetchKey(source.id));
    assert.deepEqual(
      [waiting?.priority, waiting?.due_at, JSON.parse(waiting?.payload ?? '')],
      [0, START, { trigger: 'manual', silent: true }],
    );
  });

  it('under an idempotency key it is fetched once, and the result is repeated', async () => {
    const { ctx, tools, post } = await setUp();
    tools.say({ items: [item('1.0.0')] });
    const headers = { 'Idempotency-Key': 'fetch-0123456789abcdef' };

    const [first, again] = [await post({ silent: true }, headers), await post({ silent: true }, headers)];

    assert.deepEqual([first.status, first.body.releasesInserted, again.status], [200, 1, 200]);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const [log] = await logs(ctx);
    assert.deepEqual([tools.seen.length, log?.trigger, log?.status], [1, 'manual', 'success']);
  });

  it('flagged: an agent source without a model keeps the wish', async () => {
    const { ctx, source, tools, post } = await setUp({ type: 'agent' });

    const { status, body } = await post();

    assert.deepEqual([status, body, tools.seen.length], [202, { queued: true, type: 'flagged' }, 0]);
    const row = await ctx.store.read.selectFrom('sources').selectAll().where('id', '=', source.id).executeTakeFirst();
    assert.equal(row?.change_detected_at, START);
  });

  it('busy: while it runs', async () => {
    const { ctx, tools, post } = await setUp();
    await scheduleFetchJobs(ctx);
    await claim(ctx);

    const { status, body, headers } = await post({ dryRun: true });

    assert.deepEqual([status, body.error.code, tools.seen.length], [409, 'busy', 0]);
    assert.ok(Number(headers.get('retry-after')) > 0);
  });

  it('refused: options that contradict each other, no credential, and a source that is not there', async () => {
    const { service, source, post } = await setUp();

    const both = await post({ announce: true, silent: true });
    const wrong = await post({ max: 1001 });
    const anonymous = await service.anonymous.post(`/v1/sources/${source.id}/fetch`);
    const unknown = await service.root.post('/v1/sources/src_000000000000000000000/fetch');

    assert.deepEqual([both.status, both.body.error.code], [400, 'bad_request']);
    assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'validation_failed']);
    assert.deepEqual([anonymous.status, unknown.status], [401, 404]);
  });
});
