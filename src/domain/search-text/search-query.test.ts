import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeQuery } from './search-query.ts';

// Groups in short: sort and words.
const short = (q: string) => describeQuery(q).groups.map(({ sort, words }) => `${sort} ${words.join(' ')}`);

describe('describeQuery', () => {
  const cases: [string, string[]][] = [
    ['dark mode', ['plain dark', 'plain mode']],
    ['the dark mode of it', ['plain dark', 'plain mode']],
    ['how to', ['plain how', 'plain to']],
    ['"of the" cache', ['phrase of the', 'plain cache']],
    ['react-dom v1.0.21', ['soft react dom', 'hard v1 0 21']],
    ['a.b(c.d)', ['parts a b c d']],
    ['cache cache CACHE', ['plain cache']],
    ['\uff23\uff41\uff43\uff48\uff45 \uff02dark mode\uff02', ['plain cache', 'phrase dark mode']],
    ['foo:bar "x', ['hard foo bar', 'plain x']],
    ["NEAR( * '; drop", ['plain near', 'plain drop']],
    ['', []],
    ['\u0000\ud83d\ude80 "" *', []],
  ];
  for (const [q, groups] of cases) it(`${q}: ${groups.join(', ')}`, () => assert.deepEqual(short(q), groups));

  it('takes 500 characters and 16 terms', () => {
    const many = Array.from({ length: 40 }, (_, at) => `w${at}x`).join(' ');

    assert.equal(short(many).length, 16);
    assert.deepEqual(short(`${'a'.repeat(499)} beyond`), [`plain ${'a'.repeat(499)}`]);
    assert.ok(short('\ufdfa '.repeat(400)).length <= 16);
  });

  const unfinished: [string, string[]][] = [
    ['webho', ['webho']],
    ['new webho', ['webho']],
    ['webho ', []],
    ['webho new', ['new']],
    ['"webho"', []],
    ['we', []],
    ['v16', []],
  ];
  for (const [q, prefixes] of unfinished) {
    it(`${JSON.stringify(q)} leaves ${prefixes.join(', ') || 'nothing'} unfinished`, () => {
      assert.deepEqual(describeQuery(q).prefixes, prefixes);
    });
  }

  const prereleases: [string, boolean][] = [
    ['16.0.0-canary.9', true],
    ['3.13.0rc2', true],
    ['@scope/pkg@2.0.0-beta.1', true],
    ['next beta', true],
    ['nightly builds', true],
    ['1.2.3', false],
    ['1.2.3-1', false],
    ['CVE-2024-12345', false],
    ['access token test', false],
    ['dev server', false],
    ['react-dom', false],
  ];
  for (const [q, expected] of prereleases) {
    it(`${q} ${expected ? 'asks' : 'does not ask'} for a pre-release`, () => {
      assert.equal(describeQuery(q).prerelease, expected);
    });
  }

  it('tells names that mean something only as a whole', () => {
    for (const q of ['1.0.21', 'foo.bar', '@scope/pkg', 'cve-2024-1', 'x foo()', '#12', '--watch', 'a_b']) {
      assert.equal(describeQuery(q).hardIdentifier, true, q);
    }
    for (const q of ['react-dom', 'cache', '15', '"foo.bar"']) assert.equal(describeQuery(q).hardIdentifier, false, q);
  });

  it('takes a name as its words in the looser pass, but not the numbers of a version', () => {
    const loose = (q: string) => describeQuery(q).groups.flatMap((group) => group.loose.map(({ kind }) => kind));

    assert.deepEqual(loose('foo.bar'), ['exact', 'phrase']);
    assert.deepEqual(loose('1.0.21'), ['exact']);
  });

  it('says what to mark', () => {
    const { stems, identifiers, prefixes } = describeQuery('caching "dark modes" foo.bar webho');

    assert.deepEqual([...stems], ['cach', 'dark', 'mode', 'foo', 'bar', 'webho']);
    assert.deepEqual(identifiers, ['foo.bar']);
    assert.deepEqual(prefixes, ['webho']);
  });
});
