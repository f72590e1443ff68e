import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { adapterInput, keepValidators } from '../../../../test/support/adapter-input.ts';
import {
  type Answer,
  conditional,
  type OutsideWorld,
  startOutsideWorld,
} from '../../../../test/support/outside-world.ts';
import type { AdapterInput, AdapterResult, Validator } from '../contract.ts';
import { ATOM, JSON_FEED, RDF, RSS } from '../feed-document/feeds.fixture.ts';
import { fetchFeed } from './adapter.ts';

const VALIDATORS = { etag: 'W/"a1-gzip"', 'last-modified': 'Mon, 15 Jan 2024 10:00:00 GMT' };
const EMPTY = '<rss version="2.0"><channel><title>K</title></channel></rss>';

describe('feed adapter', () => {
  let world: OutsideWorld;
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
  });

  const feedUrl = () => `${world.url}/feed.xml`;
  const poll = (options: Partial<AdapterInput> & { stored?: number } = {}, limits = {}) =>
    fetchFeed(world.context({ rules: { limits } }), adapterInput({ feed_url: feedUrl() }, options));

  const stored = (validator: Partial<Validator> = {}): Validator[] => [
    { endpoint: feedUrl(), etag: null, lastModified: null, contentHash: null, tokenFingerprint: null, ...validator },
  ];

  describe('a first fetch', () => {
    const formats: [name: string, body: string, type: string, items: number][] = [
      ['RSS', RSS, 'rss', 3],
      ['RDF', RDF, 'rss', 1],
      ['Atom', ATOM, 'atom', 1],
      ['JSON Feed', JSON_FEED, 'jsonfeed', 1],
    ];
    for (const [name, body, type, count] of formats) {
      it(`${name}, whatever the server calls it`, async () => {
        world.route('/feed.xml', { body, headers: { ...VALIDATORS, 'content-type': 'text/plain' } });
        const result = await poll();
        assert.equal(result.outcome, 'success');
        assert.equal(result.items.length, count);
        assert.equal(result.items[0]?.title, 'Kettle 2.4 is out');
        assert.deepEqual(result.sourceChanges, { feed_type: type });
        const [validator] = result.validators;
        assert.equal(validator?.endpoint, feedUrl());
        assert.equal(validator?.etag, VALIDATORS.etag);
        assert.equal(validator?.lastModified, VALIDATORS['last-modified']);
        assert.match(validator?.contentHash ?? '', /^[0-9a-f]{64}$/);
        assert.equal(result.httpStatus, 200);
        assert.equal(result.requests, 1);
        assert.equal(result.bytes, Buffer.byteLength(body));
      });
    }

    it('asks for feeds and takes anything', async () => {
      world.route('/feed.xml', RSS);
      await poll();
      assert.match(String(world.requests[0]?.headers.accept), /application\/atom\+xml.*\*\/\*;q=0\.1$/);
    });

    it('states no condition', async () => {
      world.route('/feed.xml', RSS);
      await poll({ validators: stored({ etag: '"x"' }) });
      assert.equal(world.requests[0]?.headers['if-none-match'], undefined);
    });

    it('of a packed feed in another encoding', async () => {
      const body = Buffer.from(RSS.replace('is out', 'is d\xe9j\xe0'), 'latin1');
      world.route('/feed.xml', { body, gzip: true, headers: { 'content-type': 'text/xml; charset=windows-1252' } });
      assert.equal((await poll()).items[0]?.title, 'Kettle 2.4 is déjà');
    });

    it('of at most so many items keeps no validators', async () => {
      world.route('/feed.xml', { body: RSS, headers: VALIDATORS });
      const { items, validators } = await poll({ max: 2 });
      assert.deepEqual(
        items.map(({ guid }) => guid),
        ['k-3', 'k-2'],
      );
      assert.deepEqual(validators, []);
    });
  });

  describe('a later fetch', () => {
    it('echoes both validators and takes 304 for no change', async () => {
      world.route('/feed.xml', conditional({ body: RSS, headers: VALIDATORS }));
      const first = await poll();
      const second = await poll({ stored: 3, validators: first.validators });
      assert.equal(second.outcome, 'no_change');
      assert.equal(second.httpStatus, 304);
      assert.deepEqual(second.items, []);
      assert.deepEqual(second.validators, []);
      assert.equal(second.requests, 1);
      assert.equal(world.requests[1]?.headers['if-none-match'], VALIDATORS.etag);
      assert.equal(world.requests[1]?.headers['if-modified-since'], VALIDATORS['last-modified']);
    });

    it('takes the same items for no change', async () => {
      world.route('/feed.xml', RSS);
      const first = await poll();
      const items = RSS.match(/<item>[\s\S]*?<\/item>/g) ?? [];
      const shuffled = RSS.replace(items.join('\n  '), items.toReversed().join('\n')).replace(
        '01 Jun 2024 00',
        '02 Jun 2024 00',
      );
      assert.notEqual(shuffled, RSS);
      world.route('/feed.xml', { body: shuffled, headers: { etag: '"new"' } });
      const second = await poll({ stored: 3, validators: first.validators });
      assert.equal(second.outcome, 'no_change');
      assert.equal(second.httpStatus, 200);
      assert.equal(second.validators[0]?.etag, '"new"');
      assert.equal(second.validators[0]?.contentHash, first.validators[0]?.contentHash);
    });

    it('finds a changed item', async () => {
      world.route('/feed.xml', RSS);
      const first = await poll();
      world.route('/feed.xml', RSS.replace('Faster boil', 'Much faster boil'));
      const second = await poll({ stored: 3, validators: first.validators });
      assert.equal(second.outcome, 'success');
      assert.equal(second.items.length, 3);
    });

    it('keeps no validators of another address', async () => {
      world.route('/feed.xml', RSS);
      await poll({
        stored: 3,
        validators: [{ ...stored({ etag: '"x"' })[0], endpoint: 'https://other.example/' } as Validator],
      });
      assert.equal(world.requests[0]?.headers['if-none-match'], undefined);
    });
  });

  describe('an empty feed', () => {
    it('of a source without releases is no change', async () => {
      world.route('/feed.xml', { body: EMPTY, headers: VALIDATORS });
      assert.equal((await poll()).outcome, 'no_change');
    });

    it('of a source with releases is empty, and keeps no validators', async () => {
      world.route('/feed.xml', { body: EMPTY, headers: VALIDATORS });
      const { outcome, validators, detail } = await poll({ stored: 3, validators: stored({ etag: '"x"' }) });
      assert.equal(outcome, 'empty');
      assert.equal(detail, 'no entries in a valid document');
      assert.deepEqual(validators, []);
    });
  });

  describe('failure', () => {
    const challenge = '<html><head><title>Just a moment...</title></head><body></body></html>';
    const html = { 'content-type': 'text/html' };
    const rows: [name: string, answer: Answer, outcome: string, detail: string | RegExp, retryAt?: string][] = [
      ['404', { status: 404 }, 'gone', 'http 404'],
      ['410', { status: 410 }, 'gone', 'http 410'],
      ['401', { status: 401 }, 'blocked', 'http 401'],
      ['403', { status: 403 }, 'blocked', 'http 403'],
      ['403 with marks', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, 'throttled', 'http 403'],
      ['451', { status: 451 }, 'blocked', 'http 451'],
      ['429', { status: 429, headers: { 'retry-after': '3600' } }, 'throttled', 'http 429', '2024-06-01T13:00:00.000Z'],
      [
        '503 that says when',
        { status: 503, headers: { 'retry-after': '60' } },
        'throttled',
        'http 503',
        '2024-06-01T12:01:00.000Z',
      ],
      ['503', { status: 503 }, 'unreachable', 'http 503'],
      ['500', { status: 500, body: RSS }, 'unreachable', 'http 500'],
      ['challenge page', { status: 200, body: challenge, headers: html }, 'blocked', 'challenge page, http 200'],
      ['challenge page as 403', { status: 403, body: challenge, headers: html }, 'blocked', 'challenge page, http 403'],
      [
        'a page',
        { body: '<!doctype html><html><p>Hello</p></html>', headers: html },
        'malformed',
        'a page, not a feed',
      ],
      ['something else', { body: 'plain words' }, 'malformed', 'not a feed'],
      ['nothing', { status: 204 }, 'malformed', 'the body is empty'],
      ['other JSON', { body: '{"items":[]}' }, 'malformed', 'JSON, but no JSON Feed'],
      ['304 that nobody asked for', { status: 304 }, 'malformed', '304 without a condition'],
      ['beyond repair', { body: RSS.slice(0, 500) }, 'malformed', 'cut off before the end of the first item'],
      ['too large', { body: RSS + ' '.repeat(9000) }, 'malformed', /^too_large: /],
      ['too large when unpacked', { body: RSS + ' '.repeat(9000), gzip: true }, 'malformed', /^too_large: /],
      ['broken packing', { body: 'no gzip', headers: { 'content-encoding': 'gzip' } }, 'malformed', /^broken_data: /],
      ['slow', { hang: true }, 'timeout', 'no answer within 0.3 s'],
      ['reset', { reset: true }, 'unreachable', /^connection_reset: /],
      ['a body that breaks off', { body: RSS, cutAfter: 200 }, 'unreachable', /^connection_reset: /],
      ['redirect in a circle', { status: 302, headers: { location: '/feed.xml' } }, 'error', 'redirect in a circle'],
      [
        'redirect to a private address',
        { status: 302, headers: { location: 'http://10.0.0.1/' } },
        'error',
        'target refused: private_address',
      ],
    ];
    for (const [name, answer, outcome, detail, retryAt] of rows) {
      it(`${name}: ${outcome}`, async () => {
        world.route('/feed.xml', answer);
        const result = await poll({ stored: 3 }, { maxBytes: 8000, firstByteMs: 300 });
        assert.equal(result.outcome, outcome);
        if (typeof detail === 'string') assert.equal(result.detail, detail);
        else assert.match(result.detail ?? '', detail);
        assert.equal(result.retryAt, retryAt ?? null);
        assert.deepEqual(result.items, []);
        assert.deepEqual(result.validators, []);
        assert.deepEqual(result.sourceChanges, {});
      });
    }

    it('nobody there: unreachable', async () => {
      const gone = await startOutsideWorld();
      await gone.close();
      const result = await fetchFeed(world.context(), adapterInput({ feed_url: `${gone.url}/feed.xml` }));
      assert.equal(result.outcome, 'unreachable');
      assert.match(result.detail ?? '', /^connection_refused/);
    });

    it('a broken feed is repaired, and the repairs are noted', async () => {
      world.route('/feed.xml', RSS.replace('is out</title>', 'is out & about').slice(0, -60));
      const result = await poll();
      assert.equal(result.outcome, 'success');
      assert.deepEqual(result.notes, [
        'bare ampersands kept as text',
        'unclosed tags closed',
        'cut off: complete items kept',
      ]);
    });
  });

  describe('406', () => {
    it('is answered with a second request that takes anything', async () => {
      world.route('/feed.xml', ({ headers }) => (headers.accept === '*/*' ? RSS : { status: 406 }));
      const result = await poll();
      assert.equal(result.outcome, 'success');
      assert.equal(result.requests, 2);
    });

    it('twice is an error', async () => {
      world.route('/feed.xml', { status: 406 });
      const result = await poll();
      assert.equal(result.outcome, 'error');
      assert.equal(result.detail, 'http 406');
      assert.equal(world.requests.length, 2);
    });
  });

  describe('redirects', () => {
    const run = async (polls: readonly [status: number, location: string][]): Promise<AdapterResult[]> => {
      let validators: Validator[] = [];
      let memory: AdapterResult['memory'] = {};
      const results: AdapterResult[] = [];
      for (const [status, location] of polls) {
        world.route('/feed.xml', status === 200 ? RSS : { status, headers: { location } });
        const result = await poll({ stored: 3, validators, memory });
        validators = keepValidators(validators, result);
        memory = { ...memory, ...result.memory };
        results.push(result);
      }
      return results;
    };
    const changes = (results: AdapterResult[]) => results.map(({ sourceChanges }) => sourceChanges.feed_url);

    before(() => {
      world.route('/new.xml', conditional({ body: RSS, headers: VALIDATORS }));
      world.route('/other.xml', RSS);
      world.route('/gone.xml', { status: 404 });
      world.route('/on.xml', { status: 302, headers: { location: '/new.xml' } });
    });

    it('for good, three times in a row, replace the address', async () => {
      const results = await run([
        [301, '/new.xml'],
        [308, '/new.xml'],
        [301, '/new.xml'],
      ]);
      assert.deepEqual(changes(results), [undefined, undefined, `${world.url}/new.xml`]);
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['success', 'no_change', 'no_change'],
      );
      const last = results[2]?.validators.find(({ endpoint }) => endpoint === `${world.url}/new.xml`);
      assert.equal(last?.etag, VALIDATORS.etag);
      assert.deepEqual(results[2]?.notes, ['feed moved for good: address replaced']);
    });

    it('for now never do', async () => {
      const results = await run([
        [302, '/new.xml'],
        [307, '/new.xml'],
        [302, '/new.xml'],
        [302, '/new.xml'],
      ]);
      assert.deepEqual(changes(results), [undefined, undefined, undefined, undefined]);
    });

    it('are counted anew after another target or none', async () => {
      const results = await run([
        [301, '/new.xml'],
        [301, '/other.xml'],
        [301, '/new.xml'],
        [200, ''],
        [301, '/new.xml'],
        [301, '/new.xml'],
      ]);
      assert.deepEqual(changes(results), Array(6).fill(undefined));
    });

    it('to a feed that fails do not count', async () => {
      const results = await run([
        [301, '/new.xml'],
        [301, '/new.xml'],
        [301, '/gone.xml'],
        [301, '/gone.xml'],
        [301, '/gone.xml'],
      ]);
      assert.deepEqual(changes(results), Array(5).fill(undefined));
    });

    it('count as far as they are for good', async () => {
      const results = await run([
        [301, '/on.xml'],
        [301, '/on.xml'],
        [301, '/on.xml'],
      ]);
      assert.equal(changes(results)[2], `${world.url}/on.xml`);
    });
  });
});
