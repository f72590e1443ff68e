import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionSort } from '../versions/index.ts';
import {
  gapsByListing,
  highestPublished,
  isListingCurrent,
  isPublishedPrerelease,
  latestPublished,
  type PublishedVersion,
  publishedRange,
} from './published.ts';
import { readVersionRange } from './version-range.ts';

const key = (version: string) => versionSort(version) ?? '';

// `-1.2.0` has no notes, `~1.2.0` is withdrawn.
function listed(...texts: readonly string[]): PublishedVersion[] {
  return texts.map((text) => {
    const version = text.replace(/^[-~]+/, '');
    const marks = text.slice(0, text.length - version.length);
    const state = { noted: !marks.includes('-'), withdrawn: marks.includes('~') };
    return { version, key: key(version), isPrerelease: isPublishedPrerelease(version), ...state };
  });
}

describe('publishedRange', () => {
  const cases: [
    string,
    string[],
    prereleases: boolean,
    published: number,
    withoutNotes: string[],
    withdrawn: string[],
  ][] = [
    ['nothing', [], false, 0, [], []],
    ['all noted', ['1.0.0', '1.1.0'], false, 2, [], []],
    ['one without notes', ['1.0.0', '-1.1.0', '1.2.0'], false, 3, ['1.1.0'], []],
    ['pre-releases left out', ['-1.0.0-rc.1', '1.0.0', '-1.1.0-beta.2'], false, 1, [], []],
    ['pre-releases asked for', ['-1.0.0-rc.1', '1.0.0', '1.1.0-beta.2'], true, 3, ['1.0.0-rc.1'], []],
    ['a withdrawn one stays', ['1.0.0', '~1.1.0', '1.2.0'], false, 3, [], ['1.1.0']],
    ['a withdrawn one without notes is a gap', ['1.0.0', '-~1.1.0'], false, 2, ['1.1.0'], ['1.1.0']],
    ['pre-releases of PyPI', ['1.0', '-1.1rc1', '-1.1.dev3', '-1.1.post1'], false, 2, ['1.1.post1'], []],
  ];
  for (const [name, texts, prereleases, published, withoutNotes, withdrawn] of cases) {
    it(name, () => {
      const found = publishedRange(listed(...texts), prereleases);
      assert.deepEqual([found.published, found.withoutNotes], [published, withoutNotes]);
      assert.equal(found.withoutNotesCount, withoutNotes.length);
      assert.deepEqual([...found.withdrawn], withdrawn.map(key));
    });
  }

  it('names the lowest fifty and counts all', () => {
    const found = publishedRange(listed(...Array.from({ length: 80 }, (_, patch) => `-1.0.${patch + 1}`)), false);
    assert.deepEqual([found.withoutNotes.length, found.withoutNotesCount, found.published], [50, 80, 80]);
    assert.deepEqual([found.withoutNotes[0], found.withoutNotes[49]], ['1.0.1', '1.0.50']);
    assert.deepEqual(found.unnoted, { lowest: key('1.0.1'), highest: key('1.0.80') });
  });
});

describe('gapsByListing', () => {
  const gaps = (from: string, to: string, unnoted: string[], highestListed: string | null) => {
    const { unnoted: ends } = publishedRange(listed(...unnoted.map((version) => `-${version}`)), true);
    const stored = {
      keys: { from: key(from), to: key(to) },
      isEmpty: false,
      lowest: { key: key('2.0.0'), isFirst: false },
      highest: key('2.30.0'),
    };
    const found = gapsByListing(stored, { unnoted: ends }, highestListed === null ? null : key(highestListed));
    assert.equal(found.missing.to, false);
    return [found.ends, found.begins, ...(found.missing.from ? ['from'] : [])];
  };

  it('a bound that is not stored does not matter', () => {
    assert.deepEqual(gaps('2.0.5', '2.29.9', [], '2.30.0'), [false, false]);
    assert.deepEqual(gaps('1.0.0', '2.1.0', [], '2.30.0'), [false, false]);
    assert.deepEqual(gaps('2.0.0', '2.31.0', [], '3.0.0'), [false, false]);
  });
  it('a version above everything that is known was not seen', () => {
    assert.deepEqual(gaps('2.0.0', '4.0.0', [], '3.0.0'), [true, false]);
    assert.deepEqual(gaps('2.0.0', '4.0.0', [], null), [true, false]);
  });
  it('a version from above everything that is known was not seen either', () => {
    assert.deepEqual(gaps('3.1.0', '3.0.0', [], '3.0.0'), [false, false, 'from']);
    assert.deepEqual(gaps('2.31.0', '2.30.0', [], null), [false, false, 'from']);
    assert.deepEqual(gaps('3.0.0', '2.30.0', [], '3.0.0'), [false, false]);
  });
  it('versions without notes beyond the stored ends', () => {
    assert.deepEqual(gaps('2.0.0', '3.0.0', ['3.0.0'], '3.0.0'), [true, false]);
    assert.deepEqual(gaps('1.0.0', '2.1.0', ['1.5.0'], '3.0.0'), [false, true]);
    assert.deepEqual(gaps('1.0.0', '3.0.0', ['1.5.0', '2.2.0', '2.40.0'], '3.0.0'), [true, true]);
    assert.deepEqual(gaps('1.0.0', '3.0.0', ['2.2.0'], '3.0.0'), [false, false]);
  });
  it('nothing stored', () => {
    const stored = { keys: { from: key('1'), to: key('2') }, isEmpty: true, lowest: null, highest: null };
    assert.equal(gapsByListing(stored, { unnoted: null }, key('2')).ends, true);
  });
});

describe('latestPublished', () => {
  const falling = listed('3.0.0-rc.1', '~2.2.0', '2.1.0', '2.0.0');
  const cases: [string, 'npm' | 'pypi', string | null, PublishedVersion[], string | null][] = [
    ['the tag', 'npm', '2.0.0', falling, '2.0.0'],
    ['a tag on a pre-release', 'npm', '3.0.0-rc.1', falling, '3.0.0-rc.1'],
    ['no tag', 'npm', null, falling, '2.1.0'],
    ['PyPI goes by the versions', 'pypi', '3.0.0-rc.1', falling, '2.1.0'],
    ['only pre-releases', 'pypi', null, listed('1.0rc1'), null],
  ];
  for (const [name, ecosystem, tag, versions, expected] of cases) {
    it(name, () => assert.equal(latestPublished(ecosystem, { tag, falling: versions }), expected));
  }
});

describe('highestPublished', () => {
  const falling = listed('7.0.0-rc.1', '~6.3.0', '6.2.0', '6.1.4', '5.9.0');
  const cases: [string, string | null][] = [
    ['^6.0.0', '6.2.0'],
    ['6.x', '6.2.0'],
    ['~6.1', '6.1.4'],
    ['<6.2.0', '6.1.4'],
    ['>5.9.0 <6.1.4', null],
    ['^6.0.0, !=6.2.0', '6.1.4'],
    ['^4 || ^5', '5.9.0'],
    ['*', '6.2.0'],
    ['>=7', null],
  ];
  for (const [text, expected] of cases) {
    it(text, () => {
      const range = readVersionRange(text);
      assert.ok(range);
      assert.equal(highestPublished(range, falling), expected);
    });
  }
});

describe('isListingCurrent', () => {
  const now = new Date('2026-06-15T12:00:00.000Z');
  const cases: [string | null, boolean][] = [
    [null, false],
    ['2026-06-15T11:00:00.000Z', true],
    ['2026-06-01T12:00:00.000Z', true],
    ['2026-06-01T11:59:59.000Z', false],
  ];
  for (const [at, expected] of cases) it(String(at), () => assert.equal(isListingCurrent(at, now), expected));
});
