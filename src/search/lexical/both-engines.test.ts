import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource, postReleases } from '../../../test/support/factories.ts';
import { stem, wordsOf } from '../../domain/search-text/analysis.ts';
import { prefixTerms, type QueryTerm } from '../../domain/search-text/query-terms.ts';
import { describeQuery } from '../../domain/search-text/search-query.ts';
import { fullTextRow } from '../../releases/indexing/release-text.ts';
import type { FullTextRow } from '../../store/dialect.ts';
import { askReleases, type FoundDocuments, NOW } from './test-support.ts';

const VOCABULARY = (
  'cache caching cached webhook webhooks add added adding diff use using js ts general generic deploy deployment possible ' +
  'possibly need needed speed status sky skies 10 10s 2nd k8s react dom react-dom react/dom foo.bar foo.bar() foo bar ' +
  'foo:bar kind:sdk pre #12 --watch @scope/pkg scope pkg 1.0 1.0.2 v1.0.2 1.0.21 11.0.21 15 15.0 cve-2024-1 cve-2024-12 ' +
  'err_not_found caf\u00e9 na\u00efve \u00dcber \u03c3\u03c5\u03c2 \u4e2d\u6587 \u4e2d \ud83d\ude80 don\u2019t C++ <b> & |'
).split(' ');
const word = fc.constantFrom(...VOCABULARY);
const prose = (most: number) => fc.array(word, { maxLength: most }).map((words) => words.join(' '));

const release = fc.record({
  title: prose(4).map((text) => text || 'untitled'),
  version: fc.option(fc.constantFrom('1.0.21', 'v15', '15.0.3', '@scope/pkg@1.0.2', 'react-dom-v1.0.0-rc.1'), {
    nil: undefined,
  }),
  content: prose(30),
  publishedAt: fc.option(
    fc.integer({ min: 0, max: 900 }).map((days) => new Date(Date.parse(NOW) - days * 86_400_000).toISOString()),
    { nil: undefined, freq: 8 },
  ),
});

const typed = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.nat(4)).map(([text, cut]) => text.slice(0, Math.max(1, text.length - cut))),
  },
  { weight: 1, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`) },
);
const query = fc.array(typed, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

const QUERIES = fc.sample(query, { numRuns: 120, seed: 20260601 });
const RELEASES = fc.sample(release, { numRuns: 240, seed: 20260601 });

const answers = new Map<string, unknown>();

forEachEngine('a search', (engine) => {
  const found = new Map<string, FoundDocuments>();
  let rows: FullTextRow[];
  let texts: Map<number, string>;
  before(async () => {
    const { ctx } = await engine.openTestApp({ clock: movableClock(NOW) });
    const source = await createSource(ctx, { name: 'Same everywhere', slug: 'same-everywhere' });
    const posted = RELEASES.map((fields, at) => ({ ...fields, url: `https://releases.example/${at}` }));
    await postReleases(ctx, source.id, posted, { silent: true });
    const stored = await ctx.store.read.selectFrom('releases').selectAll().execute();
    texts = new Map(stored.map((row) => [row.doc_key, `${row.title} ${row.summary} ${row.content}`.toLowerCase()]));
    rows = stored.map((row) => fullTextRow({ ...row, kind: null, sourceType: 'feed', productName: null }));
    assert.equal(rows.length, RELEASES.length);
    const filter = { includePrereleases: true, includeCoverage: true };
    for (const q of QUERIES) found.set(q, await askReleases(ctx, { q, filter }));
  });

  it('finds what the rules say', () => {
    for (const [q, { hits, ranking }] of found) {
      const keys = hits.filter(({ pass }) => pass === 'every').map(({ docKey }) => docKey);
      assert.deepEqual(
        keys.sort((a, b) => a - b),
        expected(rows, q, texts),
        q,
      );
      assert.equal(ranking, 'full');
    }
  });

  it('gives the same hits in the same order on every engine', () => {
    for (const [q, { hits }] of found) {
      assert.deepEqual(hits, answers.get(q) ?? hits, q);
      answers.set(q, hits);
    }
  });

  it('gives no document twice, and scores that fall', () => {
    for (const [q, { hits }] of found) {
      assert.equal(new Set(hits.map(({ docKey }) => docKey)).size, hits.length, q);
      const order = hits.map(({ score, pass }) => [pass === 'every' ? 0 : 1, -score] as const);
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
        q,
      );
    }
  });
});

// The rules once more, without an index.
function expected(rows: readonly FullTextRow[], q: string, texts: ReadonlyMap<number, string>): number[] {
  const { groups } = describeQuery(q);
  return rows
    .filter((row) => {
      const holds = matcher(row);
      return (
        groups.length > 0 &&
        groups.every(({ sort, words, terms, unfinished }) => {
          if (sort === 'number')
            return new RegExp(`(?<![\\w.#])${words[0]}(?![\\w]|\\.\\d)`).test(texts.get(row.key) ?? '');
          return [...terms, ...(unfinished === null ? [] : prefixTerms(unfinished))].some(holds);
        })
      );
    })
    .map(({ key }) => key)
    .sort((a, b) => a - b);
}

function matcher(row: FullTextRow): (term: QueryTerm) => boolean {
  const exact = new Set(`${row.tokens} ${row.scope}`.split(' '));
  const stems = [row.title, row.version, row.summary, row.content].map((text) => wordsOf(text).map(stem));
  return (term) => {
    if (term.kind === 'exact') return exact.has(term.term);
    if (term.kind === 'prefix') return stems.some((column) => column.some((one) => one.startsWith(stem(term.word))));
    const wanted = term.words.map(stem);
    return stems.some((column) => column.some((_, at) => wanted.every((one, next) => column[at + next] === one)));
  };
}
