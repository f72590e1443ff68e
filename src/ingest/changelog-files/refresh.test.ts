import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases } from '../../../test/support/factories.ts';
import { type OutsideWorld, type SeenRequest, startOutsideWorld } from '../../../test/support/outside-world.ts';
import { readChangelogSlice } from '../../catalog/changelog-files/read-slice.ts';
import { workFigures } from '../../catalog/registry/work-figures.ts';
import type { Context } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { blobHash } from '../adapters/changelog/files.ts';
import { refreshChangelogFiles } from './refresh.ts';
import { storedChangelog } from './stored.ts';

const START = '2024-06-01T12:00:00.000Z';
const HOUR = 3_600_000;
const ROOT = '/repos/acme/engine';
const TREE = `${ROOT}/git/trees/HEAD?recursive=1`;

forEachEngine('refreshing changelog files', (engine: TestEngine) => {
  let world: OutsideWorld;
  let files: Map<string, Buffer>;
  let truncated = false;

  before(async () => {
    world = await startOutsideWorld();
    world.route(`${ROOT}/git/trees/HEAD`, (request) => treeAnswer(request));
  });
  after(() => world.close());
  beforeEach(() => {
    files = new Map();
    truncated = false;
  });

  function treeAnswer({ headers }: SeenRequest) {
    const tree = [...files].map(([path, bytes]) => {
      return { path, mode: '100644', type: 'blob', sha: blobHash(bytes), size: bytes.length };
    });
    const link = { path: 'LINK/CHANGELOG.md', mode: '120000', type: 'blob', sha: 'f'.repeat(40), size: 9 };
    const body = JSON.stringify({
      sha: 'x',
      tree: [...tree, link, { path: 'src', type: 'tree', sha: 'y' }],
      truncated,
    });
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    return headers['if-none-match'] === etag ? { status: 304, headers: { etag } } : { headers: { etag }, body };
  }

  function put(path: string, content: string | Buffer) {
    const bytes = Buffer.from(content);
    files.set(path, bytes);
    world.route(`/acme/engine/HEAD/${path}`, ({ headers }) => {
      const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(String(headers.range ?? '')) ?? [];
      if (from === undefined) return { body: bytes };
      const part = from === '' ? bytes.subarray(-Number(to)) : bytes.subarray(Number(from), Number(to) + 1);
      return { status: 206, body: part, headers: { 'content-range': `bytes x/${bytes.length}` } };
    });
  }

  async function setUp(metadata: Record<string, unknown> = {}) {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    const org = await createOrg(ctx);
    const shape = await createSource(ctx, {
      orgId: org.id,
      name: 'Engine',
      type: 'github',
      url: 'https://github.com/acme/engine',
      metadata,
    });
    const refresh = async (more: Partial<SourceRow> = {}) => {
      world.requests.length = 0;
      const source = await ctx.store.read
        .selectFrom('sources')
        .selectAll()
        .where('id', '=', shape.id)
        .executeTakeFirstOrThrow();
      return refreshChangelogFiles(ctx, world.context({ now: clock() }), { ...source, ...more });
    };
    const slice = (path?: string) => readChangelogSlice(ctx, { src: shape.id }, path === undefined ? {} : { path });
    return { ctx, clock, refresh, slice, sourceId: shape.id };
  }

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
    files.delete('NEWS.md');

    const first = await refresh();
    clock.move(23 * HOUR);
    const early = await refresh();
    clock.move(HOUR);
    truncated = true;
    world.route(`${ROOT}/contents/`, { body: '[]' });
    const incomplete = await refresh();
    truncated = false;
    const late = await refresh();

    assert.deepEqual([first.removed, early.removed, incomplete.removed, late.removed], [[], [], [], ['NEWS.md']]);
    assert.deepEqual(await pathsOf(ctx, sourceId), ['*CHANGELOG.md']);
  });

  it('forgets that a file was missing once it is back', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    const { clock, refresh } = await setUp();
    await refresh();
    const [bytes] = files.values();
    files.delete('CHANGELOG.md');
    await refresh();
    clock.move(25 * HOUR);
    files.set('CHANGELOG.md', bytes as Buffer);
    await refresh();
    files.delete('CHANGELOG.md');

    assert.deepEqual((await refresh()).removed, []);
  });

  it('falls back to the root listing when the tree is truncated or fails', async () => {
    put('CHANGELOG.md', '## 1.0.0\n');
    put('docs/notes.md', '## 0.9.0\n');
    const bytes = files.get('CHANGELOG.md') as Buffer;
    const listing = [
      { path: 'CHANGELOG.md', type: 'file', sha: blobHash(bytes), size: bytes.length },
      { path: 'src', type: 'dir', sha: 'x' },
    ];
    world.route(`${ROOT}/contents/`, { body: JSON.stringify(listing) });
    truncated = true;
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
    world.route(TREE, (request) => treeAnswer(request));

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

  it('downloads only the stored part of a file over 10 MiB', async () => {
    // No words, because each would be indexed, and wide characters where a download ends, which cuts one of them.
    const filler = (number: number) => `${number > 600 && number < 630 ? '——————' : '=================='} `.repeat(571);
    const entry = (number: number) => `## 1.${number}.0\n\n- ÄÄ ${filler(number)}\n\n`;
    const count = 1000;
    const rising = Array.from({ length: count }, (_, index) => entry(index + 1)).join('');
    const falling = Array.from({ length: count }, (_, index) => entry(count - index)).join('');
    assert.ok(Buffer.byteLength(rising) > 10 * 1024 * 1024);
    for (const end of [Buffer.from(falling).subarray(4_259_840), Buffer.from(rising).subarray(-4_259_840)]) {
      assert.equal((end[0] as number) & 0xc0, 0x80, 'inside of a character');
    }
    put('CHANGELOG.md', falling);
    put('HISTORY.md', rising);
    const { refresh, slice } = await setUp();

    const result = await refresh();
    const [newest, oldest] = [await slice('CHANGELOG.md'), await slice('HISTORY.md')];

    assert.deepEqual([result.outcome, result.failed], ['success', []]);
    assert.deepEqual(
      world.requests.filter(({ headers }) => headers.range).map(({ headers }) => headers.range),
      ['bytes=0-4259839', 'bytes=0-4259839', 'bytes=-4259840'],
    );
    for (const stored of [newest, oldest]) {
      assert.equal(stored.bytes, Buffer.byteLength(rising));
      assert.equal(stored.truncated, true);
      assert.ok(Buffer.byteLength(stored.content) <= 4 * 1024 * 1024);
      assert.match(stored.content, /^## 1\.\d+\.0\n/);
      assert.match(stored.content, /\n\n$/);
      assert.ok(!stored.content.includes('\ufffd'));
    }
    assert.match(newest.content, /^## 1\.1000\.0\n/);
    assert.equal(newest.truncatedAt, newest.content.length);
    assert.match(oldest.content, /\n## 1\.1000\.0\n[^#]*$/);
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
