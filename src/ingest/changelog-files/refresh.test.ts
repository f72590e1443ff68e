import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { postReleases } from '../../../test/support/factories.ts';
import type { OutsideWorld } from '../../../test/support/outside-world.ts';
import type { Context } from '../../context.ts';
import { blobHash } from '../../domain/changelog/files.ts';
import { workFigures } from '../../packages/work-figures.ts';
import { type Repository, ROOT, START, startRepository } from './repository.fixture.ts';
import { storedChangelog } from './stored.ts';

const HOUR = 3_600_000;
const TREE = `${ROOT}/git/trees/HEAD?recursive=1`;

forEachEngine('refreshing changelog files', (engine) => {
  let repository: Repository;
  let world: OutsideWorld;

  before(async () => {
    repository = await startRepository();
    world = repository.world;
  });
  after(() => world.close());
  beforeEach(() => repository.empty());

  const put = (path: string, content: string | Buffer) => repository.put(path, content);
  const setUp = (metadata?: Record<string, unknown>) => repository.openSource(engine, metadata);

  const pathsOf = async (ctx: Context, sourceId: string) => {
    const rows = await ctx.store.read
      .selectFrom('changelog_files')
      .select(['path', 'canonical', 'fetched_at'])
      .where('source_id', '=', sourceId)
      .orderBy('path')
      .execute();
    return rows.map(({ path, canonical }) => (canonical === 1 ? `*${path}` : path));
  };

  it('stores what the tree names, and downloads nothing twice', async () => {
    put('CHANGELOG.md', '# Changelog\r\n\r\n## 1.0.0\r\n\r\n- First\r\n');
    put('packages/a/CHANGELOG.md', '## 0.1.0\n');
    const { ctx, clock, refresh, slice, sourceId } = await setUp();

    const first = await refresh();
    const requested = world.requests.length;
    clock.move(HOUR);
    const second = await refresh();

    assert.deepEqual([first.outcome, first.canonicalChanged, first.failed], ['success', true, []]);
    assert.deepEqual(first.stored, ['CHANGELOG.md', 'packages/a/CHANGELOG.md']);
    assert.deepEqual([second.outcome, second.canonicalChanged, second.stored], ['no_change', false, []]);
    assert.deepEqual([requested, world.requests.map(({ path }) => path)], [3, [TREE]]);
    assert.deepEqual(await pathsOf(ctx, sourceId), ['*CHANGELOG.md', 'packages/a/CHANGELOG.md']);
    const stored = await slice();
    assert.equal(stored.content, '# Changelog\n\n## 1.0.0\n\n- First\n');
    assert.equal(stored.url, `${world.url}/acme/engine/blob/HEAD/CHANGELOG.md`);
    assert.equal(stored.fetchedAt, '2024-06-01T13:00:00.000Z');
    assert.equal(stored.bytes, 36);
  });

  it('counts the text that stands in no release once', async () => {
    put('CHANGELOG.md', '# Changelog\n\nAll of it.\n\n## Unreleased\n\n- Soon\n\n## 1.0.0\n\n- First\n');
    put('UPGRADING.md', 'Read this.\n');
    const { ctx, clock, refresh } = await setUp();

    const { outside } = await refresh();
    clock.move(HOUR);
    const again = await refresh();

    assert.deepEqual(outside, { before: 10, unreleased: 6, groups: 0, after: 0, unread: 0 });
    assert.deepEqual(again.outside, { before: 0, unreleased: 0, groups: 0, after: 0, unread: 0 });
    const { outsideText } = await workFigures(ctx);
    assert.deepEqual(
      outsideText.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      [
        { kind: 'before', characters: 10 },
        { kind: 'unreleased', characters: 6 },
      ],
    );
  });

  it('downloads only the file that has changed', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    put('UPGRADING.md', '## To 1.0\n');
    const { ctx, refresh, slice, sourceId } = await setUp();
    await refresh();
    const before = await storedChangelog(ctx, sourceId);
    put('UPGRADING.md', '## To 1.0\n\nRead this.\n');

    const result = await refresh();

    assert.deepEqual([result.stored, result.canonicalChanged], [['UPGRADING.md'], false]);
    assert.deepEqual(
      world.requests.map(({ path }) => path),
      [TREE, '/acme/engine/HEAD/UPGRADING.md'],
    );
    assert.equal((await slice('UPGRADING.md')).content, '## To 1.0\n\nRead this.\n');
    assert.notEqual((await storedChangelog(ctx, sourceId)).fingerprint, before.fingerprint);
  });

  it('makes another file canonical when a better one comes', async () => {
    put('packages/a/CHANGELOG.md', '## 1.0.0\n');
    const { ctx, refresh, sourceId } = await setUp();
    await refresh();
    put('HISTORY.md', '## 2.0.0\n');

    const result = await refresh();

    assert.equal(result.canonicalChanged, true);
    assert.deepEqual(await pathsOf(ctx, sourceId), ['*HISTORY.md', 'packages/a/CHANGELOG.md']);
  });

  it('removes a file after two complete trees, a day apart, have lacked it', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    put('NEWS.md', '## 1.0.0\n');
    const { ctx, clock, refresh, sourceId } = await setUp();
    await refresh();
    repository.files.delete('NEWS.md');

    const first = await refresh();
    clock.move(23 * HOUR);
    const early = await refresh();
    clock.move(HOUR);
    repository.truncated = true;
    world.route(`${ROOT}/contents/`, { body: '[]' });
    const incomplete = await refresh();
    repository.truncated = false;
    const late = await refresh();

    assert.deepEqual([first.removed, early.removed, incomplete.removed, late.removed], [[], [], [], ['NEWS.md']]);
    assert.deepEqual(await pathsOf(ctx, sourceId), ['*CHANGELOG.md']);
  });

  it('forgets that a file was missing once it is back', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    const { clock, refresh } = await setUp();
    await refresh();
    const [bytes] = repository.files.values();
    repository.files.delete('CHANGELOG.md');
    await refresh();
    clock.move(25 * HOUR);
    repository.files.set('CHANGELOG.md', bytes as Buffer);
    await refresh();
    repository.files.delete('CHANGELOG.md');

    assert.deepEqual((await refresh()).removed, []);
  });

  it('falls back to the root listing when the tree is truncated or fails', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    put('docs/notes.md', '## 0.9.0\n');
    const bytes = repository.files.get('CHANGELOG.md') as Buffer;
    const listing = [
      { path: 'CHANGELOG.md', type: 'file', sha: blobHash(bytes), size: bytes.length },
      { path: 'src', type: 'dir', sha: 'x' },
    ];
    world.route(`${ROOT}/contents/`, { body: JSON.stringify(listing) });
    repository.truncated = true;
    const plain = await setUp();
    const named = await setUp({ changelogPaths: ['docs/notes.md'] });

    const found = await plain.refresh();
    const requested = await named.refresh();
    const again = await named.refresh();

    assert.deepEqual(found.stored, ['CHANGELOG.md']);
    // A path that a person has set is tried although the listing does not reach it.
    assert.deepEqual([requested.stored, again.stored, again.outcome], [['docs/notes.md'], [], 'no_change']);
  });

  it('leaves stored files when the tree, or a download, fails', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    const { clock, refresh, slice } = await setUp();
    await refresh();
    clock.move(HOUR);
    put('CHANGELOG.md', '## 2.0.0\n');
    world.route('/acme/engine/HEAD/CHANGELOG.md', { status: 503 });

    const failed = await refresh();
    const kept = await slice();
    world.route('/acme/engine/HEAD/CHANGELOG.md', { body: '## 2.0.0\n' });
    const repaired = await refresh();

    assert.deepEqual(
      [failed.outcome, failed.failed, failed.canonicalChanged],
      ['unreachable', ['CHANGELOG.md'], false],
    );
    assert.deepEqual([kept.content, kept.fetchedAt], ['## 1.0.0\n', START]);
    assert.deepEqual([repaired.outcome, (await slice()).content], ['success', '## 2.0.0\n']);
  });

  it('is throttled without asking for more', async () => {
    const { refresh } = await setUp();
    world.route(TREE, { status: 429, headers: { 'retry-after': '60' } });

    const result = await refresh();
    world.route(TREE, (request) => repository.treeAnswer(request));

    assert.deepEqual([result.outcome, result.retryAt], ['throttled', '2024-06-01T12:01:00.000Z']);
    assert.equal(world.requests.length, 1);
  });

  it('looks again when the raw host still serves an older text', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    const { refresh, slice } = await setUp();
    await refresh();
    put('CHANGELOG.md', '## 2.0.0\n');
    world.route('/acme/engine/HEAD/CHANGELOG.md', { body: '## 1.0.0\n' });

    const stale = await refresh();
    put('CHANGELOG.md', '## 2.0.0\n');
    const current = await refresh();

    assert.deepEqual([stale.outcome, stale.canonicalChanged], ['no_change', false]);
    assert.deepEqual([current.outcome, (await slice()).content], ['success', '## 2.0.0\n']);
  });

  it('passes over a file that is no text', async () => {
    put('CHANGELOG.md', Buffer.from([0x50, 0x4b, 0x00, 0x01, 0x02]));
    const { ctx, refresh, sourceId } = await setUp();

    const result = await refresh();

    assert.deepEqual([result.outcome, result.failed], ['malformed', ['CHANGELOG.md']]);
    assert.deepEqual(await pathsOf(ctx, sourceId), []);
  });

  it('fills releases that only point at the changelog', async () => {
    put('CHANGELOG.md', '## 1.1.0\n\n- Eleven\n\n## 1.0.0\n\n- Ten\n');
    const { ctx, refresh, sourceId } = await setUp();
    const address = (tag: string) => `https://github.com/acme/engine/releases/tag/${tag}`;
    await postReleases(ctx, sourceId, [
      { title: 'v1.1.0', version: 'v1.1.0', content: 'See CHANGELOG.md', url: address('v1.1.0'), guid: '11' },
      { title: 'v1.0.0', version: 'v1.0.0', content: 'Written by hand', url: address('v1.0.0'), guid: '10' },
    ]);
    await ctx.store.transaction((tx) => tx.updateTable('releases').set({ origin: 'release' }).execute(), 'catalog');

    const result = await refresh();
    const rows = await ctx.store.read
      .selectFrom('releases')
      .select(['version', 'content'])
      .orderBy('version')
      .execute();

    assert.equal(result.filled, 1);
    assert.deepEqual(
      rows.map(({ version, content }) => [version, content]),
      [
        ['v1.0.0', 'Written by hand'],
        ['v1.1.0', '- Eleven'],
      ],
    );
  });

  it('refuses a source that is no repository', async () => {
    const { refresh } = await setUp();

    assert.equal((await refresh({ type: 'feed' })).outcome, 'error');
    assert.equal(world.requests.length, 0);
  });
});
