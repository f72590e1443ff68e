import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases } from '../../../test/support/factories.ts';
import { readChangelogSlice } from '../../catalog/changelog-files/read-slice.ts';
import { lookUpPackage } from '../../catalog/lookups/by-package.ts';
import { putPackage } from '../../catalog/packages/put.ts';
import { workFigures } from '../../catalog/registry/work-figures.ts';
import { resolveSource } from '../../catalog/resolve.ts';
import { type Context, transact } from '../../context.ts';
import { whatsChanged } from '../../insight/whats-changed/index.ts';
import { collectChangelogs, collectInstalled, collectLockfile } from './collect.ts';
import type { ImportHints } from './describe.ts';
import { changelogOf, type Disk, openDisk } from './disk.fixture.ts';
import { type ImportLine, importPackages, type LocalImportOptions } from './import-all.ts';

forEachEngine('local import', (engine: TestEngine) => {
  let disk: Disk;

  beforeEach(async () => {
    disk = await openDisk();
  });
  afterEach(() => disk.remove());

  async function setUp() {
    const clock = movableClock('2024-10-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    const install = async (options: LocalImportOptions = {}) => {
      const gathered = await collectInstalled(disk.root);
      return gathered.kind === 'packages' ? importPackages(ctx, gathered.packages, options) : assert.fail();
    };
    const changelog = async (path: string, given: ImportHints = {}) => {
      const gathered = await collectChangelogs(`${disk.root}/${path}`, given);
      return gathered.kind === 'packages' ? importPackages(ctx, gathered.packages, { given }) : assert.fail();
    };
    return { ctx, clock, install, changelog };
  }

  const brief = (lines: readonly ImportLine[]) =>
    lines.map(({ name, found, inserted, updated, skipped }) => [name, skipped ?? `${found} ${inserted} ${updated}`]);

  const releasesOf = async (ctx: Context, sourceId: string) => {
    const rows = await ctx.store.read
      .selectFrom('releases')
      .select(['version', 'package_part', 'title', 'content', 'url', 'origin', 'published_at'])
      .where('source_id', '=', sourceId)
      .where('suppressed', '=', 0)
      .orderBy('doc_key', 'desc')
      .execute();
    return rows.map((row) => ({ ...row }));
  };

  const versionsOf = async (ctx: Context, sourceId: string) =>
    (await releasesOf(ctx, sourceId)).map(({ version }) => version).sort();

  it('counts the text that stands in no release, once', async () => {
    const { ctx, install } = await setUp();
    await disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      `Hi.\n\n${changelogOf('1.0.0')}`,
    );
    await disk.package('node_modules/site', { name: 'site', repository: 'acme/site' }, 'See the site.\n');

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
  const everything = async (ctx: Context) => {
    const tables = ['orgs', 'org_accounts', 'sources', 'releases', 'release_revisions', 'changelog_files'] as const;
    const more = ['packages', 'source_figures', 'events', 'pending_releases'] as const;
    const rows = await Promise.all(
      [...tables, ...more].map((table) => ctx.store.read.selectFrom(table).selectAll().execute()),
    );
    return JSON.stringify(rows);
  };

  it('makes org, source, releases, file and map entry of a package with a repository', async () => {
    const json = { name: 'engine', version: '1.1.0', repository: 'Acme/Engine' };
    await disk.package('node_modules/engine', json, changelogOf('1.1.0', '1.0.0'));
    const { ctx, install } = await setUp();

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
    const { ctx, install } = await setUp();
    const repository = { type: 'git', url: 'https://github.com/acme/react', directory: 'packages/react' };
    await disk.package('node_modules/@acme/react', { name: '@acme/react', repository }, '## 1.2.0\n\n- Added hooks\n');
    await disk.package(
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
    await disk.package('node_modules/@acme/core', { name: '@acme/core', repository }, changelogOf('2.0.0', '1.0.0'));
    await disk.package('node_modules/@acme/cli', { name: '@acme/cli', repository: 'acme/mono' }, changelogOf('2.0.0'));
    await disk.package(
      'node_modules/plain',
      { name: 'plain', author: 'Jane Doe' },
      `${changelogOf('3.0.0')}\n## 2.0.0 [YANKED]\n`,
    );
    const { ctx, clock, install } = await setUp();
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
    await disk.package(
      'node_modules/@acme/core',
      { name: '@acme/core', repository: inMono('packages/core') },
      changelogOf('1.0.0'),
    );
    await disk.package(
      'node_modules/@acme/cli',
      { name: '@acme/cli', repository: inMono('packages/cli') },
      changelogOf('1.0.0'),
    );
    await disk.package('node_modules/@acme/lost', { name: '@acme/lost', repository: inMono() }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();

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
    await disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();
    await install();
    await disk.package('node_modules/plugin', { name: 'plugin', repository: 'acme/engine' }, changelogOf('1.0.0'));

    await install();

    const { source } = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    assert.deepEqual(await versionsOf(ctx, source.id), ['1.0.0', 'plugin@1.0.0']);
    assert.equal((await readChangelogSlice(ctx, { src: source.id }, {})).files.length, 1);
  });

  it('makes a page source of a package without a repository', async () => {
    await disk.package('node_modules/@scope/core', { name: '@scope/core' }, changelogOf('1.0.0'));
    await disk.package(
      'node_modules/lone',
      { name: 'lone', homepage: 'https://lone.example/', author: 'Jane Doe' },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await setUp();

    await install();

    const core = await resolveSource(ctx, { org: 'scope', source: 'scope-core' });
    const lone = await resolveSource(ctx, { org: 'jane-doe', source: 'lone' });
    assert.deepEqual([core.source.type, core.source.url], ['scrape', 'https://www.npmjs.com/package/@scope/core']);
    assert.deepEqual([lone.source.url, lone.source.fetch_priority], ['https://lone.example/', 'paused']);
    assert.deepEqual(await versionsOf(ctx, lone.source.id), ['1.0.0']);
    const files = await ctx.store.read.selectFrom('changelog_files').selectAll().execute();
    assert.deepEqual(files, []);
  });

  it('stores of an entry what a source may say: no date ahead of time', async () => {
    const text = '## 1.1.0 (2025-06-01)\n\n- Later\n\n## 1.0.0 (2024-09-30)\n\n- Now\n';
    await disk.package('node_modules/lone', { name: 'lone', author: 'Jane Doe' }, text);
    const { ctx, install } = await setUp();

    await install();

    const rows = await ctx.store.read.selectFrom('releases').select(['version', 'published_at']).execute();
    assert.deepEqual(rows.map((row) => [row.version, row.published_at]).sort(), [
      ['1.0.0', '2024-09-30T00:00:00.000Z'],
      ['1.1.0', null],
    ]);
  });

  it('uses the source that exists and, when it is told to, adds only what it lacks', async () => {
    await disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'Acme/Engine' },
      changelogOf('1.2.0', '1.1.0', '1.0.0'),
    );
    const { ctx, install } = await setUp();
    const org = await createOrg(ctx, { name: 'Acme Corporation', slug: 'acme-corp' });
    const known = await createSource(ctx, { orgId: org.id, type: 'github', url: 'https://github.com/acme/engine' });
    const url = 'https://github.com/acme/engine/releases/tag/v1.1.0';
    await postReleases(ctx, known.id, [{ title: 'The release', version: 'v1.1.0', content: 'As released', url }]);

    const lines = await install({ intoFetched: true });

    assert.deepEqual(brief(lines), [['engine', '3 2 0']]);
    assert.deepEqual(await versionsOf(ctx, known.id), ['1.0.0', '1.2.0', 'v1.1.0']);
    const sources = await ctx.store.read.selectFrom('sources').select(['id', 'fetch_priority']).execute();
    assert.deepEqual(
      sources.map((row) => ({ ...row })),
      [{ id: known.id, fetch_priority: 'normal' }],
    );
  });

  it('writes nothing into a source that is fetched from elsewhere, whatever the package calls itself', async () => {
    const { ctx, install, changelog } = await setUp();
    const url = 'https://github.com/facebook/react';
    const fetched = await createSource(ctx, { type: 'github', url });
    await postReleases(ctx, fetched.id, [{ title: '19.0.0', version: '19.0.0', content: 'As released' }]);
    const page = await createSource(ctx, { type: 'scrape', url: 'https://acme.example/log' });
    const held = 'https://github.com/acme/held';
    await createSource(ctx, { type: 'github', url: held, isHidden: true, discovery: 'on_demand' });
    const mapping = { ecosystem: 'npm', name: 'mapped', sourceId: page.id, packagePart: null } as const;
    await transact(ctx, (ctx) => putPackage(ctx, { ...mapping, origin: 'operator' }));
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set({ last_polled_at: '2024-09-01T00:00:00.000Z' }).execute(),
      'catalog',
    );
    const before = await everything(ctx);
    const forged = changelogOf('99.0.0', '19.0.0');
    await disk.package('node_modules/one', { name: 'one', repository: 'github:facebook/react' }, forged);
    await disk.package('node_modules/two', { name: 'two', repository: 'github:facebook/react' });
    await disk.package('node_modules/mapped', { name: 'mapped' }, forged);
    await disk.package('node_modules/held', { name: 'held', repository: 'acme/held' }, forged);
    await disk.write('plain/CHANGELOG.md', forged);

    const lines = await install();
    const plain = await changelog('plain/CHANGELOG.md', { org: 'React', name: 'React', url });

    const kept = 'fetched from its own address; --into-fetched adds what it lacks';
    assert.deepEqual(
      [...lines, ...plain].map(({ skipped, source }) => [skipped, source]),
      Array.from({ length: 5 }, () => [kept, 'known']),
    );
    assert.equal(await everything(ctx), before);
    assert.equal((await install({ intoFetched: true })).find(({ name }) => name === 'one')?.inserted, 2);
  });

  it('goes on with what it has made due itself, until that is fetched', async () => {
    const { ctx, install } = await setUp();
    const put = (...versions: string[]) =>
      disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, changelogOf(...versions));
    await put('1.0.0');
    await install({ track: true });
    await put('1.1.0', '1.0.0');

    assert.equal((await install({ track: true }))[0]?.inserted, 1);
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set({ last_polled_at: '2024-09-01T00:00:00.000Z' }).execute(),
      'catalog',
    );
    await put('1.2.0', '1.1.0', '1.0.0');
    assert.match((await install({ track: true }))[0]?.skipped ?? '', /^fetched from its own address/);
  });

  it('puts a new repository beside the others of its owner', async () => {
    await disk.package('node_modules/engine', { name: 'engine', repository: 'Acme/Engine' }, changelogOf('1.0.0'));
    await disk.package('node_modules/motor', { name: 'motor', repository: 'WheelCo/Motor' }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();
    const byAccount = await createOrg(ctx, { slug: 'wheels', accounts: [{ platform: 'github', handle: 'WheelCo' }] });
    const bySource = await createOrg(ctx, { slug: 'acme-corp' });
    await createSource(ctx, { orgId: bySource.id, type: 'github', url: 'https://github.com/acme/other' });

    await install();

    const engineSource = await resolveSource(ctx, { org: bySource.id, source: 'engine' });
    const motor = await resolveSource(ctx, { org: byAccount.id, source: 'motor' });
    assert.deepEqual([engineSource.source.name, motor.source.name], ['Engine', 'Motor']);
  });

  it('leaves what a poll has brought as it is', async () => {
    await disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.1.0', '1.0.0'),
    );
    const { ctx, install } = await setUp();
    await install();
    const { source } = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    await ctx.store.transaction(async (tx) => {
      await tx.updateTable('sources').set({ last_fetched_at: '2024-10-01T12:00:00.000Z' }).execute();
      await tx
        .updateTable('releases')
        .set({ content: 'As the tag says', origin: 'tag' })
        .where('version', '=', '1.1.0')
        .execute();
    }, 'catalog');
    await disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.2.0', '1.1.0', '1.0.0'),
    );

    const lines = await install({ intoFetched: true });

    assert.deepEqual(brief(lines), [['engine', '3 1 0']]);
    const rows = await releasesOf(ctx, source.id);
    assert.equal(rows.find(({ version }) => version === '1.1.0')?.content, 'As the tag says');
    assert.equal((await readChangelogSlice(ctx, { src: source.id }, {})).content, changelogOf('1.1.0', '1.0.0'));
  });

  it('takes the notes of a newer copy, and not those of an older one', async () => {
    const put = (...versions: string[]) =>
      disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, changelogOf(...versions));
    const { ctx, install } = await setUp();
    const lines: ImportLine[] = [];
    for (const versions of [['1.0.0'], ['1.1.0', '1.0.0'], ['1.0.0']]) {
      await put(...versions);
      lines.push(...(await install()));
    }

    assert.deepEqual(brief(lines), [
      ['engine', '1 1 0'],
      ['engine', '2 1 1'],
      ['engine', '1 0 0'],
    ]);
    const { source } = await resolveSource(ctx, { org: 'acme', source: 'engine' });
    assert.equal((await readChangelogSlice(ctx, { src: source.id }, {})).content, changelogOf('1.1.0', '1.0.0'));
  });

  it('says for each package why it was skipped', async () => {
    await disk.package('node_modules/a-none', { name: 'a-none' });
    await disk.package('node_modules/b-binary', { name: 'b-binary' });
    await disk.write('node_modules/b-binary/CHANGELOG.md', Uint8Array.of(0, 1, 2));
    await disk.package('node_modules/c-prose', { name: 'c-prose' }, '# Changes\n\nSee the releases page.\n');
    await disk.package(
      'node_modules/d-reserved',
      { name: 'd-reserved', repository: 'search/engine' },
      changelogOf('1.0.0'),
    );
    await disk.write('node_modules/e-broken/package.json', '{');
    await disk.write('node_modules/e-broken/CHANGELOG.md', changelogOf('1.0.0'));
    await disk.package('node_modules/f-good', { name: 'f-good', repository: 'acme/f' }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();

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
    await disk.package('node_modules/bare', { name: 'bare', version: '1.0.0', repository: 'acme/bare' });
    await disk.package('node_modules/page', { name: 'page', homepage: 'https://page.example/' });
    await disk.package(
      'node_modules/prose',
      { name: 'prose', repository: 'acme/prose' },
      '# Changes\n\nSee the page.\n',
    );
    await disk.package('node_modules/@acme/one', { name: '@acme/one', repository: 'acme/mono' });
    await disk.package('node_modules/@acme/two', { name: '@acme/two', repository: 'acme/mono' });
    const { ctx, clock, install } = await setUp();

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
    await disk.package('node_modules/bare', { name: 'bare', repository: 'acme/bare' });
    await disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();

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

  it('follows new sources on demand, also those that an earlier import has left paused', async () => {
    await disk.package('node_modules/first', { name: 'first', repository: 'acme/first' }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();
    await install();
    await disk.package('node_modules/second', { name: 'second', repository: 'acme/second' });
    await disk.package('node_modules/third', { name: 'third', author: 'Jane Doe' }, changelogOf('1.0.0'));
    const read = { last_polled_at: '2024-09-01T00:00:00.000Z', fetch_priority: 'paused' } as const;
    const operator = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/fourth' });
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set(read).where('id', '=', operator.id).execute(),
      'catalog',
    );
    await disk.package('node_modules/fourth', { name: 'fourth', repository: 'acme/fourth' });

    await install({ track: true });

    const rows = await ctx.store.read
      .selectFrom('sources')
      .select(['url', 'fetch_priority', 'next_fetch_after'])
      .execute();
    const priorities = Object.fromEntries(rows.map((row) => [row.url, [row.fetch_priority, row.next_fetch_after]]));
    assert.deepEqual(priorities, {
      'https://github.com/acme/first': ['normal', null],
      'https://github.com/acme/second': ['normal', null],
      // Its only page is the one of a package registry, which lists no releases.
      'https://www.npmjs.com/package/third': ['paused', null],
      // An operator has paused it after it was read.
      'https://github.com/acme/fourth': ['paused', null],
    });
  });

  it('takes over what a lookup holds, when it is told to', async () => {
    await disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, changelogOf('1.0.0'));
    const { ctx, install } = await setUp();
    const url = 'https://github.com/acme/engine';
    const held = await createSource(ctx, { type: 'github', url, isHidden: true, discovery: 'on_demand' });

    const [line] = await install({ intoFetched: true });

    const found = await resolveSource(ctx, { src: held.id });
    assert.deepEqual([line?.inserted, found.visible, found.source.discovery], [1, true, 'curated']);
    assert.equal((await ctx.store.read.selectFrom('sources').select('id').execute()).length, 1);
  });

  it('imports what a lockfile names and what is installed beside it', async () => {
    await disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, changelogOf('1.0.0'));
    await disk.package('node_modules/extra', { name: 'extra', repository: 'acme/extra' }, changelogOf('1.0.0'));
    const nested = 'node_modules/engine/node_modules/deep';
    await disk.package(nested, { name: 'deep', repository: 'acme/deep' }, changelogOf('2.0.0'));
    const entries = { [nested]: { version: '2.0.0' }, 'node_modules/gone': { version: '1.0.0' } };
    const packages = { '': {}, 'node_modules/engine': { version: '1.0.0' }, ...entries };
    await disk.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    const { ctx } = await setUp();

    const gathered = await collectLockfile(`${disk.root}/package-lock.json`);

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
      await disk.package(`node_modules/p${index}`, { name: `p${index}` }, changelogOf('1.0.0'), filename);
    }
    const { install } = await setUp();

    assert.deepEqual(
      brief(await install()),
      names.map((_, index) => [`p${index}`, '1 1 0']),
    );
  });

  it('imports a plain file under the names that were given', async () => {
    await disk.write('CHANGES.txt', '2.0 (2024-05-01)\n\n- Second\n\n1.0 (2024-04-01)\n\n- First\n');
    const { ctx, changelog } = await setUp();

    const lines = await changelog('CHANGES.txt', { org: 'Acme', name: 'Acme Engine' });
    const again = await changelog('CHANGES.txt', { org: 'acme', name: 'Acme Engine' });

    const { source } = await resolveSource(ctx, { org: 'acme', source: 'acme-engine' });
    assert.deepEqual([brief(lines), brief(again)], [[['Acme Engine', '2 2 0']], [['Acme Engine', '2 0 0']]]);
    assert.deepEqual([source.type, source.fetch_priority], ['scrape', 'paused']);
    assert.equal(source.url, `${ctx.config.webUrl}/acme/acme-engine`);
    assert.deepEqual(await versionsOf(ctx, source.id), ['1.0', '2.0']);
  });

  it('goes on where an interrupted import has stopped', async () => {
    for (const name of ['a', 'b', 'c']) {
      await disk.package(`node_modules/${name}`, { name, repository: `acme/${name}` }, changelogOf('1.0.0'));
    }
    const { install } = await setUp();
    const stopped = new AbortController();
    stopped.abort();

    assert.deepEqual(await install({ signal: stopped.signal }), []);
    assert.deepEqual(brief(await install()), [
      ['a', '1 1 0'],
      ['b', '1 1 0'],
      ['c', '1 1 0'],
    ]);
  });

  it('writes a long history in batches, oldest first', async () => {
    const versions = Array.from({ length: 503 }, (_, index) => `1.${503 - index}.0`);
    const text = versions.map((version) => `## ${version}\n\n- Thing of ${version}\n`).join('\n');
    await disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' }, text);
    const { ctx, install } = await setUp();

    assert.deepEqual(brief(await install()), [['engine', '503 503 0']]);

    const rows = await ctx.store.read.selectFrom('releases').select('version').orderBy('seq').execute();
    assert.deepEqual([rows[0]?.version, rows.at(-1)?.version, rows.length], ['1.1.0', '1.503.0', 503]);
  });

  it('suppresses what its authors have yanked', async () => {
    await disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      '## 1.1.0 [YANKED]\n\n- Bad\n\n## 1.0.0\n\n- Good\n',
    );
    const { ctx, install } = await setUp();

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
