import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../test/support/engines.ts';
import type { Context } from '../context.ts';
import type { QueryGroup } from '../domain/search-text/query-terms.ts';
import type { CandidateQuery, FullTextRow } from './dialect.ts';

const COUNT = 10_000;
const RANGE = { index: 'releases', minKey: 0, maxKey: 1e6 } as const;

// Thousands of hits that are all old, some that are everywhere, and a few: each is looked for in another way.
const ROWS = Array.from({ length: COUNT }, (_, at): FullTextRow => {
  const words = [at < 9_000 ? 'old' : 'young', isFourth(at) ? 'fourth' : '', at % 3_000 === 5 ? 'seldom' : ''];
  return {
    key: at,
    title: isTitled(at) ? 'fourth' : '',
    version: '',
    summary: isSummed(at) ? 'fourth' : '',
    content: words.join(' '),
    tokens: '',
    scope: '',
  };
});

function isFourth(at: number): boolean {
  return at % 4 === 0;
}

function isTitled(at: number): boolean {
  return at % 1_000 === 8;
}

function isSummed(at: number): boolean {
  return at % 400 === 12;
}

function newest(holds: (at: number) => boolean, limit: number): number[] {
  return ROWS.map(({ key }) => key)
    .filter(holds)
    .reverse()
    .slice(0, limit);
}

function word(text: string): QueryGroup {
  return [{ kind: 'phrase', words: [text] }];
}

forEachEngine('large indexes', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await ctx.store.transaction((tx) => ctx.store.dialect.writeFullText(tx, 'releases', ROWS), 'derived');
  });

  it('give the newest first, however the hits are spread', async () => {
    const find = (text: string, limit: number, maxKey = 1e6) =>
      ctx.store.dialect.matchFullText(ctx.store.read, {
        ...RANGE,
        groups: [word(text)],
        columns: ['title', 'version', 'content'],
        required: [],
        excluded: [],
        maxKey,
        limit,
      });
    const isOld = (at: number) => at < 9_000;

    assert.deepEqual(
      await find('young', 100),
      newest(() => true, 100),
    );
    assert.deepEqual(await find('old', 100), newest(isOld, 100));
    assert.deepEqual(await find('fourth', 256), newest(isFourth, 256));
    assert.deepEqual(
      await find('fourth', 2_000, 5_000),
      newest((at) => at <= 5_000 && isFourth(at), 2_000),
    );
    assert.deepEqual(await find('seldom', 100), [9_005, 6_005, 3_005, 5]);
    assert.deepEqual(await find('old', 100_000), newest(isOld, 100_000));
    assert.deepEqual(await find('none', 100), []);
  });

  const candidates = (groups: QueryGroup[], more: Partial<CandidateQuery> = {}) =>
    ctx.store.dialect.findCandidates(ctx.store.search, {
      ...RANGE,
      groups,
      tiers: { head: ['title', 'version'], near: ['title', 'version', 'summary'] },
      required: [],
      excluded: [],
      most: 100,
      rarest: 100,
      sparse: false,
      sliceKey: null,
      rows: 20_000,
      ...more,
    });

  it('give all candidates where they are few', async () => {
    assert.deepEqual(await candidates([word('seldom')]), {
      keys: [9_005, 6_005, 3_005, 5],
      complete: true,
      lowestKey: 0,
    });
    assert.deepEqual(await candidates([word('seldom'), word('old')], { minKey: 10 }), {
      keys: [6_005, 3_005],
      complete: true,
      lowestKey: 10,
    });
    assert.deepEqual(await candidates([word('seldom'), word('old')], { sparse: true }), {
      keys: [6_005, 3_005, 5],
      complete: true,
      lowestKey: 0,
    });
    assert.deepEqual((await candidates([word('none')])).keys, []);
    assert.deepEqual((await candidates([word('seldom')], { required: [[]] })).keys, []);
  });

  for (const [how, rarest] of [
    ['by the index', 2_500],
    ['by walking', 1e6],
  ] as const) {
    it(`prefer candidates that have a word in their head, found ${how}`, async () => {
      const { keys, complete, lowestKey } = await candidates([word('fourth')], { rarest, most: 24 });

      const preferred = [
        ...newest(isTitled, 12),
        ...newest((at) => isTitled(at) || isSummed(at), 12),
        ...newest(isFourth, 24),
      ];
      const expected = how === 'by the index' || engine.name === 'sqlite' ? [...new Set(preferred)].slice(0, 24) : keys;
      assert.deepEqual(keys, expected);
      assert.deepEqual(keys.slice(0, 1), newest(isTitled, 1));
      assert.equal(complete, false);
      assert.equal(lowestKey, newest(isFourth, 24).at(-1));
    });
  }

  it('give the newest alone when heads do not count', async () => {
    for (const sparse of [false, true]) {
      const { keys, lowestKey } = await candidates([word('fourth')], { tiers: null, sparse });
      assert.deepEqual(keys, newest(isFourth, 100));
      assert.equal(lowestKey, keys.at(-1));
      // More than anybody would expect of a rare word.
      const old = await candidates([word('old')], { tiers: null, sparse });
      assert.deepEqual(
        old.keys,
        newest((at) => at < 9_000, 100),
      );
    }
  });

  it('give the newest alone of a word that is said to be frequent, wherever they are', async () => {
    const cases: [text: string, range: Partial<CandidateQuery>, holds: (at: number) => boolean][] = [
      ['fourth', {}, isFourth],
      ['fourth', { maxKey: 7_999 }, (at) => isFourth(at) && at < 8_000],
      ['seldom', {}, (at) => at % 3_000 === 5],
      ['old', { minKey: 8_900 }, (at) => at >= 8_900 && at < 9_000],
      ['young', { minKey: 9_990 }, (at) => at >= 9_990],
      ['none', {}, () => false],
    ];
    for (const [text, range, holds] of cases) {
      const found = await candidates([word(text)], { tiers: null, rarest: 2_500, most: 32, ...range });

      const expected = newest(holds, 33);
      const complete = expected.length <= 32;
      const keys = expected.slice(0, 32);
      assert.deepEqual(found, { keys, complete, lowestKey: complete ? (range.minKey ?? 0) : keys.at(-1) }, text);
    }
  });

  it('give the same however they are told to look', async () => {
    for (const groups of [
      [word('fourth')],
      [word('old')],
      [word('young')],
      [word('fourth'), word('young')],
      [word('none')],
    ]) {
      const plain = await candidates(groups, { rarest: 9_000, minKey: 100 });
      for (const sliceKey of [9_950, 9_000, 100]) {
        assert.deepEqual(await candidates(groups, { rarest: 9_000, minKey: 100, sliceKey }), plain);
      }
      assert.deepEqual(await candidates(groups, { rarest: 9_000, minKey: 100, sparse: true }), plain);
    }
  });

  it('look no further than they may', async () => {
    const { keys, complete, lowestKey } = await candidates([word('old')], { rarest: 1e6, rows: 600 });

    assert.equal(complete, false);
    if (engine.name === 'sqlite')
      assert.deepEqual(
        keys,
        newest((at) => at < 9_000, 100),
      );
    else assert.deepEqual([keys, lowestKey], [[], COUNT - 600]);
  });

  it('count what is rare, and a part of what is not', async () => {
    const count = (text: string, minKey = 0, sparse = false) =>
      ctx.store.dialect.countDocuments(ctx.store.search, {
        index: 'releases',
        group: word(text),
        minKey,
        sparse,
        docs: COUNT,
      });

    assert.deepEqual(await count('seldom'), { docs: 4, lowestKey: null });
    assert.deepEqual(await count('seldom', 0, true), { docs: 4, lowestKey: null });
    // One engine estimates sooner than the other.
    const counted = engine.name === 'sqlite' ? 4_000 : 2_000;
    assert.ok((await count('old', 0, true)).docs > counted);
    assert.deepEqual(await count('none'), { docs: 0, lowestKey: null });
    assert.deepEqual(await count('seldom', 9_600), { docs: 0, lowestKey: null });
    const { docs, lowestKey } = await count('fourth');
    assert.equal(docs, lowestKey === null ? 2_500 : Math.ceil((COUNT - lowestKey) / 4));
    assert.ok((await count('old')).docs > counted);
  });

  // The other engine keeps no rows.
  if (engine.name !== 'postgres') return;
  it('keep long rows where they are walked over', async () => {
    const { ctx: other } = await engine.openTestApp();
    const content = Array.from({ length: 400 }, (_, at) => `word${at.toString(36)}`).join(' ');
    const row = { key: 1, title: '', version: '', summary: '', content, tokens: '', scope: '' };
    await other.store.transaction(async (tx) => {
      for (const index of ['releases', 'chunks'] as const) await other.store.dialect.writeFullText(tx, index, [row]);
    }, 'derived');

    for (const table of ['release_search', 'chunk_search']) {
      const { rows } = await sql<{ length: number; elsewhere: number }>`
        SELECT pg_column_size(words) AS length, pg_relation_size(reltoastrelid) AS elsewhere
        FROM ${sql.table(table)}, pg_class WHERE relname = ${table}`.execute(other.store.read);
      assert.ok(Number(rows[0]?.length) > 3_000);
      assert.equal(Number(rows[0]?.elsewhere), 0, table);
    }
  });
});
