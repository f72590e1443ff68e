import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import { textQuery } from './text-query.ts';
import { textVector } from './text-vector.ts';

const EMPTY: FullTextRow = { key: 1, title: '', version: '', summary: '', content: '', tokens: '', scope: '' };
const QUERY: FullTextQuery = {
  index: 'releases',
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
      required: [['r'], ['s', 't']],
      excluded: ['p', 'c'],
    };

    assert.equal(
      textQuery(query),
      "(('dark':ABD <-> 'mode':ABD) | 'webho':*ABD) & ('x') & ('r') & ('s' | 't') & !'p' & !'c'",
    );
  });

  it('quotes what it is given', () => {
    assert.equal(textQuery({ ...QUERY, groups: [[{ kind: 'exact', term: "a' | \\b" }]] }), "('a'' | \\\\b')");
  });
});
