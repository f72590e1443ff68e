// Bounds of an upgrade that are tags of the package at its registry.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { putPackage } from '../../src/entities/packages/put.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { listPublished } from './published.ts';
import { openUpgradeWorld, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const VERSIONS = ['1.0.0', '1.1.0', '2.0.0-beta.1', '2.0.0-beta.2'];
const TAGS = { latest: '1.1.0', next: '2.0.0-beta.2', old: '1.0.0' };
const DAY_MS = 86_400_000;

forEachEngine('tags of a package as bounds', (engine) => {
  let world: UpgradeWorld;
  let clock: MovableClock;
  before(async () => {
    clock = movableClock('2026-06-01T12:00:00.000Z');
    world = await openUpgradeWorld(engine, { clock });
    const source = await world.fill([...VERSIONS, 'next'], { slug: 'lamp-site' });
    await putPackage(world.ctx, { ecosystem: 'npm', name: 'lamp', sourceId: source.id });
    await listPublished(world.ctx, 'lamp', VERSIONS, { latest: '1.1.0', tags: TAGS });
    await listPublished(world.ctx, 'unmapped', VERSIONS, { latest: '1.1.0', tags: TAGS });
  });

  const ask = (from: string, to: string, more: Record<string, string> = {}) =>
    world.ask({ package: 'lamp', ecosystem: 'npm', from, to, ...more });

  it('are read before names of versions, on either side', async () => {
    const ahead = await ask('1.0.0', 'next');
    assert.equal(ahead.status, 200, JSON.stringify(ahead.body));
    assert.deepEqual([ahead.body.from, ahead.body.to], ['1.0.0', 'next']);
    assert.deepEqual([ahead.body.fromVersion, ahead.body.toVersion], ['1.0.0', '2.0.0-beta.2']);
    assert.deepEqual(versionsOf(ahead), VERSIONS.slice(1));
    const between = await ask('old', 'latest');
    assert.deepEqual([between.body.fromVersion, between.body.toVersion], ['1.0.0', '1.1.0']);
    const ofSource = await world.ask({ package: 'lamp-site', from: 'latest', to: 'NEXT' });
    assert.deepEqual([ofSource.body.fromVersion, ofSource.body.toVersion], ['1.1.0', '2.0.0-beta.2']);
    const { body } = await ask('1.0.0', 'old');
    assert.deepEqual([body.reason, body.entries], ['same_version', []]);
  });

  it('that do not exist are told with those that do, as the bound that they are', async () => {
    for (const name of ['lamp', 'unmapped']) {
      for (const [from, to, parameter] of [
        ['1.0.0', 'nxt', 'to'],
        ['nxt', '1.1.0', 'from'],
        ['nxt', 'latest', 'from'],
      ] as const) {
        const { status, body } = await ask(from, to, { package: name });
        assert.equal(status, 400, `${name} ${from} ${to}`);
        assert.deepEqual(body.error.details, { parameter, reason: 'unknown_version' });
        assert.match(
          body.error.message,
          new RegExp(`^${parameter}: "nxt" is .*; the package has the tags next, latest, old$`),
        );
      }
    }
  });

  it('lead to a version of a package that nobody has notes of, in a batch too', async () => {
    const items = ['lamp', 'unmapped'].map((name) => ({ package: name, ecosystem: 'npm', from: 'latest', to: 'next' }));
    const { body } = await world.service.anonymous.post('/v1/whats-changed/batch', { items });
    const bounds = body.items.map((item: Record<string, string>) => [item.from, item.fromVersion, item.toVersion]);
    assert.deepEqual(bounds, Array(2).fill(['latest', '1.1.0', '2.0.0-beta.2']));
    assert.equal(body.items[1].history.published, 2);
  });

  it('name the versions of a comparison', async () => {
    const compared = (from: string, to: string) =>
      world.service.anonymous.get(`/v1/packages/npm/lamp/compare?${new URLSearchParams({ from, to })}`);
    const { status, body } = await compared('old', 'next');
    assert.deepEqual([status, body.from, body.to], [200, '1.0.0', '2.0.0-beta.2']);
    const wrong = await compared('old', 'nxt');
    assert.deepEqual([wrong.status, wrong.body.error.details], [400, { field: 'to' }]);
    assert.match(wrong.body.error.message, /the tags next, latest, old$/);
  });

  it('of a listing that is too old say nothing', async () => {
    clock.move(15 * DAY_MS);
    const { status, body } = await ask('1.0.0', 'nxt');
    assert.deepEqual([status, body.error.message], [400, 'to: "nxt" is neither a readable version nor a stored one']);
  });
});
