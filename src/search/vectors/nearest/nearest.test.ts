import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { forEachEngine } from '../../../../test/support/engines.ts';
import { type Context, now, transact } from '../../../context.ts';
import { cosine, quantise } from '../../../domain/embedding/quantise.ts';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import { type DatabaseReader, openReader } from '../../../store/open-reader.ts';
import { writeVectors } from '../embedding/store-batch.ts';
import { KindIndex } from '../index-thread/kind-index.ts';
import {
  DIMS,
  FILTER_CASES,
  type FilteredRelease,
  postFilteredReleases,
  vectorOf,
} from './filtered-releases.fixture.ts';
import { type Bounds, type NearestQuery, nearest, WideFilters } from './nearest.ts';
import { driverOf, lookedAt } from './newest.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const BASE: SearchFilter = { includePrereleases: false, includeCoverage: false };
// Small ones, so that a few hundred releases are many.
const BOUNDS: Bounds = { exact: 40, least: 8, most: 64, looked: [100, 1_000] };

forEachEngine('the nearest that pass', (engine) => {
  let ctx: Context;
  let reader: DatabaseReader;
  let index: KindIndex;
  let known: FilteredRelease[];
  let sources: Awaited<ReturnType<typeof postFilteredReleases>>['sources'];

  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: () => new Date(NOW) }));
    ({ sources, releases: known } = await postFilteredReleases(ctx));
    await transact(ctx, (inner) =>
      writeVectors(
        inner,
        { space: 's', kind: 'release' },
        known.map(({ seq, id }) => ({ key: seq, ref: id, vector: vectorOf(seq), textHash: '', tier: 2 })),
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

  const sizes = [
    { limit: 10, most: 64 },
    // More than is looked up at once.
    { limit: 80, most: 400 },
  ];
  const sized = FILTER_CASES.flatMap((one) => sizes.map((size) => [...one, size] as const));
  for (const [name, filter, passes, { limit, most }] of sized) {
    it(`${name}, ${limit} of them: a page as long as there are matches, and the right ones`, async () => {
      const wanted: SearchFilter = { ...BASE, ...filter(sources) };
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
