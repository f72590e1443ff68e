import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { transact } from '../../context.ts';
import { findSource, type SourceInOrg } from '../../entities/resolve.ts';
import { storeChangelogFile } from '../../releases/changelog-files/store-file.ts';
import { patchRelease } from '../../releases/write/patch.ts';
import { parseJson } from '../../store/json-text.ts';
import { fillGuideNotes } from './guide-notes.ts';

const GUIDE = '# Upgrading\n\n## To 2.0\n\nRun `kit migrate`.\n\n## To 3.0\n\nThree steps.\n';
const BREAKING = '### Breaking\n- Everything is different';
const STEPS = ['Removed `a`, use `b` instead'];

async function open(engine: TestEngine) {
  const { ctx } = await engine.openTestApp();
  const org = await createOrg(ctx);
  const source = await createSource(ctx, { orgId: org.id, type: 'github', url: 'https://github.com/acme/kit' });
  const put = (path: string, content: string) =>
    transact(ctx, (inner) =>
      storeChangelogFile(inner, { sourceId: source.id, path, url: '', rawUrl: '', content, canonical: false }),
    );
  const release = (version: string, content: string, more = {}) =>
    postReleases(ctx, source.id, [releaseRow(version, { content, ...more })], { silent: true });
  const fill = () =>
    transact(ctx, async (inner) => fillGuideNotes(inner, (await findSource(inner, { src: source.id })) as SourceInOrg));
  const rows = () =>
    ctx.store.read.selectFrom('releases').selectAll().where('source_id', '=', source.id).orderBy('version').execute();
  const notes = async () => Object.fromEntries((await rows()).map((row) => [row.version, row.migration_notes]));
  const steps = async () =>
    Object.fromEntries(
      (await rows()).map(({ version, upgrade_steps }) => [version, upgrade_steps && parseJson(upgrade_steps)]),
    );
  return { ctx, put, release, fill, rows, notes, steps };
}

forEachEngine('notes from an upgrade guide', (engine) => {
  it('go to breaking releases that have none, and follow the guide', async () => {
    const { ctx, put, release, fill, rows, notes, steps } = await open(engine);
    await release('1.9.0', '### Fixed\n- A crash');
    await release('2.0.0', BREAKING);
    await release('2.0.1', BREAKING);
    await release('3.0.0', '### Breaking\n- Removed `a`, use `b` instead');
    await put('UPGRADING.md', GUIDE);
    await put('CHANGELOG.md', '## To 2.0.1\n\nNo guide.\n');
    const before = await rows();

    assert.deepEqual([await fill(), await fill()], [1, 0]);
    const own = '- Removed `a`, use `b` instead';
    assert.deepEqual(await notes(), { '1.9.0': null, '2.0.0': 'Run `kit migrate`.', '2.0.1': null, '3.0.0': own });
    const changed = (await rows()).map(({ migration_notes, upgrade_steps, ...row }) => row);
    assert.deepEqual(
      changed,
      before.map(({ migration_notes, upgrade_steps, ...row }) => row),
    );
    assert.deepEqual(await ctx.store.read.selectFrom('release_revisions').selectAll().execute(), []);
    assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), []);

    await put('UPGRADING.md', GUIDE.replace('kit migrate', 'kit move'));
    assert.deepEqual([await fill(), (await notes())['2.0.0']], [1, 'Run `kit move`.']);
    const quoted = ['Everything is different'];
    assert.deepEqual(await steps(), { '1.9.0': null, '2.0.0': ['Run `kit move`.'], '2.0.1': quoted, '3.0.0': STEPS });
    await put('UPGRADING.md', '# Upgrading\n');
    assert.deepEqual([await fill(), (await notes())['2.0.0'], (await steps())['2.0.0']], [1, null, null]);
  });

  it('give way to what a person or the release itself says', async () => {
    const { ctx, put, release, fill, rows, notes } = await open(engine);
    await release('2.0.0', BREAKING);
    await release('3.0.0', BREAKING);
    await put('docs/UPGRADE.md', GUIDE);
    await fill();
    const [second, third] = await rows();

    await patchRelease(ctx, second?.id ?? '', { migrationNotes: null } as never);
    await release('3.0.0', '### Breaking\n- Removed `a`, use `b` instead', { url: third?.url });
    const changed = await fill();

    assert.deepEqual([changed, await notes()], [0, { '2.0.0': null, '3.0.0': '- Removed `a`, use `b` instead' }]);
  });

  it('keep the whole section of each release, from whichever guide has one, for the steps of an upgrade', async () => {
    const { ctx, put, release, fill, notes } = await open(engine);
    await release('2.0.0', BREAKING);
    await release('3.0.0', '### Breaking\n- Removed `a`, use `b` instead');
    const long = Array.from({ length: 60 }, (_, index) => `### Part ${index}\n\nRun \`step-${index}\`.`).join('\n\n');
    await put('MIGRATION_GUIDE.md', `# Guide\n\n## To 2.0\n\n${long}\n`);
    await put('docs/Guides/Migration-Guide-V3.md', '# V3 Migration Guide\n\nUse `b`.\n');

    await fill();

    const kept = await ctx.store.read.selectFrom('guide_notes').selectAll().orderBy('notes').execute();
    assert.deepEqual(
      kept.map((row) => row.notes),
      [long, 'Use `b`.'],
    );
    const asked = kept.map(({ upgrade_steps }) => upgrade_steps && parseJson(upgrade_steps));
    assert.deepEqual([asked[0]?.[59], asked[1]], ['Part 59: Run `step-59`.', ['Use `b`.']]);
    const { '2.0.0': second, '3.0.0': third } = await notes();
    assert.ok(second && second.length <= 1500 && long.startsWith(second));
    assert.equal(third, '- Removed `a`, use `b` instead');
  });

  it('stay within the package that the guide is about', async () => {
    const { put, release, fill, notes } = await open(engine);
    await release('@acme/kit@2.0.0', BREAKING);
    await release('@acme/other@2.0.0', BREAKING);
    await put('packages/other/MIGRATION.md', '## 2.0\n\nOther way.\n');
    await put('packages/third/MIGRATION.md', '## 2.0\n\nThird way.\n');

    await fill();

    assert.deepEqual(await notes(), { '@acme/kit@2.0.0': null, '@acme/other@2.0.0': 'Other way.' });
  });
});
