// Run with `third-hook.ts`: what lists, spells, links, asks and refuses, with an ecosystem that only the table knows.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseReference } from '../../src/cli/client/references.ts';
import {
  ECOSYSTEMS,
  type Ecosystem,
  ecosystemOfFile,
  isEcosystem,
  normalizePackageName,
  publishedName,
} from '../../src/domain/ecosystems/index.ts';
import { packagePage, versionPage } from '../../src/domain/package-page.ts';
import { unknownHint } from '../../src/domain/upgrade/hints.ts';
import { lookupMethod } from '../../src/domain/upgrade/requested-package.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { packageOfPath } from '../../src/ingest/adapters/changelog/packed.ts';
import { listPublished } from '../insight/published.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { forEachEngine } from '../support/engines.ts';
import { ECOSYSTEM_TABLE } from './table.ts';

const rocks = 'rocks' as Ecosystem;
const NAMED = { ecosystem: rocks, name: 'flint-stone' };

describe('rules with a third ecosystem', () => {
  it('know its name, and no other', () => {
    assert.deepEqual(ECOSYSTEMS, Object.keys(ECOSYSTEM_TABLE));
    assert.ok(isEcosystem('rocks') && !isEcosystem('cargo'));
  });

  it('spell and link its packages', () => {
    assert.equal(normalizePackageName(rocks, 'Flint::Stone'), 'flint-stone');
    assert.equal(publishedName(rocks, 'flint_stone'), null);
    assert.equal(packagePage(NAMED), 'https://rocks.example/flint-stone');
    assert.equal(versionPage(NAMED, '1.0.0'), 'https://rocks.example/flint-stone#1.0.0');
    assert.deepEqual(
      [ecosystemOfFile('lockfiles', 'rocks.lock'), ecosystemOfFile('manifests', 'rocks.toml')],
      [rocks, rocks],
    );
  });

  it('ask for it by every form of a name', () => {
    const byName = { by: 'package_map', ...NAMED };
    assert.deepEqual(lookupMethod({ package: 'Rocks:Flint::Stone@1.0.0' }), byName);
    assert.deepEqual(lookupMethod({ package: 'Flint::Stone', ecosystem: rocks }), byName);
    const bare = lookupMethod({ package: 'flint' });
    assert.deepEqual(bare.by === 'slug' && bare.names.map(({ ecosystem }) => ecosystem), ['npm', 'pypi', 'rocks']);
    assert.match(unknownHint(bare, 'flint'), /ecosystem=pypi or ecosystem=rocks/);
    assert.deepEqual(parseReference('rocks:flint-stone', 'https://registry.example'), { by: 'package', ...NAMED });
    assert.deepEqual(packageOfPath('pkg:rocks/flint-stone/CHANGES.md'), NAMED);
  });
});

forEachEngine('a service with a third ecosystem', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine);
    const source = await world.fill(['1.0.0', '1.1.0', '2.0.0'], { name: 'Flintstone' });
    await putPackage(world.ctx, { ...NAMED, sourceId: source.id });
    await listPublished(world.ctx, 'flint-stone', ['1.0.0', '1.1.0', '2.0.0', '3.0.0-rc.1'], {
      ecosystem: rocks,
      latest: '1.1.0',
    });
  });
  const get = (path: string) => world.service.anonymous.get(path);

  it('tells a package with the highest stable version', async () => {
    const { status, body } = await get('/v1/packages/rocks/Flint::Stone');

    assert.equal(status, 200);
    assert.deepEqual([body.ecosystem, body.name, body.latest], ['rocks', 'flint-stone', '2.0.0']);
  });

  it('lists it', async () => {
    const { body } = await get('/v1/packages?ecosystem=rocks');

    assert.deepEqual(
      body.items.map(({ name }: { name: string }) => name),
      ['flint-stone'],
    );
  });

  it('answers what changed', async () => {
    const { body } = await world.ask({ package: 'Flint::Stone', ecosystem: rocks, from: '1.0.0', to: 'latest' });

    assert.deepEqual([body.status, body.ecosystem, body.toVersion], ['resolved', 'rocks', '2.0.0']);
  });

  it('compares nothing that nobody can compare', async () => {
    const { status, body } = await get('/v1/packages/rocks/flint-stone/compare?from=1.0.0&to=2.0.0');

    assert.deepEqual([status, body.status], [200, 'off']);
  });

  it('shows it by its words, with its command', async () => {
    const { text } = await world.service.anonymous.get('/packages/rocks/flint-stone', { Accept: 'text/html' });

    assert.match(text, /Rockpile, read /);
    assert.match(text, /rock add flint-stone 2\.0\.0/);
  });

  it('answers bots by the name of its datasource', async () => {
    const { status, body } = await get('/bots/renovate/rocks/flint-stone');

    assert.equal(status, 200);
    assert.equal(body.releases.length, 4);
  });

  it('refuses one that is in no table', async () => {
    assert.equal((await get('/v1/packages/cargo/flint-stone')).status, 404);
    assert.equal((await world.ask({ package: 'flint-stone', ecosystem: 'cargo', from: '1', to: '2' })).status, 400);
  });
});
