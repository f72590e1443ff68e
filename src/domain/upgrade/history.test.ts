import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionSort } from '../versions/index.ts';
import { type HistoryInfo, historyGaps, isFirstNumber, saysItIsFirst } from './history.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const key = (version: string) => versionSort(version) ?? '';

function facts(from: string, to: string, more: Partial<HistoryInfo> = {}): HistoryInfo {
  return {
    keys: { from: key(from), to: key(to) },
    isEmpty: false,
    lowest: { key: key('2.0.0'), isFirst: false },
    highest: key('2.30.0'),
    isOpenEnd: false,
    checkedAt: '2026-06-14T12:00:00.000Z',
    isListed: false,
    isStored: { from: true, to: true },
    ...more,
  };
}

describe('historyGaps', () => {
  const cases: [string, HistoryInfo, ends: boolean, begins: boolean][] = [
    ['inside of what is stored', facts('2.1.0', '2.29.0'), false, false],
    ['exactly what is stored', facts('2.0.0', '2.30.0'), false, false],
    ['above it', facts('2.29.0', '4.0.0'), true, false],
    ['below it', facts('1.0.0', '2.1.0'), false, true],
    ['on both sides', facts('1.0.0', '4.0.0'), true, true],
    ['wholly above it', facts('3.0.0', '4.0.0'), true, false],
    ['below a whole listing', facts('1.0.0', '2.1.0', { isListed: true }), false, false],
    ['below the first one', facts('1.0.0', '2.1.0', { lowest: { key: key('2.0.0'), isFirst: true } }), false, false],
    ['the latest, checked yesterday', facts('2.1.0', '2.30.0', { isOpenEnd: true }), false, false],
    ['the latest, never checked', facts('2.1.0', '2.30.0', { isOpenEnd: true, checkedAt: null }), true, false],
    [
      'the latest, checked 14 days ago',
      facts('2.1.0', '2.30.0', { isOpenEnd: true, checkedAt: '2026-06-01T12:00:00.000Z' }),
      false,
      false,
    ],
    [
      'the latest, checked longer ago',
      facts('2.1.0', '2.30.0', { isOpenEnd: true, checkedAt: '2026-06-01T11:59:59.000Z' }),
      true,
      false,
    ],
    [
      'a stored version of a source that was never checked',
      facts('2.1.0', '2.30.0', { checkedAt: null }),
      false,
      false,
    ],
    ['points in time', facts('1', '9', { keys: null }), false, false],
    [
      'the latest point in time, never checked',
      facts('1', '9', { keys: null, isOpenEnd: true, checkedAt: null }),
      true,
      false,
    ],
    ['nothing stored', facts('1', '9', { isEmpty: true, lowest: null, highest: null }), true, false],
    ['nothing in order', facts('1', '9', { lowest: null, highest: null }), false, false],
  ];
  for (const [name, given, ends, begins] of cases) {
    it(name, () => {
      const gaps = historyGaps(given, NOW);
      assert.deepEqual([gaps.ends, gaps.begins], [ends, begins]);
    });
  }
});

describe('isFirstNumber', () => {
  for (const version of ['0.0.1', '0.1.0', '0.1', '1.0.0', 'v1', '1.0']) {
    it(version, () => assert.equal(isFirstNumber(key(version)), true));
  }
  for (const version of ['0.2.0', '1.0.1', '2.0.0', '1.0.0-rc.1', '0.0.2']) {
    it(`not ${version}`, () => assert.equal(isFirstNumber(key(version)), false));
  }
});

describe('bounds that are not stored', () => {
  const none = { from: false, to: false };
  const [noFrom, noTo] = [
    { from: false, to: true },
    { from: true, to: false },
  ];
  const lowest = { key: key('2.0.0'), isFirst: true };
  const cases: [string, HistoryInfo, missing: { from: boolean; to: boolean }][] = [
    ['both are stored', facts('2.1.0', '2.29.0'), none],
    ['the lower one, inside', facts('2.1.0', '2.29.0', { isStored: noFrom }), { from: true, to: false }],
    ['the upper one, inside', facts('2.1.0', '2.29.0', { isStored: noTo }), { from: false, to: true }],
    ['both, inside', facts('2.1.0', '2.29.0', { isStored: none }), { from: true, to: true }],
    ['the upper one, above the end', facts('2.1.0', '4.0.0', { isStored: noTo }), none],
    ['both, above the end', facts('3.0.0', '4.0.0', { isStored: none }), none],
    ['the lower one, above the latest', facts('3.0.0', '2.30.0', { isStored: noFrom }), { from: true, to: false }],
    ['the lower one, below the beginning', facts('1.0.0', '2.1.0', { isStored: noFrom }), none],
    ['the lower one, below the first release', facts('1.0.0', '2.1.0', { isStored: noFrom, lowest }), none],
    [
      'the lower one, below a whole listing that does not begin with the first release',
      facts('1.0.0', '2.1.0', { isStored: noFrom, isListed: true }),
      { from: true, to: false },
    ],
    ['points in time', facts('1', '9', { keys: null, isStored: none }), none],
  ];
  for (const [name, given, missing] of cases) {
    it(name, () => assert.deepEqual(historyGaps(given, NOW).missing, missing));
  }
});

describe('saysItIsFirst', () => {
  const first: [string, string][] = [
    ['Initial release', ''],
    ['0.3.0 - First public release!', ''],
    ['0.2.0', '- Initial release'],
    ['0.2.0', '### Added\n\n* :tada: First release :tada:\n'],
    ['0.2.0', 'This is the very first version.'],
    ['v0.4.1', '**Initial commit**'],
    ['0.2.0', 'First release of fast-engine.'],
    ['2.0.0 (2014-03-01)', '🎉 First official release'],
  ];
  for (const [title, text] of first) it(`${title} ${text}`, () => assert.equal(saysItIsFirst(title, text), true));

  const later: [string, string][] = [
    ['3.0.0', '- First release with TypeScript'],
    ['3.0.0', 'First release of the 3.x series'],
    ['3.0.0-beta.1', 'First beta release'],
    ['3.0.0', 'First stable release'],
    ['3.0.0', 'First release candidate'],
    ['3.0.0', '- Fixed a bug that has been there since the initial release'],
    ['3.0.0', 'First release of the rewrite'],
    ['First', 'release'],
  ];
  for (const [title, text] of later) it(`not ${title} ${text}`, () => assert.equal(saysItIsFirst(title, text), false));
});
