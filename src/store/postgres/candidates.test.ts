import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { countRoundTrips } from '../../../test/support/round-trips.ts';
import type { QueryGroup } from '../../domain/search-text/query-terms.ts';
import type { FullTextRow } from '../dialect.ts';

const ROWS = 3_000;
const EMPTY: FullTextRow = { key: 1, title: '', version: '', summary: '', content: '', tokens: '', scope: '' };
const word = (text: string): QueryGroup => [{ kind: 'phrase', words: [text] }];

forEachEngine('the newest documents with a frequent word', (engine) => {
  if (engine.name !== 'postgres') return;

  // Each has `common`; only the older half, which is not among the first that are looked at, has `former`.
  const rows = Array.from({ length: ROWS }, (_, at): FullTextRow => {
    return { ...EMPTY, key: at + 1, content: at < ROWS / 2 ? 'common former' : 'common' };
  });

  it('are found in one round trip, whether the newest of all hold enough of them or not', async () => {
    const { store } = (await engine.openTestApp()).ctx;
    await store.transaction((tx) => store.dialect.writeFullText(tx, 'releases', rows), 'derived');
    for (const [text, newestKey] of [
      ['common', ROWS],
      ['former', ROWS / 2],
    ] as const) {
      const find = () =>
        store.dialect.findCandidates(store.search, {
          index: 'releases',
          groups: [word(text)],
          tiers: null,
          required: [],
          excluded: [],
          minKey: 0,
          maxKey: ROWS,
          most: 8,
          rarest: ROWS,
          sparse: false,
          sliceKey: null,
          rows: 20_000,
        });

      const keys = Array.from({ length: 8 }, (_, index) => newestKey - index);
      assert.deepEqual(await find(), { keys, complete: false, lowestKey: newestKey - 7 });
      assert.equal((await countRoundTrips(find)).statements, 1, text);
    }
  });
});

forEachEngine('how many documents have a word', (engine) => {
  if (engine.name !== 'postgres') return;

  // The newest have the highest keys: all of them have `common`, one in 100 has `seldom`, and the oldest alone has `first`.
  const rows = Array.from({ length: ROWS }, (_, at): FullTextRow => {
    const words = ['common', ...(at % 100 === 0 ? ['seldom'] : []), ...(at === 0 ? ['first'] : [])];
    return { ...EMPTY, key: at + 1, content: words.join(' ') };
  });
  const cases: [text: string, minKey: number, docs: number, lowestKey: number | null][] = [
    ['missing', 0, 0, null],
    ['first', 0, 1, null],
    ['seldom', 0, 30, null],
    ['common', 0, 512, ROWS - 511],
    // The walk ends where it began, so nothing is said of what lies below.
    ['first', 100, 0, ROWS - 511],
    ['common', ROWS - 99, 100, null],
  ];

  it('is found out in one round trip', async () => {
    const { ctx } = await engine.openTestApp();
    const { store } = ctx;
    await store.transaction((tx) => store.dialect.writeFullText(tx, 'releases', rows), 'derived');
    for (const [text, minKey, docs, lowestKey] of cases) {
      const query = { index: 'releases', group: word(text), minKey, sparse: false, docs: ROWS } as const;
      const count = () => store.dialect.countDocuments(store.search, query);

      assert.deepEqual(await count(), { docs, lowestKey }, `${text} from ${minKey}`);
      assert.equal((await countRoundTrips(count)).trips, 1, text);
    }
  });
});
