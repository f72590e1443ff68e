// The live stream from a client's view.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { insertMany } from '../../src/store/insert-many.ts';
import type { EventRow } from '../../src/store/schema/releases.ts';
import { signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream, type StreamReader } from './stream-client.ts';

let versions = 0;

async function post(
  ctx: Context,
  sourceId: string,
  count = 1,
  more: Parameters<typeof releaseRow>[1] = {},
): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    versions += 1;
    return releaseRow(`${versions}.0.0`, more);
  });
  await postReleases(ctx, sourceId, rows);
}

function events(ctx: Context): Promise<EventRow[]> {
  return ctx.store.read.selectFrom('events').selectAll().orderBy('seq').execute();
}

const ready = (reader: StreamReader) => reader.until((frames) => frames.some(({ event }) => event === 'ready'));
const got = (reader: StreamReader, count: number) => reader.until(() => reader.seqs().length >= count);

forEachEngine('the live stream', (engine) => {
  async function open(env: Record<string, string> = {}) {
    const app = await engine.openTestApp({ env });
    const { ctx } = app;
    const { id: orgId, slug } = await createOrg(ctx);
    const { id: sourceId } = await createSource(ctx, { orgId });
    const service = await startService(app);
    return { ctx, service, orgId, slug, sourceId, url: `${service.url}/v1/releases/stream` };
  }

  it('says that it is ready, then tells of each release with the stored document', async () => {
    const { ctx, sourceId, url } = await open();
    await post(ctx, sourceId, 2);
    const reader = await openStream(url);
    await ready(reader);

    await post(ctx, sourceId, 3);
    await got(reader, 3);

    assert.equal(reader.status, 200);
    const { 'content-type': type, 'cache-control': cache, 'x-accel-buffering': buffering } = reader.headers;
    assert.deepEqual([type, cache, buffering], ['text/event-stream', 'no-store', 'no']);
    assert.deepEqual(reader.other, ['retry: 3000']);
    assert.deepEqual(reader.frames[0], { event: 'ready', id: null, data: { seq: 2 } });
    const stored = (await events(ctx)).slice(2);
    assert.deepEqual(
      reader.frames.slice(1),
      stored.map(({ id, payload }) => ({ event: 'release.created', id, data: JSON.parse(payload) })),
    );
    reader.close();
  });

  it('goes on after the event or number that the reader names, wherever it is named', async () => {
    const { ctx, sourceId, url } = await open();
    await post(ctx, sourceId, 5);
    const third = (await events(ctx))[2]?.id ?? '';
    for (const [query, headers, expected] of [
      ['', { 'Last-Event-ID': third }, [4, 5]],
      [`?lastEventId=${third}`, {}, [4, 5]],
      [`?lastEventId=${third}&since=0`, {}, [4, 5]],
      ['?since=4', {}, [5]],
      ['?since=0', {}, [1, 2, 3, 4, 5]],
    ] as const) {
      const reader = await openStream(`${url}${query}`, headers);
      await got(reader, expected.length);
      assert.deepEqual(reader.frames[0], { event: 'ready', id: null, data: { seq: 5 } });
      assert.deepEqual(reader.seqs(), expected, query);
      reader.close();
    }
  });

  it('tells when the reader has missed too much, and goes on with what is new', async () => {
    const { ctx, sourceId, url } = await open();
    await post(ctx, sourceId);
    const [model] = await events(ctx);
    const more = Array.from({ length: 1005 }, (_, index) => ({
      ...(model as EventRow),
      id: `evt_${index}`,
      seq: index + 2,
      release_id: `rel_${index}`,
    }));
    await transact(ctx, async ({ tx }) => {
      await insertMany(tx, 'events', more);
      await tx.updateTable('counters').set({ value: 1006 }).where('name', '=', 'event_seq').execute();
    });
    const gapOf = async (query: string) => {
      const reader = await openStream(`${url}${query}`);
      await reader.until((frames) => frames.length >= 2);
      reader.close();
      const [, second] = reader.frames;
      return second?.event === 'snapshot_gap' ? second.data : second?.event;
    };
    assert.deepEqual(await gapOf('?since=5'), { since: 5, oldestSeq: 1 });
    assert.deepEqual(await gapOf('?since=6'), 'release.created');
    assert.deepEqual(await gapOf('?since=2000'), { since: 2000, oldestSeq: 1 });
    assert.deepEqual(await gapOf('?lastEventId=evt_unknown'), { since: null, oldestSeq: 1 });
    await transact(ctx, ({ tx }) => tx.deleteFrom('events').where('seq', '<', 100).execute());
    assert.deepEqual(await gapOf('?since=98'), { since: 98, oldestSeq: 100 });
    assert.deepEqual(await gapOf('?since=99'), 'release.created');

    const reader = await openStream(`${url}?since=5`);
    await reader.until((frames) => frames.length >= 2);
    await post(ctx, sourceId);
    await got(reader, 1);
    assert.deepEqual(reader.seqs(), [1007]);
    reader.close();
  });

  it('carries what was asked for, and refuses what nobody has before it opens', async () => {
    const { ctx, service, orgId, slug, sourceId, url } = await open();
    const product = await createProduct(ctx, orgId);
    const tied = await createSource(ctx, { orgId, productId: product.id });
    const other = await createOrg(ctx);
    const stranger = await createSource(ctx, { orgId: other.id });
    const queries = {
      all: '',
      org: `&org=${slug}`,
      product: `&product=${product.id}`,
      both: `&product=${product.id}&org=${other.slug}`,
      source: `&source=${tied.slug}`,
      type: '&type=rollup',
      breaking: '&minBreaking=major',
      meaning: '&minBreaking=major&minImportance=5&security=true',
    };
    await post(ctx, sourceId, 1, { breaking: 'major' });
    await post(ctx, tied.id, 1, { breaking: 'none', content: '- Escapes names (CVE-2026-1234)' });
    await post(ctx, stranger.id, 1, { type: 'rollup', breaking: 'unknown' });
    const found: Record<string, number[]> = {};
    for (const [name, query] of Object.entries(queries)) {
      const reader = await openStream(`${url}?since=0${query}`);
      await ready(reader);
      await got(
        reader,
        { all: 3, org: 2, product: 1, both: 0, source: 1, type: 1, breaking: 1, meaning: 2 }[name] ?? 0,
      );
      found[name] = reader.seqs();
      reader.close();
    }
    assert.deepEqual(found, {
      all: [1, 2, 3],
      org: [1, 2],
      product: [2],
      both: [],
      source: [2],
      type: [3],
      breaking: [1],
      meaning: [1, 2],
    });

    for (const [query, status, code] of [
      ['org=nobody', 404, 'not_found'],
      ['product=prod_000000000000000000000', 404, 'not_found'],
      ['source=nothing', 404, 'not_found'],
      [`source=${tied.slug}&org=${slug}`, 400, 'bad_request'],
      ['type=minor', 400, 'bad_request'],
      ['minBreaking=none', 400, 'bad_request'],
      ['since=-1', 400, 'bad_request'],
      ['since=1.5', 400, 'bad_request'],
      ['since=soon', 400, 'bad_request'],
    ] as const) {
      const answer = await service.anonymous.get(`/v1/releases/stream?${query}`);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], query);
    }
  });

  it('answers HEAD with the headers alone', async () => {
    const { service } = await open();
    const answer = await service.anonymous.request('HEAD', '/v1/releases/stream');
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream']);
    assert.equal(answer.text, '');
  });

  it('is limited to ten at a time from one address', async () => {
    const { url, service } = await open({ REGISTRY_BASE_URL: 'https://registry.example' });
    const readers: StreamReader[] = [];
    for (let count = 0; count < 10; count += 1) readers.push(await openStream(url));
    const refused = await service.anonymous.get('/v1/releases/stream');
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited']);
    assert.ok(refused.headers.get('retry-after'));
    assert.equal((await service.anonymous.request('HEAD', '/v1/releases/stream')).status, 200);

    readers[0]?.close();
    let reader = await openStream(url);
    while (reader.status === 429) reader = await openStream(url);
    assert.equal(reader.status, 200);
    for (const one of [...readers, reader]) one.close();
  });

  it('is limited to five at a time for one account, whatever credential it shows', async () => {
    const { url, service } = await open();
    const account = await signUp(service);
    const key = `Bearer ${(await account.key()).value}`;
    const session = `Bearer ${account.sessionToken}`;
    const readers: StreamReader[] = [];
    for (const authorization of [key, key, key, session, session]) {
      readers.push(await openStream(url, { authorization }));
    }
    assert.deepEqual(new Set(readers.map(({ status }) => status)), new Set([200]));
    for (const authorization of [key, session]) {
      const refused = await openStream(url, { authorization });
      assert.equal(refused.status, 429);
    }
    const anonymous = await openStream(url);
    assert.equal(anonymous.status, 200);
    for (const reader of [...readers, anonymous]) reader.close();
  });

  it('says goodbye when the service stops, which does not wait for it', async () => {
    const { url, service } = await open();
    const readers = await Promise.all(Array.from({ length: 3 }, () => openStream(url)));
    await Promise.all(readers.map(ready));

    await service.close();

    for (const reader of readers) {
      await reader.ended;
      assert.deepEqual(reader.frames.at(-1), { event: 'bye', id: null, data: { reason: 'shutdown' } });
    }
  });

  it('loses and repeats nothing, whenever a reader comes, while many processes write', async () => {
    const database = await engine.openTestDatabase();
    const writers = [await engine.openTestApp({ database }), await engine.openTestApp({ database })];
    const services: Service[] = [];
    for (const app of [await engine.openTestApp({ database }), await engine.openTestApp({ database })]) {
      services.push(await startService(app));
    }
    const { ctx } = writers[0] ?? assert.fail();
    const sources = [await createSource(ctx), await createSource(ctx)];
    await post(ctx, sources[0]?.id ?? '', 120);
    const total = 120 + 2 * 20 * 12;

    const writing = writers.map(async (app, index) => {
      for (let batch = 0; batch < 20; batch += 1) await post(app.ctx, sources[index]?.id ?? '', 12);
    });
    const reading = Array.from({ length: 12 }, async (_, index) => {
      // Each client connects at a different moment, and again after a disconnect.
      const url = `${services[index % 2]?.url}/v1/releases/stream`;
      const first = await openStream(`${url}?since=0`);
      await got(first, 60 + index * 20);
      first.close();
      const last = first.frames.filter(({ id }) => id !== null).at(-1)?.id ?? '';
      const seen = first.seqs();
      const second = await openStream(url, { 'Last-Event-ID': last });
      await got(second, total - seen.length);
      second.close();
      return [...seen, ...second.seqs()];
    });
    await Promise.all(writing);

    const expected = Array.from({ length: total }, (_, index) => index + 1);
    for (const seqs of await Promise.all(reading)) assert.deepEqual(seqs, expected);
  });
});
