import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAnswer } from '../kernel/answer.ts';
import { ByteCache } from './byte-cache.ts';

function setUp(mostBytes: number) {
  const state = { version: 1, now: 0 };
  const changes = {
    mark: () => state.version,
    changedSince: (mark: number) => mark < state.version,
    version: () => state.version,
  };
  const cache = new ByteCache({ changes, now: () => state.now, mostBytes });
  const keep = (url: string, size: number, mark = state.version) =>
    cache.store(url, {
      format: 'json',
      offered: { formats: ['json'], types: ['application/json'] },
      mark,
      madeAt: mark,
      dependencies: null,
      seconds: 60,
      route: '/x',
      isCounted: true,
      answer: createAnswer({ status: 200, headers: [], body: 'x'.repeat(size), tagged: true }),
    });
  const holds = (url: string) => {
    cache.refresh();
    return cache.find(url, 'json') !== null;
  };
  return { state, cache, keep, holds };
}

describe('byte cache', () => {
  it('stays within its bytes and drops what was not read', () => {
    const { cache, keep, holds } = setUp(100_000);
    for (let i = 0; i < 20; i += 1) keep(`/${i}`, 2000);
    const kept = Array.from({ length: 20 }, (_, i) => holds(`/${i}`)).filter(Boolean).length;
    assert.ok(cache.bytes <= 100_000 && kept === cache.size && kept >= 10, `${kept} kept in ${cache.bytes}`);

    const { cache: other, keep: add, holds: has } = setUp(100_000);
    for (let i = 0; i < 11; i += 1) add(`/${i}`, 2000);
    for (let i = 11; i < 40; i += 1) {
      assert.ok(has('/3'));
      add(`/${i}`, 2000);
    }
    assert.ok(has('/3') && other.bytes <= 100_000);
  });

  it('does not keep what would push out everything else', () => {
    const { keep, holds } = setUp(100_000);
    keep('/huge', 20_000);
    assert.equal(holds('/huge'), false);
  });

  it('counts a replaced answer once', () => {
    const { cache, keep } = setUp(1_000_000);
    keep('/a', 4000);
    const { bytes } = cache;
    keep('/a', 4000);
    assert.equal(cache.bytes, bytes);
  });

  it('keeps a short body as a text once it is read often, and counts both', () => {
    const { state, cache, keep, holds } = setUp(1_000_000);
    const sentAfter = (url: string, hits: number) => {
      cache.refresh();
      const cached = cache.find(url, 'json');
      const slot = cache.peek(url);
      assert.ok(slot && cached?.answer.body);
      const response = { lines: [], version: 1, body: cached.answer.body, hits: 0 };
      for (let hit = 0; hit < hits; hit += 1) cache.countHit(slot, cached, response);
      return typeof response.body;
    };
    keep('/short', 4000);
    keep('/long', 20_000);
    const { bytes } = cache;
    assert.deepEqual([sentAfter('/short', 2), sentAfter('/long', 100), cache.bytes], ['object', 'object', bytes]);
    assert.deepEqual([sentAfter('/short', 100), cache.bytes], ['string', bytes + 4000]);
    state.version = 2;
    assert.deepEqual([holds('/short'), holds('/long'), cache.bytes], [false, false, 0]);
  });

  it('is empty after a new version, and refuses answers read before it', () => {
    const { state, cache, keep, holds } = setUp(100_000);
    keep('/a', 10);
    state.version = 2;
    assert.equal(holds('/a'), false);
    assert.equal(cache.bytes, 0);
    keep('/b', 10, 1);
    assert.equal(holds('/b'), false);
    keep('/b', 10);
    assert.equal(holds('/b'), true);
  });

  it('holds what a change does not concern, and refuses what changed while it was read', () => {
    const changed = new Map<string, number>();
    let mark = 1;
    const changes = {
      mark: () => mark,
      version: () => mark,
      changedSince: (since: number, ids: ReadonlySet<string> | null) =>
        ids === null ? mark > since : [...ids].some((id) => (changed.get(id) ?? 0) > since),
    };
    const cache = new ByteCache({ changes, now: () => 0 });
    const store = (url: string, dependencies: ReadonlySet<string> | null) =>
      cache.store(url, {
        format: 'json',
        offered: { formats: ['json'], types: ['application/json'] },
        mark: 1,
        madeAt: 1,
        dependencies,
        seconds: 60,
        route: '/x',
        isCounted: true,
        answer: createAnswer({ status: 200, headers: [], body: '{}', tagged: true }),
      });
    const addresses = { '/a': new Set(['org_a']), '/b': new Set(['org_b']), '/all': null };
    const held = () => {
      cache.refresh();
      return Object.keys(addresses).filter((url) => cache.find(url, 'json') !== null);
    };
    for (const [url, dependencies] of Object.entries(addresses)) store(url, dependencies);
    assert.deepEqual(held(), ['/a', '/b', '/all']);

    mark = 2;
    changed.set('org_a', 2);
    assert.deepEqual(held(), ['/b']);
    for (const [url, dependencies] of Object.entries(addresses)) store(url, dependencies);
    assert.deepEqual(held(), ['/b']);
  });

  it('looks at the version once a turn', async () => {
    const { state, cache, keep } = setUp(100_000);
    keep('/a', 10);
    const held = (at: number) => {
      cache.refreshOncePerTurn(at);
      return cache.find('/a', 'json') !== null;
    };
    assert.equal(held(5), true);
    state.version = 2;
    assert.equal(held(5.5), true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(held(5.6), false);

    keep('/a', 10);
    assert.equal(held(5.7), true);
    state.version = 3;
    assert.equal(held(6.6), false);
  });
});
