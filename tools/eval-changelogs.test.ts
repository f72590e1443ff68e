import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreChangelog } from './eval-changelogs/score.ts';

const stored = (version: string, content = '', publishedAt: string | null = null) => ({
  version,
  content,
  publishedAt,
});

describe('scoreChangelog', () => {
  it('expects the published versions that stand in headings, with the dates written beside them', () => {
    const text =
      '# Log\n\n## [1.2.0](https://x/compare/1.0.0...1.2.0) (Feb 1st, 2024)\n\n## 1.1.0\n\n_Released 2024-01-15_\n';
    const rows = [stored('1.2.0', '', '2024-02-01T00:00:00Z'), stored('1.1.0', '', '2024-01-16T00:00:00Z')];

    const { expected, found, dated, datesRight, wrong } = scoreChangelog(text, ['1.0.0', '1.1.0', '1.2.0'], rows, []);

    assert.deepEqual([expected, found, dated, datesRight, wrong], [2, 2, 2, 1, 0]);
  });

  it('reads dates in the forms that people write', () => {
    const dates: [string, string][] = [
      ['Fri, 13 Jan 2017 06:46:05 GMT', '2017-01-13'],
      ['07/28/2012', '2012-07-28'],
      ['28/07/2012', '2012-07-28'],
      ['July 2012', '2012-07-15'],
      ['2012-07', '2012-07-01'],
      ['2013-Jul-02', '2013-07-02'],
    ];
    for (const [written, at] of dates) {
      for (const text of [`## 1.0.0 (${written})\n`, `## 1.0.0\n${written}\n`]) {
        assert.equal(scoreChangelog(text, ['1.0.0'], [stored('1.0.0', '', at)], []).datesRight, 1, text);
      }
    }
  });

  it('expects versions in plain lines, in joined headings and as keys', () => {
    const expectedIn = (text: string) => scoreChangelog(text, ['1.0.0', '1.0.1', '1.0.2'], [], []).expected;

    assert.equal(expectedIn('1.0.2 / 2024-02-01\n\n- a\n\n1.0.1\n\n- b\n'), 2);
    assert.equal(expectedIn('## 1.0.1 / 1.0.2\n\n## Requires >= 1.0.0\n\n'), 2);
    assert.equal(expectedIn('v1.0.2:\n  date: 2024-02-01\nv1.0.1:\n  changes:\n    - a\nv1.0.0:\n  changes:\n'), 3);
  });

  it('counts text that is in no release, and the bodies that it is cut from', () => {
    const text =
      '## 1.1.0\n\n- Added a [menu](https://x)\n\n## 1.0.0\n\n- First words of a long list\n- And more of it\n';
    const rows = [stored('1.1.0', '* Added a [menu](https://y)'), stored('1.0.0', '- First words of a long list')];

    const { chars, kept, cut, bodies, notes } = scoreChangelog(text, ['1.1.0', '1.0.0'], rows, []);

    assert.deepEqual([chars - kept, cut, bodies], [11, 0, 2]);
    assert.deepEqual(notes, ['lost: 1.0.0 › - And more of it']);
  });

  it('does not expect text that has not been released, twice the same text, or what follows the last version', () => {
    const text =
      '## 1.1.0\n\n- a b\n\n## Unreleased\n\n- c\n\n## 1.0.0\n\n- d\n\n## 1.0.0\n\n- d\n\n## Licence\n\nFree\n';
    const rows = [stored('1.1.0', '- a b'), stored('1.0.0', '- d')];

    const { chars, kept, repeated } = scoreChangelog(text, ['1.1.0', '1.0.0'], rows, []);

    assert.deepEqual([chars, kept, repeated], [3, 3, 1]);
  });

  it('takes an unpublished version for right only when a heading begins with it', () => {
    const wrongIn = (text: string, version: string) => scoreChangelog(text, [], [stored(version)], ['acme']).wrong;

    assert.equal(wrongIn('## Acme 1.3.0 - 1.4.0\n', '1.3.0'), 0);
    assert.equal(wrongIn('## Acme 1.3.0 - 1.4.0\n', '1.4.0'), 0);
    assert.equal(wrongIn('## Node.js (>= 13.2.0)\n', '13.2.0'), 1);
    assert.equal(wrongIn('#### other-part v4.0.5\n', '4.0.5'), 1);
    assert.equal(wrongIn('## Release (2024-02-01)\n\n* acme 7.3.0 (minor)\n', '7.3.0'), 0);
  });

  it('names what was missed', () => {
    const { notes } = scoreChangelog('## 1.2.0 | 1.2.1\n', ['1.2.0', '1.2.1'], [stored('1.2.0')], []);

    assert.deepEqual(notes, ['missed 1.2.1: 1.2.0 | 1.2.1']);
  });
});
