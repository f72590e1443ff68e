// What can be imported, and why a package is skipped.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { lookUpPackage } from '../../entities/lookups/by-package.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { whatsChanged } from '../../packages/whats-changed/index.ts';
import { collectLockfile } from './collect.ts';
import { changelogOf } from './disk.fixture.ts';
import { importPackages } from './import-all.ts';
import { brief, everything, importWorld, versionsOf } from './import-world.fixture.ts';

forEachEngine('what can be imported', (engine) => {
  const world = importWorld(engine);

  it('makes a page source of a package without a repository', async () => {
    await world.disk.package('node_modules/@scope/core', { name: '@scope/core' }, changelogOf('1.0.0'));
    await world.disk.package(
      'node_modules/lone',
      { name: 'lone', homepage: 'https://lone.example/', author: 'Jane Doe' },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await world.setUp();

    await install();

    const core = await resolveSource(ctx, { org: 'scope', source: 'scope-core' });
    const lone = await resolveSource(ctx, { org: 'jane-doe', source: 'lone' });
    assert.deepEqual([core.source.type, core.source.url], ['scrape', 'https://www.npmjs.com/package/@scope/core']);
    assert.deepEqual([lone.source.url, lone.source.fetch_priority], ['https://lone.example/', 'paused']);
    assert.deepEqual(await versionsOf(ctx, lone.source.id), ['1.0.0']);
    const files = await ctx.store.read.selectFrom('changelog_files').selectAll().execute();
    assert.deepEqual(files, []);
  });

  it('says for each package why it was skipped', async () => {
    await world.disk.package('node_modules/a-none', { name: 'a-none' });
    await world.disk.package('node_modules/b-binary', { name: 'b-binary' });
    await world.disk.write('node_modules/b-binary/CHANGELOG.md', Uint8Array.of(0, 1, 2));
    await world.disk.package('node_modules/c-prose', { name: 'c-prose' }, '# Changes\n\nSee the releases page.\n');
    await world.disk.package(
      'node_modules/d-reserved',
      { name: 'd-reserved', repository: 'search/engine' },
      changelogOf('1.0.0'),
    );
    await world.disk.write('node_modules/e-broken/package.json', '{');
    await world.disk.write('node_modules/e-broken/CHANGELOG.md', changelogOf('1.0.0'));
    await world.disk.package('node_modules/f-good', { name: 'f-good', repository: 'acme/f' }, changelogOf('1.0.0'));
    const { ctx, install } = await world.setUp();

    const lines = await install();

    assert.deepEqual(brief(lines), [
      ['a-none', 'no file'],
      ['b-binary', 'unreadable'],
      ['c-prose', 'no version heading'],
      ['d-reserved', 'the slug search is reserved'],
      ['e-broken', 'unreadable'],
      ['f-good', '1 1 0'],
    ]);
    const sources = await ctx.store.read.selectFrom('sources').select('slug').execute();
    assert.deepEqual(
      sources.map(({ slug }) => slug),
      ['f'],
    );
    assert.deepEqual(
      lines.map(({ source }) => source),
      [null, null, null, null, null, 'added'],
    );
  });

  it('makes a source of a package without a file, where its repository is known', async () => {
    await world.disk.package('node_modules/bare', { name: 'bare', version: '1.0.0', repository: 'acme/bare' });
    await world.disk.package('node_modules/page', { name: 'page', homepage: 'https://page.example/' });
    await world.disk.package(
      'node_modules/prose',
      { name: 'prose', repository: 'acme/prose' },
      '# Changes\n\nSee the page.\n',
    );
    await world.disk.package('node_modules/@acme/one', { name: '@acme/one', repository: 'acme/mono' });
    await world.disk.package('node_modules/@acme/two', { name: '@acme/two', repository: 'acme/mono' });
    const { ctx, clock, install } = await world.setUp();

    const lines = await install();

    assert.deepEqual(
      lines.map(({ name, skipped, source }) => [name, skipped, source]),
      [
        ['@acme/one', 'no file', 'added'],
        ['@acme/two', 'no file', 'known'],
        ['bare', 'no file', 'added'],
        ['page', 'no file', null],
        ['prose', 'no version heading', 'added'],
      ],
    );
    const { source } = await resolveSource(ctx, { org: 'acme', source: 'bare' });
    assert.deepEqual([source.type, source.fetch_priority], ['github', 'paused']);
    assert.equal((await lookUpPackage(ctx, { ecosystem: 'npm', name: 'bare' })).sourceId, source.id);
    assert.equal((await lookUpPackage(ctx, { ecosystem: 'npm', name: '@acme/two' })).packagePart, '@acme/two');
    const answer = await whatsChanged(ctx, { package: 'bare', ecosystem: 'npm', from: '1.0.0', to: 'latest' });
    assert.deepEqual([answer.status, answer.reason], ['unknown', 'no_releases']);
    assert.match(answer.hint ?? '', /not fetched yet.*--track/);

    const before = await everything(ctx);
    clock.move(86_400_000);
    assert.deepEqual(
      (await install()).map(({ source }) => source),
      ['known', 'known', 'known', null, 'known'],
    );
    assert.equal(await everything(ctx), before);
  });

  it('leaves packages without a file out on demand', async () => {
    await world.disk.package('node_modules/bare', { name: 'bare', repository: 'acme/bare' });
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await world.setUp();

    const lines = await install({ onlyFiles: true });

    assert.deepEqual(
      lines.map(({ name, skipped, source }) => [name, skipped, source]),
      [
        ['bare', 'no file', null],
        ['engine', null, 'added'],
      ],
    );
    assert.equal((await ctx.store.read.selectFrom('sources').select('id').execute()).length, 1);
  });

  it('imports what a lockfile names and what is installed beside it', async () => {
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.0.0'),
    );
    await world.disk.package('node_modules/extra', { name: 'extra', repository: 'acme/extra' }, changelogOf('1.0.0'));
    const nested = 'node_modules/engine/node_modules/deep';
    await world.disk.package(nested, { name: 'deep', repository: 'acme/deep' }, changelogOf('2.0.0'));
    const entries = { [nested]: { version: '2.0.0' }, 'node_modules/gone': { version: '1.0.0' } };
    const packages = { '': {}, 'node_modules/engine': { version: '1.0.0' }, ...entries };
    await world.disk.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    const { ctx } = await world.setUp();

    const gathered = await collectLockfile(`${world.disk.root}/package-lock.json`);

    assert.ok(gathered.kind === 'packages');
    assert.deepEqual(gathered.missing, ['gone']);
    assert.deepEqual(brief(await importPackages(ctx, gathered.packages)), [
      ['deep', '1 1 0'],
      ['engine', '1 1 0'],
    ]);
  });

  it('reads the names that packages give their changelogs', async () => {
    const names = ['changelog.markdown', 'RELEASE-NOTES.md', 'Release_Notes.txt', 'History.mdx', 'change-log.md'];
    for (const [index, filename] of names.entries()) {
      await world.disk.package(`node_modules/p${index}`, { name: `p${index}` }, changelogOf('1.0.0'), filename);
    }
    const { install } = await world.setUp();

    assert.deepEqual(
      brief(await install()),
      names.map((_, index) => [`p${index}`, '1 1 0']),
    );
  });

  it('imports a plain file under the names that were given', async () => {
    await world.disk.write('CHANGES.txt', '2.0 (2024-05-01)\n\n- Second\n\n1.0 (2024-04-01)\n\n- First\n');
    const { ctx, changelog } = await world.setUp();

    const lines = await changelog('CHANGES.txt', { org: 'Acme', name: 'Acme Engine' });
    const again = await changelog('CHANGES.txt', { org: 'acme', name: 'Acme Engine' });

    const { source } = await resolveSource(ctx, { org: 'acme', source: 'acme-engine' });
    assert.deepEqual([brief(lines), brief(again)], [[['Acme Engine', '2 2 0']], [['Acme Engine', '2 0 0']]]);
    assert.deepEqual([source.type, source.fetch_priority], ['scrape', 'paused']);
    assert.equal(source.url, `${ctx.config.webUrl}/acme/acme-engine`);
    assert.deepEqual(await versionsOf(ctx, source.id), ['1.0', '2.0']);
  });

  it('writes a long history in batches, oldest first', async () => {
    const versions = Array.from({ length: 503 }, (_, index) => `1.${503 - index}.0`);
    const text = versions.map((version) => `## ${version}\n\n- Thing of ${version}\n`).join('\n');
    await world.disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, text);
    const { ctx, install } = await world.setUp();

    assert.deepEqual(brief(await install()), [['engine', '503 503 0']]);

    const rows = await ctx.store.read.selectFrom('releases').select('version').orderBy('seq').execute();
    assert.deepEqual([rows[0]?.version, rows.at(-1)?.version, rows.length], ['1.1.0', '1.503.0', 503]);
  });
});
