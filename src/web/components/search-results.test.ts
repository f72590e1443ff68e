import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'cheerio';
import type { ReleaseHit, SearchAnswer } from '../../contract/search.ts';
import { searchResults } from './search-results.ts';

const hit = (rank: number, more: Partial<ReleaseHit>) =>
  ({
    id: `rel_${rank}`,
    title: `Release ${rank}`,
    version: null,
    summary: '',
    titleGenerated: null,
    titleShort: null,
    snippet: 'Queues are drained',
    highlights: [],
    titleHighlights: [],
    sourceName: 'Lamp',
    sourceSlug: 'lamp',
    sourceType: 'github',
    publishedAt: null,
    url: null,
    webUrl: `https://registry.example/release/${rank}`,
    rank,
    matchedBy: 'meaning',
    ...more,
  }) as unknown as ReleaseHit;

test('what has marked words is never listed below the sentence that denies them', () => {
  const releases = [
    hit(1, {}),
    hit(2, { highlights: [[0, 6]] }),
    hit(3, { titleHighlights: [[0, 7]] }),
    hit(4, { matchedBy: 'words' }),
    hit(5, { matchedBy: 'name' }),
  ];
  const lists = { packages: [], orgs: [], catalog: [], sources: [], collections: [], chunks: [] };
  const search = { hitCounts: {}, hitCap: false, lexicalHits: 2, unknownWords: [], mode: 'hybrid', degraded: false };
  const answer = { query: 'queues', releases, ...lists, _meta: { search } } as unknown as SearchAnswer;
  const view = { filter: 'all', offset: 0, limit: 20, removable: [], near: null, searched: null, now: 0 } as const;
  const page = load(String(searchResults(answer, { ...view, query: new URLSearchParams() })));
  const denied = page('.meaning').nextAll('.days').find('[data-release-id]');
  assert.match(page('.meaning').text(), /do not contain the words/);
  assert.deepEqual(
    denied.toArray().map((row) => page(row).attr('data-release-id')),
    ['rel_1'],
  );
  assert.equal(page('mark').length, 2);
});
