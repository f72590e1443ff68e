// Imported advisories on the version that an upgrade question starts from. Without imported data nothing is said of them.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type Advisory, readOsvRecord } from '../../src/domain/advisories/osv-record.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { storeAdvisories } from '../../src/packages/advisories/store-set.ts';
import { forEachEngine } from '../support/engines.ts';
import { listPublished } from './published.ts';
import { openUpgradeWorld, type UpgradeWorld } from './upgrade-world.ts';

const VERSIONS = ['1.0.0', '1.0.1', '1.1.0-rc.1', '2.0.0'];

function advisory(id: string, name: string, fixed: string | null, more: object = {}, ecosystem = 'npm'): Advisory {
  const events = [{ introduced: '0' }, ...(fixed === null ? [] : [{ fixed }])];
  const type = ecosystem === 'npm' ? 'SEMVER' : 'ECOSYSTEM';
  const read = readOsvRecord({ id, affected: [{ package: { ecosystem, name }, ranges: [{ type, events }] }], ...more });
  assert.ok(read !== null && read !== 'elsewhere');
  return read;
}

async function* told(...records: (Advisory | null | Error)[]) {
  for (const record of records) {
    if (record instanceof Error) throw record;
    yield record;
  }
}

forEachEngine('advisories in an upgrade answer', (engine) => {
  let world: UpgradeWorld;
  const ask = async (from: string, name = 'lamp') =>
    (await world.ask({ package: name, ecosystem: 'npm', from, to: '2.0.0' })).body;
  const load = (...records: (Advisory | null | Error)[]) => storeAdvisories(world.ctx, 'osv', told(...records));

  before(async () => {
    world = await openUpgradeWorld(engine);
    for (const name of ['lamp', 'quiet']) {
      const source = await world.fill(VERSIONS.map((version) => ({ version, content: '### Fixed\n- A crash' })));
      await putPackage(world.ctx, { ecosystem: 'npm', name, sourceId: source.id });
    }
    await listPublished(world.ctx, 'lamp', VERSIONS);
  });

  it('says nothing without imported data, or with data of another ecosystem alone', async () => {
    assert.equal('advisories' in (await ask('1.0.0')), false);
    await load(advisory('INV-0', 'lamp', null, {}, 'PyPI'));
    assert.equal('advisories' in (await ask('1.0.0')), false);
  });

  it('tells what covers the version, each problem once, and the smallest version that clears all', async () => {
    const stored = await load(
      advisory('INV-1', 'lamp', '1.0.1', { aliases: ['GHSA-zzzz-1'], summary: 'A <b>fault</b>' }),
      advisory('GHSA-zzzz-1', 'lamp', '1.0.1'),
      advisory('INV-2', 'lamp', '1.0.2'),
      advisory('INV-3', 'lamp', null, { withdrawn: '2026-01-01T00:00:00Z' }),
      null,
    );
    assert.deepEqual([stored.records.npm, stored.records.pypi, stored.unreadable], [4, 0, 1]);
    const { advisories, judgement } = await ask('1.0.0');
    assert.deepEqual(
      advisories.problems.map(({ id, aliases }: { id: string; aliases: string[] }) => [id, aliases]),
      [
        ['GHSA-zzzz-1', ['INV-1']],
        ['INV-2', []],
      ],
    );
    assert.deepEqual(
      [advisories.smallest, advisories.smallestInLine, advisories.listed, advisories.undecided],
      ['2.0.0', null, true, []],
    );
    const fixed = await ask('2.0.0');
    assert.deepEqual([fixed.advisories.problems, fixed.advisories.smallest], [[], null]);
    // They are no part of what breaks.
    await load(advisory('INV-9', 'else', null));
    assert.equal((await ask('1.0.0')).judgement, judgement);
  });

  it('are told in batches and as text, with their words escaped, and never of a range', async () => {
    await load(advisory('INV-1', 'lamp', '1.0.1', { summary: '<img src=x>' }), advisory('INV-2', 'quiet', '1.0.1'));
    const body = {
      items: ['lamp', 'quiet'].map((name) => ({ package: name, ecosystem: 'npm', from: '1.0.0', to: '2.0.0' })),
    };
    const answers = (await world.service.anonymous.post('/v1/whats-changed/batch', body)).body.items;
    assert.deepEqual(
      answers.map((one: { advisories: { smallest: string | null; listed: boolean } }) => [
        one.advisories.smallest,
        one.advisories.listed,
      ]),
      [
        ['1.0.1', true],
        [null, false],
      ],
    );
    const text = await world.service.anonymous.get('/v1/whats-changed?package=lamp&ecosystem=npm&from=1.0.0&to=2.0.0', {
      accept: 'text/markdown',
    });
    assert.match(text.text, /^1\.0\.0: Covered by INV-1; 1\.0\.1 is the smallest version that clears it\.$/m);
    assert.ok(!text.text.includes('<img'));
    const form = await world.service.anonymous.get('/whats-changed?package=lamp&ecosystem=npm&from=1.0.0&to=2.0.0');
    const page = await world.service.anonymous.get(form.headers.get('location') ?? '');
    assert.match(page.text, /1\.0\.0<\/b>: Covered by INV-1; 1\.0\.1 is the smallest version that clears it\./);
    assert.equal('advisories' in (await ask('^1.0.0')), false);
  });

  it('the old set stays when a new one fails, and goes with the next whole one', async () => {
    await load(advisory('INV-1', 'lamp', '1.0.1'));
    await assert.rejects(load(advisory('INV-2', 'lamp', null), new Error('cut off')), /cut off/);
    assert.deepEqual(
      (await ask('1.0.0')).advisories.problems.map(({ id }: { id: string }) => id),
      ['INV-1'],
    );
    const rows = () =>
      world.ctx.store.read.selectFrom('advisories').select('advisory_id').where('ecosystem', '=', 'npm');
    assert.deepEqual(await rows().execute(), [{ advisory_id: 'INV-1' }]);
    await load(advisory('INV-3', 'quiet', null));
    assert.deepEqual((await ask('1.0.0')).advisories.problems, []);
    assert.deepEqual(await rows().execute(), [{ advisory_id: 'INV-3' }]);
  });

  it('an import that another one overtook changes nothing', async () => {
    async function* slow() {
      yield advisory('INV-4', 'lamp', null);
      await load(advisory('INV-5', 'lamp', '2.0.0'));
    }
    await assert.rejects(storeAdvisories(world.ctx, 'osv', slow()), { name: 'ImportOvertaken' });
    assert.deepEqual(
      (await ask('1.0.0')).advisories.problems.map(({ id }: { id: string }) => id),
      ['INV-5'],
    );
  });
});
