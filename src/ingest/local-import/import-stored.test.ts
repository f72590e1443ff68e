// What an import of packages stores: organizations, sources, releases, files and names.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { lookUpPackage } from '../../entities/lookups/by-package.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { workFigures } from '../../packages/work-figures.ts';
import { readChangelogSlice } from '../../releases/changelog-files/read-slice.ts';
import { changelogOf } from './disk.fixture.ts';
import { brief, everything, importWorld, releasesOf, versionsOf } from './import-world.fixture.ts';

forEachEngine('what a local import stores', (engine) => {
  const world = importWorld(engine);

  it('counts the text that stands in no release, once', async () => {
    const { ctx, install } = await world.setUp();
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      `Hi.\n\n${changelogOf('1.0.0')}`,
    );
    await world.disk.package('node_modules/site', { name: 'site', repository: 'acme/site' }, 'See the site.\n');

    const lines = await install();
    await install();

    assert.deepEqual(
      lines.map(({ outside }) => [outside.before, outside.unread]),
      [
        [14, 0],
        [0, 13],
      ],
    );
    const { outsideText } = await workFigures(ctx);
    assert.deepEqual(
      outsideText.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      [
        { kind: 'before', characters: 14 },
        { kind: 'unread', characters: 13 },
      ],
    );
  });

  // Everything that an import can touch, as text.

  it('makes org, source, releases, file and map entry of a package with a repository', async () => {
    const json = { name: 'engine', version: '1.1.0', repository: 'Acme/Engine' };
    await world.disk.package('node_modules/engine', json, changelogOf('1.1.0', '1.0.0'));
    const { ctx, install } = await world.setUp();

    assert.deepEqual(brief(await install()), [['engine', '2 2 0']]);

    const { source, org } = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    assert.deepEqual(
      [org?.name, source.name, source.type, source.url],
      ['Acme', 'Engine', 'github', 'https://github.com/Acme/Engine'],
    );
    assert.deepEqual([source.github_coordinate, source.fetch_priority], ['acme/engine', 'paused']);
    assert.deepEqual(await releasesOf(ctx, source.id), [
      {
        version: '1.1.0',
        package_part: null,
        title: '1.1.0',
        content: '### Added\n\n- Thing of 1.1.0',
        url: 'https://github.com/acme/engine/blob/HEAD/CHANGELOG.md#110---2024-09-01',
        origin: 'changelog',
        published_at: '2024-09-01T00:00:00.000Z',
      },
      {
        version: '1.0.0',
        package_part: null,
        title: '1.0.0',
        content: '### Added\n\n- Thing of 1.0.0',
        url: 'https://github.com/acme/engine/blob/HEAD/CHANGELOG.md#100---2024-08-01',
        origin: 'changelog',
        published_at: '2024-08-01T00:00:00.000Z',
      },
    ]);
    const slice = await readChangelogSlice(ctx, { src: source.id }, {});
    assert.deepEqual([slice.path, slice.content], ['CHANGELOG.md', changelogOf('1.1.0', '1.0.0')]);
    const mapped = await lookUpPackage(ctx, { ecosystem: 'npm', name: 'engine' });
    assert.deepEqual([mapped.sourceId, mapped.packagePart], [source.id, null]);
    assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), []);
  });

  it('calls releases by the name of their package', async () => {
    const { ctx, install } = await world.setUp();
    const repository = { type: 'git', url: 'https://github.com/acme/react', directory: 'packages/react' };
    await world.disk.package(
      'node_modules/@acme/react',
      { name: '@acme/react', repository },
      '## 1.2.0\n\n- Added hooks\n',
    );
    await world.disk.package(
      'node_modules/@acme/kit',
      { name: '@acme/kit', repository: 'acme/kit' },
      '## 3.0.1\n\n- Fixed tabs\n',
    );
    await install();
    const rows = await ctx.store.read
      .selectFrom('releases')
      .select('title_generated')
      .orderBy('title_generated')
      .execute();
    assert.deepEqual(
      rows.map(({ title_generated }) => title_generated),
      ['@acme/kit 3.0.1: Fixed tabs', '@acme/react 1.2.0: Added hooks'],
    );
  });

  it('changes nothing in a second run', async () => {
    const repository = { url: 'https://github.com/acme/mono', directory: 'packages/core' };
    await world.disk.package(
      'node_modules/@acme/core',
      { name: '@acme/core', repository },
      changelogOf('2.0.0', '1.0.0'),
    );
    await world.disk.package(
      'node_modules/@acme/cli',
      { name: '@acme/cli', repository: 'acme/mono' },
      changelogOf('2.0.0'),
    );
    await world.disk.package(
      'node_modules/plain',
      { name: 'plain', author: 'Jane Doe' },
      `${changelogOf('3.0.0')}\n## 2.0.0 [YANKED]\n`,
    );
    const { ctx, clock, install } = await world.setUp();
    await install();
    const before = await everything(ctx);
    clock.move(86_400_000);

    const lines = await install();

    assert.deepEqual(brief(lines), [
      ['@acme/cli', '1 0 0'],
      ['@acme/core', '2 0 0'],
      ['plain', '2 0 0'],
    ]);
    assert.equal(await everything(ctx), before);
  });

  it('keeps packages of one repository apart by their names', async () => {
    const inMono = (directory?: string) => ({ url: 'git+https://github.com/acme/mono.git', directory });
    await world.disk.package(
      'node_modules/@acme/core',
      { name: '@acme/core', repository: inMono('packages/core') },
      changelogOf('1.0.0'),
    );
    await world.disk.package(
      'node_modules/@acme/cli',
      { name: '@acme/cli', repository: inMono('packages/cli') },
      changelogOf('1.0.0'),
    );
    await world.disk.package(
      'node_modules/@acme/lost',
      { name: '@acme/lost', repository: inMono() },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await world.setUp();

    await install();

    const { source } = await resolveSource(ctx, { org: 'acme', source: 'mono' });
    const rows = await releasesOf(ctx, source.id);
    assert.deepEqual(rows.map(({ version, package_part }) => [version, package_part]).sort(), [
      ['@acme/cli@1.0.0', '@acme/cli'],
      ['@acme/core@1.0.0', '@acme/core'],
      ['@acme/lost@1.0.0', '@acme/lost'],
    ]);
    const { files } = await readChangelogSlice(ctx, { src: source.id }, {});
    assert.deepEqual(
      files.map(({ path, canonical }) => [path, canonical]),
      [
        ['packages/cli/CHANGELOG.md', true],
        ['packages/core/CHANGELOG.md', false],
      ],
    );
    assert.equal((await lookUpPackage(ctx, { ecosystem: 'npm', name: '@acme/core' })).packagePart, '@acme/core');
  });

  it('does not rename the releases of a package when another one of its repository comes', async () => {
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await world.setUp();
    await install();
    await world.disk.package(
      'node_modules/plugin',
      { name: 'plugin', repository: 'acme/engine' },
      changelogOf('1.0.0'),
    );

    await install();

    const { source } = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    assert.deepEqual(await versionsOf(ctx, source.id), ['1.0.0', 'plugin@1.0.0']);
    assert.equal((await readChangelogSlice(ctx, { src: source.id }, {})).files.length, 1);
  });

  it('stores of an entry what a source may say: no date ahead of time', async () => {
    const text = '## 1.1.0 (2025-06-01)\n\n- Later\n\n## 1.0.0 (2024-09-30)\n\n- Now\n';
    await world.disk.package('node_modules/lone', { name: 'lone', author: 'Jane Doe' }, text);
    const { ctx, install } = await world.setUp();

    await install();

    const rows = await ctx.store.read.selectFrom('releases').select(['version', 'published_at']).execute();
    assert.deepEqual(rows.map((row) => [row.version, row.published_at]).sort(), [
      ['1.0.0', '2024-09-30T00:00:00.000Z'],
      ['1.1.0', null],
    ]);
  });

  it('suppresses what its authors have yanked', async () => {
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      '## 1.1.0 [YANKED]\n\n- Bad\n\n## 1.0.0\n\n- Good\n',
    );
    const { ctx, install } = await world.setUp();

    await install();

    const { source } = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    const rows = await ctx.store.read
      .selectFrom('releases')
      .select(['version', 'suppressed_reason', 'suppressed_by'])
      .where('suppressed', '=', 1)
      .execute();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ version: '1.1.0', suppressed_reason: 'yanked', suppressed_by: 'source' }],
    );
    assert.deepEqual(await versionsOf(ctx, source.id), ['1.0.0']);
  });
});
