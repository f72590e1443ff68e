// Readings as readers of pages, programs and people at a terminal meet them.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { askerPriority } from '../../src/domain/readings/reading.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { publishSteps } from '../ingest/evidence-world.ts';
import { startRegistry } from '../ingest/npm-registry.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { openStream } from '../webhooks/stream-client.ts';

const QUESTION = 'package=forms&ecosystem=npm&from=1.0.0&to=latest';

forEachEngine('readings over HTTP', (engine) => {
  async function setUp(t: TestContext) {
    const registry = await startRegistry(t);
    publishSteps(registry, 'forms', { '1.0.0': ['open', 'close'], '2.0.0': ['open'] });
    const app = await engine.openTestApp({ env: { ...registry.env, REGISTRY_ASK: 'on' } });
    const { url, anonymous } = await startService(app);
    const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
    const read = async (path: string) => (await anonymous.get(path)).body;
    const work = () => createWorker(app.ctx, { tasks: createFetching() }).drain();
    const count = async () => (await app.ctx.store.read.selectFrom('readings').select('id').execute()).length;
    const priorityOf = async (id: string) =>
      (await app.ctx.store.read.selectFrom('readings').select('priority').where('id', '=', id).executeTakeFirst())
        ?.priority;
    return { registry, url, get, read, work, count, priorityOf };
  }

  it('a program waits for a change, and strangers to an id find nothing', async (t) => {
    const { registry, get, read, work, priorityOf } = await setUp(t);
    const { reading } = await read(`/v1/whats-changed?${QUESTION}`);
    assert.equal(reading.state, 'waiting');
    assert.deepEqual(registry.seen, []);
    const waiting = read(`/v1/readings/${reading.id}?wait=20`);
    // A worker passes over a job whose row is being written: it starts once the one who waits has hurried the reading.
    while ((await priorityOf(reading.id)) !== askerPriority('person')) await setImmediate();
    await work();
    assert.notEqual((await waiting).state, 'waiting');
    const ended = await read(`/v1/readings/${reading.id}?wait=20`);
    assert.deepEqual([ended.state, ended.package, ended.from, ended.to], ['done', 'forms', '1.0.0', 'latest']);
    assert.equal((await get('/v1/readings/rdg_AAAAAAAAAAAAAAAAAAAAAA')).status, 404);
    const answer = await read(`/v1/whats-changed?${QUESTION}`);
    assert.deepEqual([answer.reading, answer.judgement], [undefined, 'breaks']);
  });

  it('a page tells what is being read, renews itself, and sends nobody away', async (t) => {
    const { get, work } = await setUp(t);
    const before = await (await get(`/whats-changed?${QUESTION}`)).text();
    assert.match(before, /data-renew="rdg_[\w-]{22}"/);
    assert.match(before, /Its turn comes in a moment\. The answer fills in here\./);
    assert.match(before, /<noscript><p[^>]*><a href="\/whats-changed\?[^"]+">Show what is known by now<\/a>/);
    assert.doesNotMatch(before, /ask again|\breload\b|in a minute/i);
    await work();
    const after = await (await get(`/whats-changed?${QUESTION}`)).text();
    assert.match(after, /data-renew=""/);
    assert.match(after, /<code>close<\/code>/);
  });

  it('a stream tells each part as it is read, and ends with the reading', async (t) => {
    const { url, read, work } = await setUp(t);
    const { reading } = await read(`/v1/whats-changed?${QUESTION}`);
    const stream = await openStream(`${url}/v1/readings/${reading.id}/events`);
    await stream.until((frames) => frames.length > 0);
    assert.equal(Object(stream.frames[0]?.data).state, 'waiting');
    await work();
    await stream.ended;
    const last = stream.frames.findLast(({ event }) => event === 'reading');
    assert.deepEqual([Object(last?.data).state, stream.frames.at(-1)?.data], ['done', { reason: 'ended' }]);
    assert.equal((await openStream(`${url}/v1/readings/rdg_AAAAAAAAAAAAAAAAAAAAAA/events`)).status, 404);
  });

  it('a package that nobody knew is read for its page and its details', async (t) => {
    const { get, read, work } = await setUp(t);
    const { error } = await read('/v1/packages/npm/forms');
    assert.deepEqual([error.code, error.details.reading.state], ['not_found', 'waiting']);
    const page = await get('/packages/npm/forms');
    assert.equal(page.status, 404);
    assert.ok((await page.text()).includes(`data-renew="${error.details.reading.id}"`));
    assert.doesNotMatch(await (await get('/packages/npm/.forms')).text(), /data-renew/);
    await work();
    const known = await read('/v1/packages/npm/forms');
    assert.deepEqual([known.versions.published, known.reading], [2, undefined]);
    assert.equal((await get('/packages/npm/forms')).status, 200);
  });

  it('what nobody asked for orders nothing', async (t) => {
    const { url, get, count } = await setUp(t);
    await fetch(`${url}/v1/whats-changed?${QUESTION}`, { method: 'HEAD' });
    await get(`/whats-changed?${QUESTION}`, { 'Sec-Purpose': 'prefetch;prerender' });
    await get(`/v1/whats-changed?${QUESTION}`, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' });
    await get(`/whats-changed?${QUESTION}`, { 'User-Agent': 'Examplebot/1.0' });
    assert.equal(await count(), 0);
    await get(`/whats-changed?${QUESTION}`);
    assert.equal(await count(), 1, 'what they were answered is kept for nobody else');
  });
});
