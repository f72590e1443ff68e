import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typedTerms } from './query-terms.ts';
import { type BareNumber, bareNumberOf, countNumber, describeQuery } from './search-query.ts';

describe('bareNumberOf', () => {
  const cases: [string, BareNumber | null][] = [
    ['19', { digits: '19', versioned: false, rest: '' }],
    ['v19', { digits: '19', versioned: true, rest: '' }],
    ['react 19', { digits: '19', versioned: false, rest: 'react' }],
    ['19 react', { digits: '19', versioned: false, rest: 'react' }],
    ['react v19', { digits: '19', versioned: true, rest: 'react' }],
    ['react version 19', { digits: '19', versioned: true, rest: 'react' }],
    ['Version 19', { digits: '19', versioned: true, rest: '' }],
    ['drop node 16', { digits: '16', versioned: false, rest: 'drop node' }],
    ['node 16,', { digits: '16', versioned: false, rest: 'node' }],
    // Two numbers are no one version.
    ['node 16 18', null],
    ['#19', null],
    ['19.1', null],
    ['"19"', null],
    ['v', null],
    ['react', null],
  ];
  for (const [q, number] of cases) {
    it(q, () => assert.deepEqual(bareNumberOf(typedTerms(q)), number));
  }

  const sorts: [string, string[]][] = [
    ['19', ['plain 19']],
    ['react 19', ['plain react', 'number 19']],
    ['react v19', ['plain react', 'plain v19']],
    ['react version 19', ['plain react', 'plain 19']],
    ['drop node 16', ['plain drop', 'plain node', 'number 16']],
    ['node 16 18', ['plain node', 'number 16', 'number 18']],
  ];
  for (const [q, groups] of sorts) {
    it(`${q} asks for ${groups.join(', ')}`, () => {
      assert.deepEqual(
        describeQuery(q).groups.map(({ sort, words }) => `${sort} ${words.join(' ')}`),
        groups,
      );
    });
  }
});

describe('countNumber', () => {
  const cases: [string, number][] = [
    ['drop node 16', 1],
    ['node 16.', 1],
    ['node 14, 16 and 18 (16)', 2],
    ['node >=16', 1],
    ['node 16.x', 1],
    ['node 14/16', 1],
    ['3.16.0', 0],
    ['1.16', 0],
    ['16.2', 0],
    ['v16', 1],
    ['node v16,', 1],
    ['v16.2', 0],
    ['libv16', 0],
    ['2.v16', 0],
    ['es2016', 0],
    ['166', 0],
    ['see #16', 0],
    ['on 2024-01-16', 0],
    ['err_16', 0],
  ];
  for (const [text, count] of cases) it(text, () => assert.equal(countNumber(text, '16'), count));
});
