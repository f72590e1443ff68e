// Every filter of the table through every retriever and mode: one row passes, and one must be excluded.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Context, type Ports, transact } from '../../src/context.ts';
import type { SearchMode } from '../../src/contract/search.ts';
import type { SearchFilter, VectorHit } from '../../src/domain/retrieval/retrievers.ts';
import { describeQuery } from '../../src/domain/search-text/search-query.ts';
import type { VectorKind } from '../../src/ports.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { chunksBySeq } from '../../src/search/candidates/chunks.ts';
import { newestReleases, releasesBySeq } from '../../src/search/candidates/releases.ts';
import { findEntities, NO_ENTITIES } from '../../src/search/entities/find-entities.ts';
import { ENTITY_FILTERS, RELEASE_FILTERS } from '../../src/search/filters/table.ts';
import { rankedList } from '../../src/search/hybrid/ranked-list.ts';
import { askChunks, askReleases } from '../../src/search/lexical/test-support.ts';
import { passing } from '../../src/search/vectors/nearest/nearest.ts';
import { newestKeys } from '../../src/search/vectors/nearest/newest.ts';
import { type DatabaseReader, openReader } from '../../src/store/open-reader.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const ALL: SearchFilter = { includePrereleases: true, includeCoverage: true };
const FILES = { path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example', canonical: true };

// Of each pair the first passes the filter and the second does not.
type Side = 'in' | 'out';

forEachEngine('filters of a search', (engine) => {
  let ctx: Context;
  let reader: DatabaseReader;
  const ids = { org: { in: '', out: '' }, product: { in: '', out: '' }, source: { in: '', out: '' } };
  const releases: Record<Side, VectorHit[]> = { in: [], out: [] };
  const chunks: Record<Side, VectorHit[]> = { in: [], out: [] };
  const vectors: Ports['vectors'] = {
    // The retriever returns every row, so the filter must act on the rows.
    search: async (_, { kind }) => ({ hits: kind === 'release' ? everyRelease() : everyChunk() }),
    stored: async () => ({ degraded: 'anchor_not_embedded' }),
    follow: async () => {},
    status: () => ({ space: 'hand', counts: { release: 2, chunk: 2, entity: 0 }, weight: 1 }),
    close: async () => {
      await reader?.close();
    },
  };
  const everyRelease = () => [...releases.out, ...releases.in];
  const everyChunk = () => [...chunks.out, ...chunks.in];

  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW), ports: { vectors } }));
    reader = await openReader({ ...ctx.config, onError: () => {} });
    await side('in', { category: 'ai', kind: 'sdk', type: 'github' });
    await side('out', { category: 'database', kind: 'docs', type: 'feed' });
  });

  async function side(
    name: Side,
    { category, kind, type }: { category: 'ai' | 'database'; kind: 'sdk' | 'docs'; type: 'github' | 'feed' },
  ) {
    const org = await createOrg(ctx, { category, name: `Egret ${name} org` });
    const product = await createProduct(ctx, org.id, { name: `Egret ${name} product`, kind });
    const url = `https://github.com/filters/${name}`;
    const named = { name: `Egret ${name} source`, orgId: org.id, productId: product.id };
    const source = await createSource(ctx, { ...named, kind, type, url });
    Object.assign(ids.org, { [name]: org.id });
    Object.assign(ids.product, { [name]: product.id });
    Object.assign(ids.source, { [name]: source.id });
    const passes = name === 'in';
    const version = passes ? '2.0.0' : '3.0.0-beta.1';
    const row = releaseRow(version, {
      content: 'A heron fishes at the lake in the morning',
      type: passes ? 'feature' : 'rollup',
      breaking: passes ? 'major' : 'none',
      importance: passes ? 5 : 1,
      prerelease: !passes,
      publishedAt: passes ? '2026-02-10T00:00:00.000Z' : '2026-01-10T00:00:00.000Z',
    });
    await postReleases(ctx, source.id, [row], { silent: true });
    const content = `## ${version}\n\n- A heron fishes at the lake in the morning\n`;
    await transact(ctx, (inner) => storeChangelogFile(inner, { sourceId: source.id, ...FILES, content }));
    const stored = await ctx.store.read.selectFrom('releases').selectAll().where('source_id', '=', source.id).execute();
    releases[name] = stored.map(({ seq, id }) => ({ key: seq, ref: id, cosine: 0.9 }));
    const parts = await ctx.store.read
      .selectFrom('changelog_chunks')
      .selectAll()
      .where('source_id', '=', source.id)
      .execute();
    chunks[name] = parts.map(({ seq }) => ({ key: seq, ref: String(seq), cosine: 0.9 }));
  }

  // A value for each filter, and whether chunks support it: every entry of the table needs one.
  const values: Record<keyof SearchFilter, { value: () => Partial<SearchFilter>; chunks: boolean; until?: boolean }> = {
    orgIds: { value: () => ({ orgIds: [ids.org.in] }), chunks: true },
    productIds: { value: () => ({ productIds: [ids.product.in] }), chunks: true },
    sourceIds: { value: () => ({ sourceIds: [ids.source.in] }), chunks: true },
    owners: { value: () => ({ owners: [{ column: 'product_id', id: ids.product.in }] }), chunks: true },
    categories: { value: () => ({ categories: ['ai'] }), chunks: true },
    kinds: { value: () => ({ kinds: ['sdk'] }), chunks: true },
    sourceTypes: { value: () => ({ sourceTypes: ['github'] }), chunks: true },
    excludedSourceTypes: { value: () => ({ excludedSourceTypes: ['feed'] }), chunks: true },
    type: { value: () => ({ type: 'feature' }), chunks: true },
    breaking: { value: () => ({ breaking: ['major', 'minor'] }), chunks: true },
    minImportance: { value: () => ({ minImportance: 4 }), chunks: true },
    includePrereleases: { value: () => ({ includePrereleases: false }), chunks: false },
    includeCoverage: { value: () => ({ includeCoverage: false }), chunks: false },
    since: { value: () => ({ since: '2026-02-01T00:00:00.000Z' }), chunks: false },
    until: { value: () => ({ until: '2026-02-01T00:00:00.000Z' }), chunks: false, until: true },
  };

  // The filters that each section of entities supports; the others are about releases or about other entities.
  const ENTITY_SECTIONS: Record<keyof typeof ids, readonly string[]> = {
    org: ['orgIds', 'categories'],
    product: ['orgIds', 'productIds', 'sourceIds', 'owners', 'categories', 'kinds'],
    source: ENTITY_FILTERS.map((entry) => entry.name),
  };

  it('the table has every filter, once', () => {
    assert.deepEqual(RELEASE_FILTERS.map(({ name }) => name).toSorted(), Object.keys(values).toSorted());
  });

  for (const [name, { value, chunks: ofChunks, until = false }] of Object.entries(values)) {
    describe(name, () => {
      const filter = (): SearchFilter => ({ ...ALL, ...value() });
      // What a lower bound includes, an upper bound excludes.
      const [kept, dropped]: [Side, Side] = until ? ['out', 'in'] : ['in', 'out'];
      const seqs = (hits: readonly VectorHit[]) => hits.map(({ key }) => key).toSorted((a, b) => a - b);
      const expected = (kind: VectorKind) => {
        if (kind === 'chunk') return seqs(ofChunks ? chunks.in : everyChunk());
        return seqs(releases[kept]);
      };

      before(async () => {
        if (name !== 'includeCoverage') return;
        await setListing(1);
      });
      // The excluded one is coverage of another release.
      const setListing = (listing: number) =>
        transact(ctx, ({ tx }) =>
          tx
            .updateTable('releases')
            .set({ listing })
            .where('id', '=', releases[dropped][0]?.ref ?? '')
            .execute(),
        );

      it('words', async () => {
        const keyed = async (table: 'releases' | 'changelog_chunks', keys: readonly number[]) => {
          const rows = await ctx.store.read
            .selectFrom(table)
            .select('seq')
            .where('doc_key', 'in', [...keys, -1])
            .execute();
          return rows.map(({ seq }) => seq).toSorted((a, b) => a - b);
        };
        const requested = { q: 'heron', filter: filter() };
        const found = await askReleases(ctx, requested);
        assert.deepEqual(
          await keyed(
            'releases',
            found.hits.map(({ docKey }) => docKey),
          ),
          expected('release'),
        );
        const parts = await askChunks(ctx, requested);
        assert.deepEqual(
          await keyed(
            'changelog_chunks',
            parts.hits.map(({ docKey }) => docKey),
          ),
          expected('chunk'),
        );
      });

      it('rows of candidates', async () => {
        const [all, parts] = [everyRelease().map(({ key }) => key), everyChunk().map(({ key }) => key)];
        assert.deepEqual(
          [...(await releasesBySeq(ctx, all, filter())).keys()].toSorted((a, b) => a - b),
          expected('release'),
        );
        assert.deepEqual(
          [...(await chunksBySeq(ctx, parts, filter())).keys()].toSorted((a, b) => a - b),
          expected('chunk'),
        );
      });

      it('vectors', async () => {
        for (const kind of ['release', 'chunk'] as const) {
          // The index thread leaves verdicts of chunks to the rows of their releases.
          const verdict = name === 'type' || name === 'breaking' || name === 'minImportance';
          const wanted = { kind, filter: filter(), now: NOW };
          const all = (kind === 'release' ? everyRelease() : everyChunk()).map(({ key }) => key);
          const passed = [...(await passing(reader, wanted, all)).keys()].toSorted((a, b) => a - b);
          const right = kind === 'chunk' && verdict ? seqs(everyChunk()) : expected(kind);
          assert.deepEqual(passed, right, kind);
          const { keys } = await newestKeys(reader, wanted, { rows: 100, most: 100 });
          assert.deepEqual(
            keys.toSorted((a, b) => a - b),
            right,
            kind,
          );
        }
      });

      it('newest of a name', async () => {
        const owners = [ids.org.in, ids.org.out].map((id) => ({ column: 'org_id' as const, id }));
        const found = await newestReleases(ctx, owners, { filter: filter(), limit: 10 });
        const shown = expected('release');
        // Coverage is never the newest release of a name.
        assert.deepEqual(
          found.map(({ seq }) => seq).toSorted((a, b) => a - b),
          shown,
        );
      });

      it('entities', async () => {
        const scope = { filter: filter(), owners: null, collectionId: null, includeEmpty: true };
        const { orgs, catalog } = await findEntities(ctx, { text: 'egret', scope });
        const found = (prefix: string) =>
          [...orgs, ...catalog]
            .filter(({ id }) => id.startsWith(prefix))
            .map(({ id }) => id)
            .toSorted();
        for (const kind of ['org', 'product', 'source'] as const) {
          const { in: inside, out } = ids[kind];
          const acts = ENTITY_SECTIONS[kind].includes(name);
          // No org belongs to a product.
          const none = kind === 'org' && name === 'owners';
          const right = none ? [] : acts ? [inside] : [inside, out].toSorted();
          assert.deepEqual(found(inside.slice(0, 4)), right, kind);
        }
      });

      for (const mode of ['lexical', 'semantic', 'hybrid'] as const satisfies readonly SearchMode[]) {
        it(`${mode} search`, async () => {
          const { candidates } = await rankedList(ctx, {
            q: 'heron',
            query: describeQuery('heron'),
            mode,
            filter: filter(),
            chunks: true,
            entities: Promise.resolve(NO_ENTITIES),
            besideNumber: null,
          });
          const found = candidates.flatMap(({ candidate }) => (candidate.kind === 'release' ? [candidate.seq] : []));
          assert.deepEqual(
            found.toSorted((a, b) => a - b),
            expected('release'),
          );
          for (const { candidate } of candidates) {
            if (candidate.kind === 'chunk') assert.ok(expected('chunk').includes(candidate.seq));
          }
          if (name === 'includeCoverage' && mode === 'hybrid') await setListing(2);
        });
      }
    });
  }
});
