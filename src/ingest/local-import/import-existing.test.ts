// Imports beside what is there already: sources that are fetched, earlier imports, lookups.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases } from '../../../test/support/factories.ts';
import { transact } from '../../context.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { readChangelogSlice } from '../../releases/changelog-files/read-slice.ts';
import { changelogOf } from './disk.fixture.ts';
import type { ImportLine } from './import-all.ts';
import { brief, everything, importWorld, releasesOf, versionsOf } from './import-world.fixture.ts';

forEachEngine('local imports beside what exists', (engine) => {
  const world = importWorld(engine);

  it('uses the source that exists and, when it is told to, adds only what it lacks', async () => {
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'Acme/Engine' },
      changelogOf('1.2.0', '1.1.0', '1.0.0'),
    );
    const { ctx, install } = await world.setUp();
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
    const { ctx, install, changelog } = await world.setUp();
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
    await world.disk.package('node_modules/one', { name: 'one', repository: 'github:facebook/react' }, forged);
    await world.disk.package('node_modules/two', { name: 'two', repository: 'github:facebook/react' });
    await world.disk.package('node_modules/mapped', { name: 'mapped' }, forged);
    await world.disk.package('node_modules/held', { name: 'held', repository: 'acme/held' }, forged);
    await world.disk.write('plain/CHANGELOG.md', forged);

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
    const { ctx, install } = await world.setUp();
    const put = (...versions: string[]) =>
      world.disk.package(
        'node_modules/engine',
        { name: 'engine', repository: 'acme/engine' },
        changelogOf(...versions),
      );
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
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'Acme/Engine' },
      changelogOf('1.0.0'),
    );
    await world.disk.package(
      'node_modules/motor',
      { name: 'motor', repository: 'WheelCo/Motor' },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await world.setUp();
    const byAccount = await createOrg(ctx, { slug: 'wheels', accounts: [{ platform: 'github', handle: 'WheelCo' }] });
    const bySource = await createOrg(ctx, { slug: 'acme-corp' });
    await createSource(ctx, { orgId: bySource.id, type: 'github', url: 'https://github.com/acme/other' });

    await install();

    const engineSource = await resolveSource(ctx, { org: bySource.id, source: 'engine' });
    const motor = await resolveSource(ctx, { org: byAccount.id, source: 'motor' });
    assert.deepEqual([engineSource.source.name, motor.source.name], ['Engine', 'Motor']);
  });

  it('leaves what a poll has brought as it is', async () => {
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.1.0', '1.0.0'),
    );
    const { ctx, install } = await world.setUp();
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
    await world.disk.package(
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
      world.disk.package(
        'node_modules/engine',
        { name: 'engine', repository: 'acme/engine' },
        changelogOf(...versions),
      );
    const { ctx, install } = await world.setUp();
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

  it('follows new sources on demand, also those that an earlier import has left paused', async () => {
    await world.disk.package('node_modules/first', { name: 'first', repository: 'acme/first' }, changelogOf('1.0.0'));
    const { ctx, install } = await world.setUp();
    await install();
    await world.disk.package('node_modules/second', { name: 'second', repository: 'acme/second' });
    await world.disk.package('node_modules/third', { name: 'third', author: 'Jane Doe' }, changelogOf('1.0.0'));
    const read = { last_polled_at: '2024-09-01T00:00:00.000Z', fetch_priority: 'paused' } as const;
    const operator = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/fourth' });
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set(read).where('id', '=', operator.id).execute(),
      'catalog',
    );
    await world.disk.package('node_modules/fourth', { name: 'fourth', repository: 'acme/fourth' });

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
    await world.disk.package(
      'node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.0.0'),
    );
    const { ctx, install } = await world.setUp();
    const url = 'https://github.com/acme/engine';
    const held = await createSource(ctx, { type: 'github', url, isHidden: true, discovery: 'on_demand' });

    const [line] = await install({ intoFetched: true });

    const found = await resolveSource(ctx, { src: held.id });
    assert.deepEqual([line?.inserted, found.visible, found.source.discovery], [1, true, 'curated']);
    assert.equal((await ctx.store.read.selectFrom('sources').select('id').execute()).length, 1);
  });

  it('goes on where an interrupted import has stopped', async () => {
    for (const name of ['a', 'b', 'c']) {
      await world.disk.package(`node_modules/${name}`, { name, repository: `acme/${name}` }, changelogOf('1.0.0'));
    }
    const { install } = await world.setUp();
    const stopped = new AbortController();
    stopped.abort();

    assert.deepEqual(await install({ signal: stopped.signal }), []);
    assert.deepEqual(brief(await install()), [
      ['a', '1 1 0'],
      ['b', '1 1 0'],
      ['c', '1 1 0'],
    ]);
  });
});
