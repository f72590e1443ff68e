// Many upgrades in one call.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { putPackage } from '../../src/entities/packages/put.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const PATH = '/v1/whats-changed/batch';
const LONG = { content: '### Fixed\n- Crash', summary: 's'.repeat(1000), title: 'T' };

forEachEngine('a batch of upgrades', (engine) => {
  let world: UpgradeWorld;
  let small: string;
  let large: string;
  before(async () => {
    world = await openUpgradeWorld(engine);
    small = (await world.fill(['1.0.0', '1.1.0', '1.2.0'])).slug;
    const versions = Array.from({ length: 250 }, (_, index) => ({ version: `1.${index}.0`, ...LONG }));
    large = (await world.fill(versions)).slug;
  });

  it('answers each item as a call of its own would, in order', async () => {
    const { ctx, fill, ask, service } = world;
    const mapped = await fill(['2.0.0', '2.1.0']);
    await putPackage(ctx, { ecosystem: 'npm', name: 'mapped', sourceId: mapped.id });
    const items = [
      { package: small, from: '1.0.0', to: '1.2.0' },
      { package: 'nobody', from: '1.0.0', to: '1.2.0' },
      { package: 'mapped', ecosystem: 'npm', from: '2.0.0', to: 'latest' },
      { package: small, from: '1.2.0', to: '1.0.0' },
      { package: small, from: '1.0.0', to: '1.2.0' },
      { package: mapped.id, from: 'Alder', to: '2.1.0' },
      { package: small, from: '1.2.0', to: 'latest', ecosystem: null },
    ];

    const { status, body, headers } = await service.anonymous.post(PATH, { items });

    assert.deepEqual([status, body.truncated, headers.get('cache-control')], [200, false, 'private, no-store']);
    assert.deepEqual(
      body.items.map(({ index }: { index: number }) => index),
      items.map((_, index) => index),
    );
    for (const [index, item] of items.entries()) {
      const { ecosystem, ...rest } = item;
      const alone = await ask({ ...rest, ...(ecosystem ? { ecosystem } : {}) });
      const expected = alone.status === 200 ? alone.body : { error: alone.body.error };
      assert.deepEqual(body.items[index], { index, ...expected });
    }
    assert.deepEqual(body.items[3].error.details, { parameter: 'from', reason: 'from_after_to' });
    assert.equal(body.items[5].error.details.reason, 'unknown_version');
  });

  it('shares one budget evenly and passes on what is left over', async () => {
    const { service } = world;
    const wide = { package: large, from: '1.0.0', to: '2.0.0' };
    const narrow = { package: small, from: '1.0.0', to: '1.2.0' };
    const cost = Math.ceil(1001 / 4);

    const two = (await service.anonymous.post(PATH, { items: [wide, narrow, wide] })).body;
    const one = (await service.anonymous.post(PATH, { items: [narrow, wide] })).body;

    const [first, middle, last] = two.items;
    assert.deepEqual([two.truncated, middle.truncated, middle.count], [true, false, 2]);
    const left = 40_000 - 2 * 64;
    assert.equal(first.count, Math.floor(left / 2 / cost));
    assert.deepEqual([last.count, last.tokenBudget], [first.count, Math.ceil(left / 2)]);
    assert.deepEqual([first.total, first.summary.breaking.none, first.omitted], [249, 249, 249 - first.count]);
    assert.equal(one.items[1].count, Math.floor(left / cost));
    assert.equal(first.entries.at(-1).version, '1.249.0');
  });

  it('keeps the newest of each of a hundred', async () => {
    const { service } = world;
    const items = Array.from({ length: 100 }, () => ({ package: large, from: '1.0.0', to: '1.249.0' }));

    const { status, body } = await service.anonymous.post(PATH, { items });

    assert.deepEqual([status, body.items.length], [200, 100]);
    for (const item of body.items) assert.deepEqual(versionsOf({ body: item } as never), ['1.249.0']);
  });

  it('refused: an item of a wrong shape is named by its index, a list of a wrong size is not', async () => {
    const { service } = world;
    const item = { package: small, from: '1.0.0', to: '1.2.0' };
    const cases: [unknown, number | undefined][] = [
      [{ items: [item, { ...item, to: 7 }] }, 1],
      [{ items: [item, item, { package: small, from: '1' }, 'x'] }, 2],
      [{ items: ['x'] }, 0],
      [{ items: [item, { ...item, ecosystem: 'cargo' }] }, 1],
      [{ items: [{ ...item, from: 'x'.repeat(201) }] }, 0],
      [{ items: [item, { ...item, package: 'a\u0007b' }] }, 1],
      [{ items: [{ ...item, package: '  ' }] }, 0],
      [{ items: [] }, undefined],
      [{ items: Array.from({ length: 101 }, () => item) }, undefined],
      [{}, undefined],
      [{ items: 'all' }, undefined],
    ];
    for (const [body, index] of cases) {
      const { status, body: answer } = await service.anonymous.post(PATH, body);
      assert.deepEqual(
        [status, answer.error.code, answer.error.details.index],
        [400, 'validation_failed', index],
        JSON.stringify(body).slice(0, 80),
      );
    }
  });

  it('heeds no idempotency key', async () => {
    const { ctx, service } = world;
    const items = [{ package: small, from: '1.0.0', to: '1.2.0' }];
    const key = { 'Idempotency-Key': 'short' };

    const first = await service.anonymous.post(PATH, { items }, key);
    const second = await service.anonymous.post(PATH, { items: [...items, ...items] }, key);

    assert.deepEqual([first.status, second.status, second.body.items.length], [200, 200, 2]);
    assert.equal(second.headers.get('idempotency-replayed'), null);
    assert.deepEqual(await ctx.store.read.selectFrom('idempotency').select('key').execute(), []);
  });
});

forEachEngine('a batch of upgrades under a limit', (engine) => {
  it('counts as one read for ten items', async () => {
    const env = { REGISTRY_RATE_PUBLIC: '12', REGISTRY_BASE_URL: 'https://registry.example' };
    const { service } = await openUpgradeWorld(engine, { env });
    const send = (count: number) => {
      const items = Array.from({ length: count }, (_, index) => ({ package: `p${index}`, from: '1', to: '2' }));
      return service.anonymous.post(PATH, { items });
    };
    const left = (answer: { headers: Headers }) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);

    const [one, many, wrong] = [await send(10), await send(95), await send(101)];
    const refused = await send(11);
    const still = await send(1);

    assert.deepEqual([one.status, left(one)], [200, 11]);
    assert.deepEqual([many.status, left(many)], [200, 1]);
    assert.deepEqual([wrong.status, left(wrong)], [400, 0]);
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(still.status, 429);
  });
});
