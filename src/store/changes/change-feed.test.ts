import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeFeed, type CommitChange, decodeChange, EVERYTHING, encodeChange } from './change-feed.ts';

const NOTHING: CommitChange = { everything: false, lists: false, ids: [] };
const LISTS: CommitChange = { everything: false, lists: true, ids: [] };
const ACME: CommitChange = { everything: false, lists: true, ids: ['src_a', 'org_a'] };

describe('a change', () => {
  it('is the same after it was stored or sent', () => {
    for (const change of [NOTHING, LISTS, ACME, EVERYTHING]) {
      assert.deepEqual(decodeChange(encodeChange(change)), change);
    }
    assert.deepEqual(decodeChange('? of a later version'), EVERYTHING);
  });
});

describe('the feed of changes', () => {
  const answers = { acme: new Set(['org_a', 'org_b']), other: new Set(['org_c']), lists: null };

  function droppedBy(act: (feed: ChangeFeed) => void): string[] {
    const feed = new ChangeFeed();
    feed.advance(7, EVERYTHING);
    const { mark } = feed;
    act(feed);
    return Object.entries(answers).flatMap(([name, ids]) => (feed.changedSince(mark, ids) ? [name] : []));
  }

  it('drops what a change concerns', () => {
    const all = ['acme', 'other', 'lists'];
    const cases: [name: string, act: (feed: ChangeFeed) => void, dropped: string[]][] = [
      ['nothing', () => {}, []],
      ['a change that nobody sees', (feed) => feed.advance(8, NOTHING), []],
      ['a change of the lists', (feed) => feed.advance(8, LISTS), ['lists']],
      ['a change of one org', (feed) => feed.advance(8, ACME), ['acme', 'lists']],
      ['a change of everything', (feed) => feed.advance(8, EVERYTHING), all],
      ['a commit that is known already', (feed) => feed.advance(7, EVERYTHING), []],
      ['a commit that went by unseen', (feed) => feed.advance(9, ACME), all],
      ['a commit of which nothing is known', (feed) => feed.advance(8, null), all],
      ['a lost connection', (feed) => feed.lose(), all],
      [
        'numbers that start over',
        (feed) => {
          feed.lose();
          feed.advance(3, NOTHING);
        },
        all,
      ],
    ];
    for (const [name, act, dropped] of cases) assert.deepEqual(droppedBy(act), dropped, name);
  });

  it('holds what was read after the change', () => {
    const feed = new ChangeFeed();
    feed.advance(1, ACME);
    assert.equal(feed.changedSince(feed.mark, answers.acme), false);
    feed.advance(2, LISTS);
    assert.equal(feed.changedSince(feed.mark - 1, answers.acme), false);
  });

  it('forgets single ids rather than to grow without end', () => {
    const feed = new ChangeFeed();
    feed.advance(1, EVERYTHING);
    const { mark } = feed;
    for (let at = 0; at < 400; at += 1) {
      const ids = Array.from({ length: 64 }, (_, index) => `src_${at * 64 + index}`);
      feed.advance(at + 2, { everything: false, lists: true, ids });
    }
    assert.equal(feed.changedSince(mark, new Set(['src_0'])), true);
    assert.equal(feed.changedSince(feed.mark, new Set(['src_25599'])), false);
  });
});
