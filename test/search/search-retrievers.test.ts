// How the search uses its retrievers: which ones each mode queries, how ranks are fused, and what happens when one
// fails.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { App } from '../../src/app.ts';
import { type Context, type Ports, transact } from '../../src/context.ts';
import type { SearchMode } from '../../src/contract/search.ts';
import type { VectorAnswer, VectorHit } from '../../src/domain/retrieval/retrievers.ts';
import type { VectorSearch } from '../../src/ports.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { searchRegistry } from '../../src/search/search.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const START = '2026-03-01T12:00:00.000Z';

// Neighbours that the test defines, instead of an embedder and an index.
function handVectors(): Ports['vectors'] & { answer: (search: VectorSearch) => VectorAnswer } {
  return {
    answer: () => ({ hits: [] }),
    async search(_, search) {
      return this.answer(search);
    },
    stored: async () => ({ degraded: 'anchor_not_embedded' }),
    follow: async () => {},
    status: () => ({ space: 'hand', counts: { release: 1, chunk: 1, entity: 0 }, weight: 1 }),
    close: async () => {},
  };
}

forEachEngine('legs of the search', (engine) => {
  async function setUp() {
    const vectors = handVectors();
    const clock = movableClock(START);
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const app = await engine.openTestApp({ clock, log, ports: { vectors } });
    const ctx = as(app.ctx, 'admin');
    const search = (q: string, mode: SearchMode = 'hybrid', more = {}) =>
      searchRegistry(app.ctx, { q, mode, limit: 20, offset: 0, ...more });
    const versions = async (q: string, mode?: SearchMode, more = {}) =>
      (await search(q, mode, more)).releases.map((hit) => hit.version);
    return { app, ctx, vectors, clock, lines, search, versions };
  }

  // One release per version, the first the oldest.
  async function releases(ctx: Context, notes: Record<string, string>): Promise<Record<string, VectorHit>> {
    const source = await createSource(ctx, { type: 'github', url: 'https://github.com/a/legs' });
    const rows = Object.entries(notes).map(([version, content], index) =>
      releaseRow(version, { content, publishedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString() }),
    );
    await postReleases(ctx, source.id, rows);
    const stored = await ctx.store.read.selectFrom('releases').select(['seq', 'id', 'version']).execute();
    return Object.fromEntries(stored.map(({ seq, id, version }) => [version, { key: seq, ref: id, cosine: 0.5 }]));
  }

  it('modes: words alone, meaning alone, both', async () => {
    const { ctx, vectors, versions, search } = await setUp();
    const near = await releases(ctx, { '1.0.0': 'A heron', '1.1.0': 'A bird', '1.2.0': 'A heron' });
    const requested: string[] = [];
    vectors.answer = ({ kind, text, limit }) => {
      requested.push(`${kind} ${text} ${limit}`);
      return { hits: kind === 'release' ? [near['1.1.0'], near['1.0.0']].flatMap((hit) => hit ?? []) : [] };
    };

    assert.deepEqual(await versions('heron', 'lexical'), ['1.2.0', '1.0.0']);
    assert.deepEqual(requested, []);
    assert.deepEqual(await versions('heron', 'semantic'), ['1.1.0', '1.0.0']);
    assert.deepEqual(requested, ['release heron 256', 'chunk heron 256']);
    assert.deepEqual(await versions('heron'), ['1.0.0', '1.2.0', '1.1.0']);
    const { mode, degraded, _meta } = await search('heron', 'semantic');
    assert.deepEqual([mode, degraded, _meta.search.mode], ['semantic', false, 'semantic']);
  });

  it('identifiers stay with the words, whatever is near in meaning', async () => {
    const { ctx, vectors, versions } = await setUp();
    const near = await releases(ctx, { '1.0.21': 'One', '1.0.2': 'Two', '1.0.210': 'Three' });
    vectors.answer = ({ kind }) => ({
      hits: kind === 'release' ? [near['1.0.210'], near['1.0.2']].flatMap((hit) => hit ?? []) : [],
    });

    assert.equal((await versions('1.0.21'))[0], '1.0.21');
    assert.equal((await versions('v1.0.21'))[0], '1.0.21');
  });

  it('hits that hold only some of the words stand behind what is meant', async () => {
    const { ctx, vectors, versions } = await setUp();
    const near = await releases(ctx, { '1.0.0': 'A heron fishes', '1.1.0': 'Birds by the lake' });
    vectors.answer = ({ kind }) => ({ hits: kind === 'release' && near['1.1.0'] ? [near['1.1.0']] : [] });

    assert.deepEqual(await versions('heron at the water'), ['1.1.0', '1.0.0']);
  });

  it('the few that hold all words stand before what is near in meaning, many do not', async () => {
    const { ctx, vectors, versions } = await setUp();
    const notes = { '1.0.0': 'A heron fishes', '1.1.0': 'Birds by the lake' };
    const ducks = Object.fromEntries([2, 3, 4, 5, 6].map((minor) => [`1.${minor}.0`, 'A duck']));
    const near = await releases(ctx, { ...notes, ...ducks });
    vectors.answer = ({ kind }) => ({ hits: kind === 'release' && near['1.1.0'] ? [near['1.1.0']] : [] });

    assert.deepEqual(await versions('heron fishes'), ['1.0.0', '1.1.0']);
    assert.deepEqual((await versions('duck')).slice(0, 2), ['1.6.0', '1.1.0']);
  });

  it('a neighbour that is hidden or filtered by now is not shown', async () => {
    const { ctx, vectors, versions } = await setUp();
    const near = await releases(ctx, { '1.0.0': 'One', '2.0.0-beta.1': 'Two' });
    vectors.answer = ({ kind }) => ({ hits: kind === 'release' ? Object.values(near) : [] });

    assert.deepEqual(await versions('anything', 'semantic'), ['1.0.0']);
    assert.deepEqual(await versions('anything beta', 'semantic'), ['1.0.0', '2.0.0-beta.1']);
    assert.deepEqual(await versions('anything', 'semantic', { filters: { kind: 'sdk' } }), []);
    await transact(ctx, ({ tx }) => tx.updateTable('releases').set({ listing: -2 }).execute());
    assert.deepEqual(await versions('anything', 'semantic'), []);
  });

  it('chunks and releases share the places, and windows bound releases alone', async () => {
    const { ctx, vectors, search } = await setUp();
    const near = await releases(ctx, { '1.0.0': 'One' });
    const { id: sourceId } = await ctx.store.read.selectFrom('sources').select('id').executeTakeFirstOrThrow();
    const content = `## 0.2.0\n\n${'- Some words of this entry\n'.repeat(60)}\n## 0.1.0\n\n- First\n`;
    const file = { sourceId, path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example', content };
    await transact(ctx, (inner) => storeChangelogFile(inner, { ...file, canonical: true }));
    const rows = await ctx.store.read.selectFrom('changelog_chunks').selectAll().orderBy('offset_chars').execute();
    const requested: (string | undefined)[] = [];
    vectors.answer = ({ kind, filter }) => {
      requested.push(`${kind} ${filter.since ?? 'always'}`);
      const chunks = rows.map(({ seq }) => ({ key: seq, ref: String(seq), cosine: 0.4 }));
      return { hits: kind === 'chunk' ? chunks : Object.values(near) };
    };

    const { chunks = [], releases: found } = await search('z', 'semantic', {
      filters: { since: '2026-02-01T00:00:00.000Z' },
    });
    assert.deepEqual(found, []);
    assert.deepEqual(requested, ['release 2026-02-01T00:00:00.000Z', 'chunk always']);
    assert.deepEqual(
      chunks.map(({ rank }) => rank),
      rows.map((_, index) => index + 1),
    );
    // The parts of a long section begin with its heading.
    const second = rows[1];
    assert.deepEqual(
      chunks.slice(0, 2).map(({ offset, sectionOffset }) => [offset, sectionOffset]),
      [
        [0, undefined],
        [0, second?.offset_chars],
      ],
    );
    for (const { offset, sectionOffset = 0, length, snippet } of chunks) {
      assert.equal(snippet, content.slice(offset + sectionOffset, offset + sectionOffset + length));
    }
    const both = await search('z', 'semantic', { limit: 2 });
    assert.deepEqual([both.releases.length, both.chunks?.length, both._meta.search.hitCap], [1, 1, true]);
  });

  it('without vectors it falls back to words and says why', async () => {
    const { app, ctx, vectors, search, clock } = await setUp();
    await releases(ctx, { '1.0.0': 'A heron' });
    const cases: [string, (kind: string) => VectorAnswer, string | null][] = [
      ['off', () => ({ degraded: 'not_configured' }), 'not_configured'],
      ['failing embedder', () => ({ degraded: 'provider_error' }), 'provider_error'],
      ['lost index', () => ({ degraded: 'index_unavailable' }), 'index_unavailable'],
      ['nothing embedded', () => ({ degraded: 'index_empty' }), 'index_empty'],
      ['most not embedded', () => ({ degraded: 'index_building' }), 'index_building'],
      [
        'chunks not embedded',
        (kind) => (kind === 'chunk' ? { degraded: 'index_building' } : { hits: [] }),
        'index_building',
      ],
      ['no chunks at all', (kind) => (kind === 'chunk' ? { degraded: 'index_empty' } : { hits: [] }), null],
      [
        'chunks lost',
        (kind) => (kind === 'chunk' ? { degraded: 'index_unavailable' } : { hits: [] }),
        'index_unavailable',
      ],
      [
        'releases lost',
        (kind) => (kind === 'release' ? { degraded: 'index_unavailable' } : { hits: [] }),
        'index_unavailable',
      ],
      [
        'a leg that throws',
        () => {
          throw new Error('no');
        },
        'index_unavailable',
      ],
    ];
    for (const [name, answer, reason] of cases) {
      vectors.answer = ({ kind }) => answer(kind);
      // A list is cached for a minute.
      clock.move(61_000);
      app.ctx.answer.degraded = false;
      const hybrid = await search('heron');
      // An answer with a temporary failure is not cached; a disabled retriever is not a failure.
      assert.equal(app.ctx.answer.degraded, reason !== null && reason !== 'not_configured', name);
      assert.deepEqual([hybrid.degraded, hybrid.degradedReason ?? null], [reason !== null, reason], name);
      assert.deepEqual([hybrid.mode, hybrid.releases.length, hybrid.chunks?.length], ['hybrid', 1, 0], name);
      const semantic = await search('heron', 'semantic');
      assert.deepEqual([semantic.mode, semantic.releases.length], ['semantic', reason === null ? 0 : 1], name);
      const used = reason === null ? 'semantic' : name.startsWith('chunks') ? 'hybrid' : 'lexical';
      assert.equal(semantic._meta.search.mode, used, name);
    }
  });

  it('a leg that throws is told once a minute', async () => {
    const { ctx, vectors, search, lines, clock } = await setUp();
    await releases(ctx, { '1.0.0': 'A heron' });
    vectors.answer = () => {
      throw new Error('no');
    };
    for (let turn = 0; turn < 3; turn += 1) await search('heron');
    assert.equal(lines.length, 1);
    clock.move(61_000);
    await search('heron');
    assert.equal(lines.length, 2);
  });

  it('a failing index of words is 503, never an empty answer', async () => {
    const { app } = await setUp();
    const { ctx } = app;
    const assertRefused = async ({ anonymous }: Service) => {
      for (const path of ['/v1/search?q=heron', '/v1/search?q=heron&mode=lexical', '/v1/search/releases?q=heron']) {
        const { status, body, headers } = await anonymous.get(path);
        assert.deepEqual(
          [status, body.error.code, headers.get('retry-after')],
          [503, 'service_unavailable', '5'],
          path,
        );
      }
      // Semantic search needs no words in common.
      assert.equal((await anonymous.get('/v1/search?q=heron&mode=semantic')).status, 200);
    };
    const failing = async () => {
      throw new Error('disk I/O error');
    };
    const dialect = { ...ctx.store.dialect, findCandidates: failing, countDocuments: failing };
    // Threads have the real dialect, so the search runs here.
    const broken: App = { ...app, ctx: { ...ctx, store: { ...ctx.store, dialect, search: ctx.store.read } } };
    const service = await startService(broken);
    await assertRefused(service);
    await service.close();
    if (ctx.store.dialect.name !== 'sqlite') return;
    await ctx.store.transaction((tx) => sql`DROP TABLE release_fts`.execute(tx), 'bookkeeping');
    const onThreads = await startService(app);
    await assertRefused(onThreads);
    await onThreads.close();
  });
});
