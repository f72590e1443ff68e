import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import { forEachEngine } from '../../test/support/engines.ts';
import type { Context } from '../context.ts';
import { stem, wordsOf } from '../domain/search-text/analysis.ts';
import type { QueryTerm } from '../domain/search-text/query-terms.ts';
import type { FeedMatch, IndexableRelease } from '../ports.ts';
import { fullTextRow } from '../releases/indexing/release-text.ts';
import type { FullTextQuery, FullTextRow } from '../store/dialect.ts';
import { feedGroups, feedQuery, matchFeed, matchFeedAmong } from './match-feed.ts';
import { feedMatch, index, indexable } from './test-support.ts';

// Words on which stemmers, tokenizers and identifier rules tend to disagree.
const VOCABULARY = (
  'cache caching cached caches webhook webhooks add added adding adds diff diffs use using us js ts os is as a t s ' +
  'general generally generic generate previous previously deploy deployment technology technological possible possibly ' +
  'need needed feed seed speed excel travelling lastly last news new status statuses sky skies dying 10 10s 2nd 4s k8s ' +
  'react dom react-dom react/dom foo.bar foo.bar() foo bar foo:bar kind:sdk pre undated #12 --watch @scope/pkg scope pkg ' +
  '1.0 1.0.2 v1.0.2 1.0.21 v1.0.21 1.0.210 11.0.21 15 15.0 v15 cve-2024-1 cve-2024-12 err_not_found caf\u00e9 cafe ' +
  'na\u00efve \u00dcber uber \u03a3\u03a5\u03a3 \u03c3\u03c5\u03c2 \u4e2d\u6587 \u4e2d \u65e5\u672c\u8a9e \ud83d\ude80 don\u2019t it\u2019s C++ *bold* _em_ `code()`, <b> & | ! ~1.0'
).split(' ');

const word = fc.constantFrom(...VOCABULARY);
const prose = (most: number) => fc.array(word, { maxLength: most }).map((words) => words.join(' '));

const release = fc.record({
  title: prose(4),
  title_generated: fc.option(prose(2)),
  version: fc.option(fc.constantFrom('1.0.21', 'v15', '15.0.3', '@scope/pkg@1.0.2', 'react-dom-v1.0.0-rc.1')),
  summary: prose(3),
  content: prose(12),
  productName: fc.option(fc.constantFrom('React', 'Foo Bar')),
  prerelease: fc.constantFrom<0 | 1>(0, 0, 1),
  listing: fc.constantFrom(2, 2, 1),
  published_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', null),
  org_id: fc.constantFrom('org_x', 'org_y', null),
  type: fc.constantFrom<'feature' | 'rollup'>('feature', 'feature', 'rollup'),
});

const queryWord = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.nat(6)).map(([text, cut]) => text.slice(0, Math.max(1, text.length - cut))),
  },
  { weight: 1, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`) },
);

const match: fc.Arbitrary<FeedMatch> = fc
  .record({
    q: fc.array(queryWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    dated: fc.constantFrom(true, true, true, false),
    includePrereleases: fc.boolean(),
    includeCoverage: fc.boolean(),
    scope: fc.constantFrom({}, { org: 'org_x' }, { org: 'org_none' }),
    filter: fc.constantFrom({}, {}, { type: 'rollup' as const }, { kinds: [] }),
    sparse: fc.boolean(),
    limit: fc.constantFrom(1, 3, 256),
    minKey: fc.constantFrom(0, 50),
    maxKey: fc.constantFrom(1000, 120),
  })
  .map((fields) => feedMatch(fields.q, fields));

forEachEngine('what a query finds', (engine) => {
  let ctx: Context;
  let releases: IndexableRelease[];
  let rows: FullTextRow[];
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    releases = fc.sample(release, { numRuns: 160, seed: 20260101 }).map((fields, at) => {
      return indexable({ ...fields, doc_key: at + 1 });
    });
    rows = releases.map((release) => fullTextRow(release));
    await index(ctx, releases);
  });

  it('is what the rules say, so the same on every engine', async () => {
    await fc.assert(
      fc.asyncProperty(match, async (requested) => {
        const query = feedQuery(requested, await feedGroups(ctx, requested.q));
        assert.deepEqual(await matchFeed(ctx, requested), expected(rows, query), requested.q);
      }),
      { numRuns: 400 },
    );
  });

  it('is the same for single releases, where the index can be asked about them', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(match, fc.uniqueArray(fc.integer({ min: 1, max: 180 })), async ({ q }, keys) => {
        const groups = await feedGroups(ctx, q);
        const among = await matchFeedAmong(ctx, { q, keys });
        if (among === null) return;
        const requested = feedMatch(q, { dates: 'any', includePrereleases: true, includeCoverage: true, limit: 1_000 });
        const all = expected(rows, feedQuery(requested, groups)).filter((key) => keys.includes(key));
        assert.deepEqual(
          among.toSorted((a, b) => b - a),
          all,
          q,
        );
        answered += all.length;
      }),
      { numRuns: 200 },
    );
    assert.ok(answered > 0);
  });

  it('includes a release by each of its own words', async () => {
    for (const { doc_key, title } of releases.slice(0, 40)) {
      const all = { includePrereleases: true, includeCoverage: true };
      const found = new Set<number>();
      for (const dates of ['dated', 'undated'] as const) {
        for (const key of await matchFeed(ctx, feedMatch(title, { ...all, dates }))) found.add(key);
      }
      if (wordsOf(title.toLowerCase()).length > 0) assert.ok(found.has(doc_key), title);
    }
  });
});

// The rules once more, without an index.
function expected(rows: readonly FullTextRow[], query: FullTextQuery): number[] {
  return rows
    .filter(({ key }) => key >= query.minKey && key <= query.maxKey)
    .filter((row) => matches(row, query))
    .map(({ key }) => key)
    .sort((a, b) => b - a)
    .slice(0, query.limit);
}

function matches(row: FullTextRow, { groups, columns, required, excluded }: FullTextQuery): boolean {
  const exact = new Set(`${row.tokens} ${row.scope}`.split(' '));
  const stems = columns.map((column) => wordsOf(row[column]).map(stem));
  const holds = (term: QueryTerm): boolean => {
    if (term.kind === 'exact') return exact.has(term.term);
    if (term.kind === 'prefix') return stems.some((column) => column.some((one) => one.startsWith(stem(term.word))));
    const wanted = term.words.map(stem);
    return stems.some((column) => column.some((_, at) => wanted.every((one, offset) => column[at + offset] === one)));
  };
  return (
    groups.length > 0 &&
    groups.every((group) => group.some(holds)) &&
    required.every((terms) => terms.some((term) => exact.has(term))) &&
    !excluded.some((term) => exact.has(term))
  );
}
