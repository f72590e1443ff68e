import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INLINE_CHARS, pooledTasks } from '../threads/documents.ts';
import type { FetchResult } from './result.ts';
import { createRobotsCache } from './robots-cache.ts';
import { createRobotsMemory } from './robots-memory.ts';
import type { FetchRequest } from './trip.ts';

const HOUR = 3_600_000;
const DISALLOW = 'User-agent: *\nDisallow: /private\nCrawl-delay: 7';

function answer(status: number, text = ''): FetchResult {
  const body = Buffer.from(text);
  const trip = { redirects: [], requests: 1, bytes: body.length };
  return { ok: true, status, headers: {}, body, truncated: false, finalUrl: '', ...trip };
}

const noAnswer: FetchResult = {
  ...{ ok: false, failure: 'timeout', code: 'total', detail: '', status: null, url: '' },
  ...{ redirects: [], requests: 1, bytes: 0 },
};

function setUp(...answers: FetchResult[]) {
  let time = 0;
  const requested: FetchRequest[] = [];
  const delays: [host: string, ms: number][] = [];
  const cache = createRobotsCache({
    clock: () => new Date(time),
    fetch: async (request) => {
      requested.push(request);
      return answers[requested.length - 1] ?? noAnswer;
    },
    gate: { setDelay: (...delay) => delays.push(delay) },
  });
  const allows = async (path: string) => (await cache.check(`https://acme.dev${path}`)).allowed;
  const pass = (ms: number) => {
    time += ms;
  };
  return { cache, requested, delays, allows, pass };
}

describe('robots cache', () => {
  it('reads the file once in 24 hours', async () => {
    const { allows, requested, pass } = setUp(answer(200, DISALLOW), answer(200, ''));
    assert.deepEqual([await allows('/'), await allows('/private')], [true, false]);
    pass(24 * HOUR - 1);
    assert.deepEqual([await allows('/private'), requested.length], [false, 1]);
    pass(1);
    assert.deepEqual([await allows('/private'), requested.length], [true, 2]);
    assert.equal(requested[0]?.url, 'https://acme.dev/robots.txt');
  });

  it('reads a long file on a thread, with the same verdict', async () => {
    const long = `${'# of no interest\n'.repeat(MAX_INLINE_CHARS / 10)}${DISALLOW}`;
    const before = pooledTasks();
    const { allows, delays } = setUp(answer(200, long));
    assert.deepEqual([await allows('/'), await allows('/private')], [true, false]);
    assert.deepEqual(delays.at(-1), ['acme.dev', 7000]);
    assert.equal(pooledTasks() - before, 2);
  });

  for (const status of [401, 403, 404, 410, 429]) {
    it(`${status} allows everything for 24 hours`, async () => {
      const { allows, requested, pass } = setUp(answer(status, 'User-agent: *\nDisallow: /'));
      assert.equal(await allows('/private'), true);
      pass(24 * HOUR - 1);
      await allows('/');
      assert.equal(requested.length, 1);
    });
  }

  for (const [name, result] of [
    ['500', answer(500)],
    ['503', answer(503)],
    ['no answer', noAnswer],
  ] as const) {
    it(`${name} allows nothing for an hour`, async () => {
      const { cache, requested, pass } = setUp(result, answer(200, DISALLOW));
      const failure = result.ok ? { kind: 'status', status: result.status } : { kind: 'request', failure: result };
      const closed = { allowed: false, because: 'no_answer', crawlDelayMs: null, failure };
      assert.deepEqual(await cache.check('https://acme.dev/'), closed);
      pass(HOUR - 1);
      assert.deepEqual(await cache.check('https://acme.dev/'), closed);
      assert.equal(requested.length, 1);
      pass(1);
      assert.deepEqual(await cache.check('https://acme.dev/'), {
        allowed: true,
        because: 'rules',
        crawlDelayMs: 7_000,
      });
    });
  }

  it('asks once for callers at the same time, and for each origin apart', async () => {
    const { cache, requested } = setUp(answer(200, DISALLOW), answer(404));
    const urls = ['https://acme.dev/private', 'https://acme.dev/', 'http://acme.dev/private'];
    const verdicts = await Promise.all(urls.map((url) => cache.check(url)));
    assert.deepEqual(
      verdicts.map(({ allowed }) => allowed),
      [false, true, true],
    );
    assert.equal(requested.length, 2);
  });

  it('tells the gate of a crawl delay', async () => {
    const { cache, delays } = setUp(answer(200, DISALLOW));
    await cache.check('https://acme.dev:8443/');
    assert.deepEqual(delays, [['acme.dev:8443', 7_000]]);
  });

  it('reads at most 500 KiB and takes the beginning', async () => {
    const { allows, requested } = setUp(answer(200, DISALLOW));
    await allows('/');
    assert.deepEqual([requested[0]?.limits?.maxBytes, requested[0]?.overflow], [500 * 1024, 'cut']);
  });

  it('a caller that stops waiting does not spoil the answer for others', async () => {
    const { cache, requested } = setUp(answer(200, DISALLOW));
    const controller = new AbortController();
    const [stopped, patient] = [cache.check('https://acme.dev/', controller.signal), cache.check('https://acme.dev/')];
    controller.abort();
    assert.equal((await stopped).allowed, false);
    assert.equal((await patient).allowed, true);
    assert.equal(requested.length, 1);
  });

  it('what is no web address is not allowed', async () => {
    const { cache, requested } = setUp();
    assert.equal((await cache.check('mailto:a@acme.dev')).allowed, false);
    assert.equal((await cache.check('nothing')).allowed, false);
    assert.equal(requested.length, 0);
  });
});

describe('robots memory', () => {
  it('forgets the oldest when texts grow too large or too many', async () => {
    const memory = createRobotsMemory(10, 3);
    for (const name of ['a', 'b', 'c', 'd']) await memory.set(name, { text: 'xxx', until: 1 });
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => memory.get(name) !== undefined),
      [false, true, true, true],
    );
    await memory.set('e', { text: 'xxxxxxx', until: 1 });
    assert.deepEqual(
      ['b', 'c', 'd', 'e'].map((name) => memory.get(name) !== undefined),
      [false, false, true, true],
    );
    await memory.set('f', { text: 'longer than everything', until: 1 });
    assert.deepEqual(
      ['d', 'e', 'f'].map((name) => memory.get(name) !== undefined),
      [false, false, true],
    );
  });
});
