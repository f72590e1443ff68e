// A changelog sent to the API: by its text alone, and beside what is published of its package.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import { type Finding, RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { storePair } from '../../src/packages/evidence/store-pair.ts';
import { toJson } from '../../src/store/json-text.ts';
import { forEachEngine } from '../support/engines.ts';
import { listPublished } from './published.ts';
import { openUpgradeWorld, type UpgradeWorld } from './upgrade-world.ts';

const GONE: Finding = {
  kind: 'export_removed',
  name: 'close',
  subpath: '.',
  certainty: 'proven',
  was: 'function',
  is: null,
  text: '`close` is no longer exported',
};
const TEXT = '# Changelog\n\n## 1.1.0\n\n- Quicker.\n\n## 1.0.0\n\n- First.\n';

forEachEngine('a changelog that is sent', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine, {
      env: { REGISTRY_PACKAGE_REGISTRIES: '@secret=https://npm.secret.example' },
    });
    const { ctx } = world;
    const listed = ['1.0.0', '1.1.0'].map((version) => ({ version, integrity: `sha512-${version}` }));
    await listPublished(ctx, 'door', listed);
    await listPublished(ctx, '@secret/door', listed, { registry: '@secret' });
    await transact(ctx, (ctx) =>
      storePair(ctx, {
        from_integrity: 'sha512-1.0.0',
        to_integrity: 'sha512-1.1.0',
        beside: '',
        rules: RULES_VERSION,
        ecosystem: 'npm',
        name: 'door',
        from_version: '1.0.0',
        to_version: '1.1.0',
        status: 'compared',
        types: 'own',
        findings: toJson([GONE]),
        further: null,
        more: 0,
        proven: 1,
        likely: 0,
        beside_names: toJson([]),
        reason: null,
        bytes: 0,
        compared_at: '2026-01-01T00:00:00.000Z',
      }),
    );
  });

  const lint = async (body: object) => {
    const answer = await world.service.anonymous.post('/v1/changelog/lint', body);
    const faults = (answer.body.findings ?? []).flatMap((one: { level: string; rule: string; line: number }) =>
      one.level === 'info' ? [] : [`${one.rule}:${one.line}`],
    );
    return { ...answer, faults };
  };
  const door = { ecosystem: 'npm', package: 'door' };

  it('is checked by its form, also a long one', async () => {
    const twice = `${TEXT}\n## 1.0.0\n\n- Again.\n`;
    const { status, faults, body } = await lint({ content: twice });
    assert.deepEqual([status, faults, body.against, body.sections], [200, ['duplicate-version:11'], null, 3]);
    assert.deepEqual((await lint({ content: `${twice}${'- Long.\n'.repeat(3000)}` })).faults, ['duplicate-version:11']);
    const large = await lint({ content: 'a'.repeat(2 * 1024 * 1024) });
    assert.equal(large.status, 413);
    assert.equal((await lint({ content: '' })).status, 400);
  });

  it('is compared with the published versions and what they prove', async () => {
    const out = await lint({ content: TEXT, ...door, version: '1.1.0' });
    assert.deepEqual(out.faults, ['break-unnamed:3', 'bump-too-small:3']);
    assert.deepEqual([out.body.against, out.body.compared], ['1.1.0', true]);
    const coming = await lint({ content: TEXT, ...door, version: '1.2.0' });
    assert.deepEqual([coming.faults, coming.body.compared], [['newest-missing:3'], false]);
  });

  it('says nothing of packages that are not known, or not to everybody', async () => {
    for (const name of ['window', '@secret/door']) {
      const { faults, body } = await lint({ content: TEXT, ecosystem: 'npm', package: name, version: '1.2.0' });
      assert.deepEqual([faults, body.against], [[], null], name);
    }
  });
});
