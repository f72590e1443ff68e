import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChangelog } from './entries.ts';

const now = new Date('2026-11-01T00:00:00Z');

// `version day`, with `-` for what an entry does not state.
function brief(text: string): string[] {
  const entries = parseChangelog(text, { names: ['acme'], now });
  return entries.map(({ version, date }) => `${version ?? '-'} ${date?.at.slice(0, 10) ?? '-'}`);
}

describe('dates with a year of two digits', () => {
  const table: [name: string, text: string, entries: string[]][] = [
    [
      'day first, as a long date proves',
      '## 1.2.0 (18/02/19)\n\n- a\n\n## 1.1.0 (03/04/18)\n\n- b\n\n## 1.0.0 (25/12/2017)\n\n- c',
      ['1.2.0 2019-02-18', '1.1.0 2018-04-03', '1.0.0 2017-12-25'],
    ],
    [
      'month first, as a short date proves',
      '## 1.2.0 - 03/04/19\n\n- a\n\n## 1.1.0 - 12/25/18\n\n- b',
      ['1.2.0 2019-03-04', '1.1.0 2018-12-25'],
    ],
    [
      'year first, as a long date proves',
      '## 1.2.0 - 18/02/19\n\n- a\n\n## 1.1.0 - 2017/12/25\n\n- b',
      ['1.2.0 2018-02-19', '1.1.0 2017-12-25'],
    ],
    [
      'the line below the heading',
      '## 1.2.0\n\nReleased 18/02/19\n\n- a\n\n## 1.1.0\n\n25/12/2018\n\n- b',
      ['1.2.0 2019-02-18', '1.1.0 2018-12-25'],
    ],
    [
      'years up to 69 are of this century, and 1990 is the first that counts',
      '## 1.3.0 (31/12/98)\n\n- a\n\n## 1.2.0 (01/02/00)\n\n- b\n\n## 1.1.0 (01/02/69)\n\n- c\n\n## 1.0.0 (01/02/70)\n\n- d',
      ['1.3.0 1998-12-31', '1.2.0 2000-02-01', '1.1.0 -', '1.0.0 -'],
    ],
    ['no proof', '## 1.2.0 (18/02/19)\n\n- a\n\n## 1.1.0 (17/02/19)\n\n- b', ['1.2.0 -', '1.1.0 -']],
    [
      'dates that contradict each other',
      '## 1.2.0 (18/02/19)\n\n- a\n\n## 1.1.0 (12/25/2018)\n\n- b\n\n## 1.0.0 (25/11/2018)\n\n- c',
      ['1.2.0 -', '1.1.0 2018-12-25', '1.0.0 2018-11-25'],
    ],
    [
      'a day that does not exist in the proven order',
      '## 1.2.0 (31/02/19)\n\n- a\n\n## 1.1.0 (25/12/2018)\n\n- b',
      ['1.2.0 -', '1.1.0 2018-12-25'],
    ],
    ['a date alone is an entry', '## 18/02/19\n\n- a\n\n## 25/12/2018\n\n- b', ['- 2019-02-18', '- 2018-12-25']],
    ['digits that may be a date are no version', '## 18/02/19\n\n- a\n\n## 1.0.0\n\n- b', ['1.0.0 -']],
    [
      'long dates follow what a short one proves',
      '## 1.2.0 (03/04/2019)\n\n- a\n\n## 1.1.0 (31/12/98)\n\n- b',
      ['1.2.0 2019-04-03', '1.1.0 1998-12-31'],
    ],
    [
      'in a file of data',
      '1.2.0:\n  date: 18/02/19\n  changes:\n    - a\n1.1.0:\n  date: 25/12/2018\n  changes:\n    - b\n',
      ['1.2.0 2019-02-18', '1.1.0 2018-12-25'],
    ],
  ];
  for (const [name, text, entries] of table) {
    it(name, () => assert.deepEqual(brief(text), entries));
  }
});
