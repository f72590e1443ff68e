// Releases that their author has withdrawn: gone from feeds and search, but not from version ranges.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import { changeListing } from '../../src/releases/write/change-listing.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const FIXED = '### Fixed\n- Crash on start of the second window';

forEachEngine('withdrawn releases', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine);
  });

  const idOf = async (sourceId: string, version: string) => {
    const rows = world.ctx.store.read.selectFrom('releases').select('id').where('source_id', '=', sourceId);
    return (await rows.where('version', '=', version).executeTakeFirstOrThrow()).id;
  };
  // As an adapter or a changelog file withdraws it.
  const withdraw = async (sourceId: string, version: string, reason = 'yanked') => {
    const id = await idOf(sourceId, version);
    const fact = { suppressed: 1, suppressed_reason: reason, suppressed_by: 'source' } as const;
    await transact(world.ctx, (ctx) => changeListing(ctx, id, fact));
    return id;
  };
  const fill = () =>
    world.fill([
      { version: '1.0.0', content: FIXED },
      { version: '2.0.0', content: BREAKING, title: 'Zanzibar cleanup' },
      { version: '2.0.1', content: FIXED },
      { version: '2.1.0', content: FIXED },
    ]);

  for (const reason of ['yanked', 'withdrawn']) {
    it(`${reason}: is in the range with its verdict, marked, and nowhere else`, async () => {
      const { id: sourceId, slug } = await fill();
      const id = await withdraw(sourceId, '2.0.0', reason);

      const answer = await world.ask({ package: slug, from: '1.0.0', to: '2.1.0' });
      const feed = await world.service.anonymous.get(`/v1/sources/${sourceId}/releases`);
      const search = await world.service.anonymous.get('/v1/search?q=zanzibar');

      const { body } = answer;
      assert.deepEqual(versionsOf(answer), ['2.0.0', '2.0.1', '2.1.0']);
      assert.deepEqual(
        body.entries.map((entry: { withdrawn?: true }) => entry.withdrawn),
        [true, undefined, undefined],
      );
      assert.deepEqual(
        [body.worst, body.total, body.summary],
        [
          'major',
          3,
          { breaking: { major: 1, minor: 0, none: 2, unknown: 0 }, firstBreaking: '2.0.0', unnoted: 0, security: 0 },
        ],
      );
      assert.equal(feed.text.includes(id), false);
      assert.equal(search.text.includes(id), false);
      assert.deepEqual((await world.ask({ package: slug, from: '2.0.0', to: '2.1.0' })).body.history.complete, true);
    });
  }

  it('has a page that says so, without an entry in search engines, and an address in the API', async () => {
    const { id: sourceId } = await fill();
    const id = await withdraw(sourceId, '2.0.0');

    const page = await world.service.anonymous.get(`/release/${id}`);
    const { status, body } = await world.service.anonymous.get(`/v1/releases/${id}`);

    assert.deepEqual([page.status, status], [200, 200]);
    assert.match(page.text, /withdrawn/i);
    assert.match(page.text, /<meta name="robots" content="noindex/);
    assert.deepEqual([body.suppressed, body.suppressedReason, body.suppressedBy], [true, 'yanked', 'source']);
  });

  it('stays hidden when an operator suppressed it, whatever the reason says, before or after its author', async () => {
    const { id: sourceId, slug } = await fill();
    const before = await idOf(sourceId, '2.0.0');
    const after = await withdraw(sourceId, '2.0.1');
    await suppressRelease(world.ctx, before, { suppressed: true, reason: 'yanked' });
    await suppressRelease(world.ctx, after, { suppressed: true, reason: 'withdrawn' });

    const answer = await world.ask({ package: slug, from: '1.0.0', to: '2.1.0' });

    assert.deepEqual(versionsOf(answer), ['2.1.0']);
    for (const id of [before, after]) {
      assert.equal((await world.service.anonymous.get(`/v1/releases/${id}`)).status, 404);
      const { body } = await world.service.root.get(`/v1/releases/${id}`);
      assert.deepEqual([body.suppressed, body.suppressedBy], [true, 'operator']);
    }
    const bound = (await world.ask({ package: slug, from: '1.0.0', to: '2.0.1' })).body;
    assert.deepEqual([bound.reason, bound.history.complete], ['history_gap', false]);
  });

  it('is in every answer of a batch that asks for one package often', async () => {
    const { id: sourceId, slug } = await fill();
    await withdraw(sourceId, '2.0.0');
    const bounds = ['2.0.0', '2.0.1', '2.1.0', 'latest', '2.x'];
    const items = bounds.map((to) => ({ package: slug, from: '1.0.0', to }));

    const { body } = await world.service.anonymous.post('/v1/whats-changed/batch', { items });

    assert.deepEqual(
      body.items.map((item: { worst: string; total: number }) => [item.worst, item.total]),
      [1, 2, 3, 3, 3].map((total) => ['major', total]),
    );
  });

  it('of a hidden source is as hidden as the source', async () => {
    const { id: sourceId } = await fill();
    const id = await withdraw(sourceId, '2.0.0');
    await world.service.root.patch(`/v1/sources/${sourceId}`, { isHidden: true });

    assert.equal((await world.service.anonymous.get(`/v1/releases/${id}`)).status, 404);
    assert.equal((await world.service.anonymous.get(`/release/${id}`)).status, 404);
  });
});
