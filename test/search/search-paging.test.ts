// Pages are slices of one list, whatever the mode, the size of the page and the order of the requests.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type Context, type Ports, transact } from '../../src/context.ts';
import type { SearchAnswer, SearchMode } from '../../src/contract/search.ts';
import { LIST_BOUND, RETRIEVER_DEPTH } from '../../src/domain/retrieval/fusion.ts';
import type { VectorHit } from '../../src/domain/retrieval/retrievers.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { searchRegistry } from '../../src/search/search.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';

const START = '2026-03-01T12:00:00.000Z';
const DAY = 86_400_000;
const RELEASES = 700;
const MODES = ['lexical', 'semantic', 'hybrid'] as const satisfies readonly SearchMode[];

forEachEngine('pages of a search', (engine) => {
  let ctx: Context;
  const clock = movableClock(START);
  const neighbours: Record<'release' | 'chunk', VectorHit[]> = { release: [], chunk: [] };
  const requested: number[] = [];
  const vectors: Ports['vectors'] = {
    async search(_, { kind, limit }) {
      requested.push(limit);
      return { hits: kind === 'entity' ? [] : neighbours[kind].slice(0, limit) };
    },
    stored: async () => ({ degraded: 'anchor_not_embedded' }),
    follow: async () => {},
    status: () => ({ space: 'hand', counts: { release: 1, chunk: 1, entity: 0 }, weight: 1 }),
    close: async () => {},
  };

  before(async () => {
    const app = await engine.openTestApp({ clock, ports: { vectors } });
    ctx = as(app.ctx, 'admin');
    const source = await createSource(ctx, { type: 'github', url: 'https://github.com/a/pages' });
    const rows = Array.from({ length: RELEASES }, (_, at) =>
      releaseRow(`1.${at}.0`, {
        content: at % 3 === 0 ? 'A heron fishes at the lake' : 'A heron',
        publishedAt: new Date(Date.parse(START) - (at + 1) * DAY).toISOString(),
      }),
    );
    for (const part of [rows.slice(0, 400), rows.slice(400)]) {
      await postReleases(ctx, source.id, part, { silent: true });
    }
    // Changelog entries that are not releases.
    const entries = Array.from(
      { length: 300 },
      (_, at) => `## 0.${at}.0\n\n- A heron in the reeds ${'x'.repeat(960)}\n`,
    );
    const file = { sourceId: source.id, path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example' };
    const content = entries.join('\n');
    await transact(ctx, (inner) => storeChangelogFile(inner, { ...file, content, canonical: true }));
    const { read } = ctx.store;
    const seqs = await read.selectFrom('releases').select(['seq', 'id']).orderBy('seq').execute();
    const chunks = await read.selectFrom('changelog_chunks').select('seq').orderBy('seq').execute();
    assert.ok(chunks.length >= 300);
    neighbours.release = seqs.map(({ seq, id }, at) => ({ key: seq, ref: id, cosine: 0.9 - at / 2_000 }));
    neighbours.chunk = chunks.map(({ seq }, at) => ({ key: seq, ref: String(seq), cosine: 0.8 - at / 2_000 }));
  });

  function search(mode: SearchMode, limit: number, offset: number): Promise<SearchAnswer> {
    return searchRegistry(ctx, { q: 'heron', mode, limit, offset });
  }

  // The hits of a page in their order.
  function places({ releases, chunks = [] }: SearchAnswer): string[] {
    const all = [
      ...releases.map((hit) => [hit.rank, hit.id]),
      ...chunks.map((hit) => [hit.rank, hit.version]),
    ] as const;
    return all.toSorted(([a], [b]) => Number(a) - Number(b)).map(([rank, name]) => `${rank} ${name}`);
  }

  for (const mode of MODES) {
    it(`${mode}: every size of page cuts the same list`, async () => {
      const whole: string[] = [];
      const { listed, listCap } = (await search(mode, 100, 0))._meta.search;
      for (let offset = 0; offset < listed; offset += 100) whole.push(...places(await search(mode, 100, offset)));
      assert.equal(whole.length, listed);
      assert.equal(new Set(whole.map((place) => place.split(' ')[1])).size, listed);
      assert.deepEqual(
        whole.map((place) => Number(place.split(' ')[0])),
        whole.map((_, at) => at + 1),
      );
      // More rows match than are listed, and the answer says so.
      assert.ok(listed >= RETRIEVER_DEPTH && listed <= LIST_BOUND, String(listed));
      assert.equal(listCap, true);
      for (const [limit, offset] of [
        [20, 0],
        [7, 93],
        [20, 140],
        [33, 33],
        [50, listed - 10],
      ] as const) {
        // The cached list of the previous pages has expired.
        clock.move(61_000);
        assert.deepEqual(places(await search(mode, limit, offset)), whole.slice(offset, offset + limit));
      }
    });

    it(`${mode}: at or beyond its end a page is empty`, async () => {
      const { listed } = (await search(mode, 20, 0))._meta.search;
      for (const offset of [listed, LIST_BOUND]) {
        const { releases, chunks = [], _meta } = await search(mode, 20, offset);
        assert.deepEqual([releases, chunks, _meta.search.returned, _meta.search.listed], [[], [], 0, listed]);
        assert.equal(_meta.search.offset, offset);
      }
    });
  }

  it('asks retrievers for the same depth, whatever the page', async () => {
    requested.length = 0;
    clock.move(61_000);
    await search('hybrid', 1, 0);
    clock.move(61_000);
    await search('hybrid', 100, 900);
    assert.deepEqual([...new Set(requested)], [RETRIEVER_DEPTH]);
  });

  it('takes out what was hidden since the page before', async () => {
    const first = await search('hybrid', 20, 0);
    const [hidden] = first.releases;
    assert.ok(hidden);
    await suppressRelease(ctx, hidden.id, { suppressed: true });
    const again = places(await search('hybrid', 100, 0));
    assert.ok(!again.some((place) => place.endsWith(hidden.id)));
    assert.equal(again.length, 100);
  });
});
