// Releases of four sources that differ in whatever filters check, and for each filter which of them pass.
import assert from 'node:assert/strict';
import { createOrg, createSource, postReleases, releaseRow } from '../../../../test/support/factories.ts';
import type { Context } from '../../../context.ts';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import { madeVector } from '../made-vectors.fixture.ts';

export const DIMS = 32;
const COUNT = 480;

export interface FilteredRelease {
  seq: number;
  id: string;
  // The number of its source.
  source: number;
  kind: string;
  importance: number | null;
  breaking: string;
  type: string;
  prerelease: number;
  feed_at: string;
}

interface FilteredSource {
  id: string;
  orgId: string;
  kind: string;
}

type FilterCase = readonly [
  name: string,
  filter: (sources: readonly FilteredSource[]) => Partial<SearchFilter>,
  passes: (release: FilteredRelease) => boolean,
];

export function vectorOf(number: number): Float32Array {
  return madeVector({ dims: DIMS, seed: 9, number });
}

export async function postFilteredReleases(
  ctx: Context,
): Promise<{ sources: FilteredSource[]; releases: FilteredRelease[] }> {
  const sources: FilteredSource[] = [];
  const [big, small] = [await createOrg(ctx, { category: 'database' }), await createOrg(ctx)];
  for (const [org, kind, type] of [
    [big, 'sdk', 'feed'],
    [big, 'tool', 'github'],
    [big, 'sdk', 'feed'],
    [small, 'docs', 'feed'],
  ] as const) {
    const url = `https://github.com/acme/n${sources.length}`;
    const { id } = await createSource(ctx, { orgId: org.id, kind, type, url });
    sources.push({ id, orgId: org.id, kind });
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
          number % 20 === 3
            ? undefined
            : new Date(ctx.clock().getTime() - (at * 200 + number) * 3_600_000).toISOString(),
      }),
    );
    await postReleases(ctx, source.id, rows, { silent: true });
  }
  const rows = await ctx.store.read
    .selectFrom('releases')
    .select(['seq', 'id', 'source_id', 'importance', 'breaking', 'type', 'prerelease', 'feed_at'])
    .execute();
  const releases = rows.map(({ source_id, ...row }) => {
    const source = sources.findIndex(({ id }) => id === source_id);
    return { ...row, source, kind: sources[source]?.kind ?? '' };
  });
  assert.equal(releases.length, COUNT);
  return { sources, releases };
}

export const FILTER_CASES: readonly FilterCase[] = [
  ['everything', () => ({}), () => true],
  ['pre-releases', () => ({ includePrereleases: true }), () => true],
  ['a large org', (sources) => ({ orgIds: [sources[0]?.orgId ?? ''] }), (one) => one.source < 3],
  ['a small org', (sources) => ({ orgIds: [sources[3]?.orgId ?? ''] }), (one) => one.source === 3],
  ['both orgs', (sources) => ({ orgIds: sources.map(({ orgId }) => orgId) }), () => true],
  ['one source', (sources) => ({ sourceIds: [sources[1]?.id ?? ''] }), (one) => one.source === 1],
  ['a category', () => ({ categories: ['database'] }), (one) => one.source < 3],
  ['a common kind', () => ({ kinds: ['sdk'] }), (one) => one.kind === 'sdk'],
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
    (one) => one.kind === 'sdk' && one.breaking === 'major' && (one.importance ?? 0) >= 2,
  ],
  ['nothing', () => ({ kinds: ['mobile'] }), () => false],
];
