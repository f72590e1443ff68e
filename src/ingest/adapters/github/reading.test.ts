import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW } from '../../../../test/support/outside-world.ts';
import { nextPage } from './api.ts';
import { isBudgetLow, readBudget } from './budget.ts';
import { atomHash } from './fetch-github.ts';
import {
  recallCommitDates,
  recallTagsRead,
  rememberCommitDates,
  rememberTagsRead,
  storedEtag,
  tokenFingerprint,
} from './memory.ts';
import { parseCommitDate, parseTagPage } from './parse-tags.ts';
import { tagFilter, tagSpellings } from './tag-patterns.ts';

const BASE = 'https://api.example/';

describe('github: the next page of a Link header', () => {
  const rows: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['<https://api.example/x?page=2>; rel="next", <https://api.example/x?page=9>; rel="last"', '?page=2'],
    ['<https://api.example/x?page=1>; rel="prev", <https://api.example/x?page=3>; rel="next"', '?page=3'],
    ['<https://api.example/x?page=9>; rel="last"', null],
    ['</x?page=2>; rel=next', '?page=2'],
    ['<https://api.example/x?page=2>; title="a"; rel="next"', '?page=2'],
    ['<https://api.example/x?page=2>; rel="nextish"', null],
    ['<https://api.example/x?q=a,b&page=2>; rel="last next"', '?q=a,b&page=2'],
  ];
  for (const [header, expected] of rows) {
    it(`${header} → ${expected}`, () => {
      assert.equal(nextPage(header, BASE), expected === null ? null : `https://api.example/x${expected}`);
    });
  }
});

describe('github: the quota', () => {
  const holder = { host: 'api.example', tokenFingerprint: null };
  const soon = new Date(NOW.getTime() + 60_000).toISOString();
  const rows: [limit: number | null, remaining: number | null, resetAt: string | null, low: boolean][] = [
    [5000, 251, soon, false],
    [5000, 250, soon, true],
    [60, 11, soon, false],
    [60, 10, soon, true],
    [60, 0, soon, true],
    // The hour is over, and with it what was said about it.
    [5000, 0, NOW.toISOString(), false],
    [null, null, null, false],
    [null, 5, null, true],
  ];
  for (const [limit, remaining, resetAt, low] of rows) {
    it(`${remaining} of ${limit}: ${low ? 'kept for later' : 'enough'}`, () => {
      assert.equal(isBudgetLow({ ...holder, limit, remaining, resetAt }, NOW), low);
    });
  }

  it('is not read from headers that name none', () => {
    assert.equal(readBudget({ etag: '"x"' }, holder, NOW), null);
  });
});

describe('github: what is remembered', () => {
  it('stores the dates of commits by hash', () => {
    const dates = new Map([
      ['a'.repeat(40), '2024-03-01T08:00:00.000Z'],
      ['b'.repeat(40), '1999-12-31T23:59:59.000Z'],
    ]);

    assert.deepEqual(recallCommitDates(rememberCommitDates(dates)), dates);
    assert.deepEqual(recallCommitDates(rememberCommitDates(new Map())), new Map());
    assert.deepEqual(recallCommitDates(), new Map());
  });

  it('knows whether the repository lives on its tags', () => {
    const read = { at: NOW.toISOString(), changelog: '' };

    assert.deepEqual(recallTagsRead(rememberTagsRead(read)), read);
    assert.equal(recallTagsRead(rememberTagsRead(null)), null);
    assert.equal(recallTagsRead(), null);
  });

  it('gives no token away and tells tokens apart', () => {
    const [one, two] = [tokenFingerprint('secret-one'), tokenFingerprint('secret-two')];
    const validator = { endpoint: 'tags', etag: '"x"', lastModified: null, contentHash: null, tokenFingerprint: one };

    assert.notEqual(one, two);
    assert.ok(!one?.includes('secret'));
    assert.deepEqual(
      [one, two, null].map((fingerprint) => storedEtag([validator], 'tags', fingerprint)),
      ['"x"', null, null],
    );
  });
});

describe('github: tags', () => {
  it('reads names and commits, and passes over what is no tag', () => {
    const sha = 'ABCDEF0123456789abcdef0123456789abcdef01';

    assert.deepEqual(parseTagPage([{ name: 'v1', commit: { sha } }, { name: '' }, null]), [
      { name: 'v1', commit: sha.toLowerCase() },
    ]);
    assert.equal(parseTagPage({ message: 'no' }), null);
  });

  it('takes the date of the committer, else of the author', () => {
    const committer = { date: '2024-01-02T03:04:05+02:00' };
    const author = { date: '2023-01-01T00:00:00Z' };

    assert.equal(parseCommitDate({ commit: { committer, author } }), '2024-01-02T01:04:05.000Z');
    assert.equal(parseCommitDate({ commit: { committer: null, author } }), '2023-01-01T00:00:00.000Z');
    assert.equal(parseCommitDate({ commit: { committer: { date: 'soon' } } }), null);
    assert.equal(parseCommitDate('nothing'), null);
  });

  it('spells the tag of an untagged entry in the usual ways', () => {
    assert.deepEqual(tagSpellings('1.2.0'), ['1.2.0', 'v1.2.0']);
    assert.deepEqual(tagSpellings('@acme/core@1.2.0'), ['@acme/core@1.2.0', '@acme/core-v1.2.0', '@acme/core/v1.2.0']);
    assert.deepEqual(tagSpellings(null), []);
  });

  it('leaves out a pattern that does not compile', () => {
    assert.equal(tagFilter('{"tagDeny":["(","^x"]}')(['x1']), false);
    assert.equal(tagFilter('{"tagDeny":["("]}')(['x1']), true);
    assert.equal(tagFilter('{}')(['x1']), true);
  });
});

describe('github: the public feed', () => {
  it('is known by its entries, and nothing else is a feed', () => {
    const feed = (entries: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><updated>x</updated>${entries}</feed>`;

    assert.equal(atomHash(feed('<entry>a</entry>')), atomHash(feed('<entry>a</entry>').replace('>x<', '>y<')));
    assert.notEqual(atomHash(feed('<entry>a</entry>')), atomHash(feed('<entry>b</entry>')));
    assert.notEqual(atomHash(feed('')), null);
    assert.equal(atomHash('<html><body>Sign in</body></html>'), null);
  });
});
