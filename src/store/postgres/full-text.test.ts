import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import { textQuery } from './text-query.ts';
import { textVector } from './text-vector.ts';

const EMPTY: FullTextRow = { key: 1, title: '', version: '', summary: '', content: '', tokens: '', scope: '' };
const QUERY: FullTextQuery = {
  groups: [[{ kind: 'phrase', words: ['caching'] }]],
  columns: ['title', 'version', 'content'],
  required: [],
  excluded: [],
  minKey: 0,
  maxKey: 100,
  limit: 10,
};

describe('textVector', () => {
  it('gives each word its stem, place and class, with a gap between columns', () => {
    const row = { ...EMPTY, title: 'new caches', version: '2.0', summary: 'cached', content: 'new words' };

    assert.equal(textVector(row), "'new':2A,10D 'cach':3A,8C '2':5B '0':6B 'word':11D ");
  });

  it('puts tokens at the first place and scope at none', () => {
    assert.equal(
      textVector({ ...EMPTY, tokens: 'a\ue02eb\ue0ff c\ue0ff', scope: '\ue0fepre\ue0ff' }),
      "'a\ue02eb\ue0ff':1A 'c\ue0ff':1A '\ue0fepre\ue0ff' ",
    );
  });
});

describe('textQuery', () => {
  it('asks for stems in the classes of the columns', () => {
    const query: FullTextQuery = {
      ...QUERY,
      groups: [
        [
          { kind: 'phrase', words: ['dark', 'modes'] },
          { kind: 'prefix', word: 'webho' },
        ],
        [{ kind: 'exact', term: 'x' }],
      ],
      required: ['r'],
      excluded: ['p', 'c'],
    };

    assert.equal(textQuery(query), "(('dark':ABD <-> 'mode':ABD) | 'webho':*ABD) & ('x') & 'r' & !'p' & !'c'");
  });

  it('quotes what it is given', () => {
    assert.equal(textQuery({ ...QUERY, groups: [[{ kind: 'exact', term: "a' | \\b" }]] }), "('a'' | \\\\b')");
  });
});

forEachEngine('large indexes', (engine) => {
  // Thousands of hits that are all old, some that are everywhere, and a few: each is looked for in another way.
  it('give the newest first, however the hits are spread', async () => {
    const { ctx } = await engine.openTestApp();
    const rows = Array.from({ length: 10_000 }, (_, at): FullTextRow => {
      const words = [at < 9_000 ? 'old' : 'young', at % 4 === 0 ? 'fourth' : '', at % 3_000 === 5 ? 'seldom' : ''];
      return { ...EMPTY, key: at, content: words.join(' ') };
    });
    await ctx.store.transaction((tx) => ctx.store.dialect.writeFullText(tx, rows), 'derived');
    const find = (word: string, limit: number, maxKey = 1e6) => {
      const groups = [[{ kind: 'phrase', words: [word] } as const]];
      return ctx.store.dialect.matchFullText(ctx.store.read, { ...QUERY, groups, limit, maxKey });
    };
    const newest = (holds: (at: number) => boolean, limit: number) =>
      rows
        .map(({ key }) => key)
        .filter(holds)
        .reverse()
        .slice(0, limit);

    assert.deepEqual(
      await find('young', 100),
      newest(() => true, 100),
    );
    assert.deepEqual(
      await find('old', 100),
      newest((at) => at < 9_000, 100),
    );
    assert.deepEqual(
      await find('fourth', 256),
      newest((at) => at % 4 === 0, 256),
    );
    assert.deepEqual(
      await find('fourth', 2_000, 5_000),
      newest((at) => at <= 5_000 && at % 4 === 0, 2_000),
    );
    assert.deepEqual(await find('seldom', 100), [9_005, 6_005, 3_005, 5]);
    assert.deepEqual(
      await find('old', 100_000),
      newest((at) => at < 9_000, 100_000),
    );
    assert.deepEqual(await find('none', 100), []);
  });
});
