import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { forEachEngine } from '../../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../../test/support/factories.ts';
import { type Context, now, transact } from '../../../context.ts';
import { cosine, quantise } from '../../../domain/embedding/quantise.ts';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import { type DatabaseReader, openReader } from '../../../store/open-reader.ts';
import { writeVectors } from '../embedding/store-batch.ts';
import { madeVector } from '../made-vectors.fixture.ts';
import { KindIndex } from './kind-index.ts';
import { type Bounds, type NearestQuery, nearest, WideFilters } from './nearest.ts';
import { driverOf, lookedAt } from './newest.ts';

const DIMS = 32;
const COUNT = 480;
const NOW = '2026-03-10T12:00:00.000Z';
const BASE: SearchFilter = { includePrereleases: false, includeCoverage: false };
// Small ones, so that a few hundred releases are many.
const BOUNDS: Bounds = { exact: 40, least: 8, most: 64, looked: [100, 1_000] };

interface Known {
  seq: number;
  source: number;
  importance: number | null;
  breaking: string;
  type: string;
  prerelease: number;
  feed_at: string;
}

forEachEngine('the nearest that pass', (engine) => {
  let ctx: Context;
  let reader: DatabaseReader;
  let index: KindIndex;
  let known: Known[];
  const sources: { id: string; orgId: string; kind: string; type: string; category: string | null }[] = [];

  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: () => new Date(NOW) }));
    const [big, small] = [await createOrg(ctx, { category: 'database' }), await createOrg(ctx)];
    for (const [org, kind, type] of [
      [big, 'sdk', 'feed'],
      [big, 'tool', 'github'],
      [big, 'sdk', 'feed'],
      [small, 'docs', 'feed'],
    ] as const) {
      const url = `https://github.com/acme/n${sources.length}`;
      const { id } = await createSource(ctx, { orgId: org.id, kind, type, url });
      sources.push({ id, orgId: org.id, kind, type, category: org === big ? 'database' : null });
    }
    // Few of the small org, and they are the oldest.
    const sizes = [200, 150, 122, 8];
    for (const [at, source] of sources.entries()) {
      const rows = Array.from({ length: sizes[at] ?? 0 }, (_, number) =>
        releaseRow(`${at}.${number}.0`, {
          importance: number % 50 === 0 ? 5 : (number % 3) + 1,
          breaking: number % 40 === 0 ? 'major' : 'none',
          type: number % 60 === 7 ? 'rollup' : 'feature',
          prerelease: number % 4 === 1,
          publishedAt:
            number % 20 === 3 ? undefined : new Date(Date.parse(NOW) - (at * 200 + number) * 3_600_000).toISOString(),
        }),
      );
      await postReleases(ctx, source.id, rows, { silent: true });
    }
    const rows = await ctx.store.read
      .selectFrom('releases')
      .select(['seq', 'id', 'source_id', 'importance', 'breaking', 'type', 'prerelease', 'feed_at'])
      .execute();
    known = rows.map(({ source_id, ...row }) => ({ ...row, source: sources.findIndex(({ id }) => id === source_id) }));
    assert.equal(known.length, COUNT);
    await transact(ctx, (inner) =>
      writeVectors(
        inner,
        { space: 's', kind: 'release' },
        rows.map(({ seq, id }) => ({ key: seq, ref: id, vector: vectorOf(seq), textHash: '', tier: 2 })),
      ),
    );
    reader = await openReader({ ...ctx.config, onError: () => {} });
    index = new KindIndex({
      rows: { reader, space: 's', kind: 'release' },
      location: { folder: join(ctx.config.dataDir, 'vectors'), kind: 'release' },
      dims: DIMS,
      log: () => {},
      changed: () => {},
    });
    await index.open(new Date(now(ctx)));
    const close = ctx.ports.vectors.close;
    ctx.ports.vectors.close = async () => {
      await reader.close();
      await close();
    };
  });

  // The cosine of each release to the vector of a number; every case asks for the same ones.
  const cosines = new Map<number, Map<number, number>>();
  const cosinesTo = (number: number): Map<number, number> => {
    const vector = vectorOf(number);
    const found =
      cosines.get(number) ??
      new Map(known.map(({ seq }) => [seq, cosine(vector, quantise(vectorOf(seq)).data)] as const));
    cosines.set(number, found);
    return found;
  };

  const vectorOf = (number: number) => madeVector({ dims: DIMS, seed: 9, number });
  const sourceOf = ({ source }: Known) => sources[source] as (typeof sources)[number];

  const cases: [name: string, filter: () => Partial<SearchFilter>, passes: (release: Known) => boolean][] = [
    ['everything', () => ({}), () => true],
    ['pre-releases', () => ({ includePrereleases: true }), () => true],
    ['a large org', () => ({ orgIds: [sources[0]?.orgId ?? ''] }), (one) => one.source < 3],
    ['a small org', () => ({ orgIds: [sources[3]?.orgId ?? ''] }), (one) => one.source === 3],
    ['both orgs', () => ({ orgIds: sources.map(({ orgId }) => orgId) }), () => true],
    ['one source', () => ({ sourceIds: [sources[1]?.id ?? ''] }), (one) => one.source === 1],
    ['a category', () => ({ categories: ['database'] }), (one) => one.source < 3],
    ['a common kind', () => ({ kinds: ['sdk'] }), (one) => sourceOf(one).kind === 'sdk'],
    ['a rare kind', () => ({ kinds: ['docs'] }), (one) => one.source === 3],
    ['a type of source', () => ({ sourceTypes: ['github'] }), (one) => one.source === 1],
    ['without a type of source', () => ({ excludedSourceTypes: ['feed'] }), (one) => one.source === 1],
    ['important ones', () => ({ minImportance: 5 }), (one) => (one.importance ?? 0) >= 5],
    ['not quite important ones', () => ({ minImportance: 2 }), (one) => (one.importance ?? 0) >= 2],
    ['breaking ones', () => ({ breaking: ['major', 'minor'] }), (one) => one.breaking === 'major'],
    ['harmless ones', () => ({ breaking: ['none'] }), (one) => one.breaking === 'none'],
    ['a rare type', () => ({ type: 'rollup' }), (one) => one.type === 'rollup'],
    ['a short window', () => ({ since: '2026-03-09T00:00:00.000Z' }), (one) => one.feed_at >= '2026-03-09'],
    [
      'an old window',
      () => ({ until: '2026-02-12T00:00:00.000Z' }),
      (one) => one.feed_at !== '' && one.feed_at <= '2026-02-12T00:00:00.000Z',
    ],
    [
      'several at once',
      () => ({ kinds: ['sdk'], breaking: ['major'], minImportance: 2 }),
      (one) => sourceOf(one).kind === 'sdk' && one.breaking === 'major' && (one.importance ?? 0) >= 2,
    ],
    ['nothing', () => ({ kinds: ['mobile'] }), () => false],
  ];

  const sizes = [
    { limit: 10, most: 64 },
    // More than is looked up at once.
    { limit: 80, most: 400 },
  ];
  const sized = cases.flatMap((one) => sizes.map((size) => [...one, size] as const));
  for (const [name, filter, passes, { limit, most }] of sized) {
    it(`${name}, ${limit} of them: a page as long as there are matches, and the right ones`, async () => {
      const wanted: SearchFilter = { ...BASE, ...filter() };
      const matching = known.filter((one) => (wanted.includePrereleases || one.prerelease === 0) && passes(one));
      const wideFilters = new WideFilters();
      let right = 0;
      let all = 0;
      for (const number of [3, 1_000, 2_000, 3_000]) {
        const vector = vectorOf(number);
        const question: NearestQuery = { kind: 'release', vector, filter: wanted, limit, now: NOW };
        const hits = await nearest(index, question, { wideFilters, bounds: { ...BOUNDS, most } });

        assert.equal(hits.length, Math.min(limit, matching.length));
        const ranked = matching
          .map(({ seq }) => ({ seq, near: cosinesTo(number).get(seq) ?? 0 }))
          .sort((a, b) => b.near - a.near);
        const best = new Set(ranked.slice(0, limit).map(({ seq }) => seq));
        const allowed = new Set(matching.map(({ seq }) => seq));
        assert.ok(hits.every(({ key }) => allowed.has(key)));
        assert.deepEqual(
          hits.map((hit) => hit.cosine),
          hits.map((hit) => hit.cosine).toSorted((a, b) => b - a),
        );
        right += hits.filter(({ key }) => best.has(key)).length;
        all += best.size;
      }
      assert.ok(all === 0 || right / all >= 0.8, `${right} of ${all}`);
    });
  }

  // The other engine reads so small a table whole.
  if (engine.name !== 'sqlite') return;
  describe('indexes of the database', () => {
    const plans: [filter: Partial<SearchFilter>, index: RegExp][] = [
      [{}, /releases_feed/],
      [{ since: '2026-01-01' }, /releases_feed/],
      [{ minImportance: 5 }, /releases_important/],
      [{ breaking: ['major'] }, /releases_breaking/],
      [{ orgIds: ['org_1'] }, /releases_org_feed/],
      [{ sourceIds: ['src_1'] }, /releases_source_feed/],
      [{ categories: ['database'] }, /releases_category_feed/],
    ];
    for (const [filter, used] of plans) {
      it(`serve ${JSON.stringify(filter)}`, async () => {
        const wanted = { kind: 'release', filter: { ...BASE, ...filter }, now: NOW } as const;
        const driver = await driverOf(reader, wanted.filter);
        const plan = await reader.dialect.explain(reader.db, lookedAt(wanted, { driver, listing: 2, rows: 100 }));

        assert.match(plan, used);
        assert.doesNotMatch(plan, /TEMP B-TREE/);
      });
    }
  });
});
