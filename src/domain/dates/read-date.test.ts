import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDate } from './index.ts';

const now = new Date('2024-01-18T12:00:00Z');

function at(text: string, options: { dayFirst?: boolean; relative?: boolean } = {}): string | null {
  const reading = readDate(text, { now, ...options });
  return reading && `${reading.at} ${reading.precision}`;
}

const DAY = '2024-01-15T00:00:00.000Z day';
const MONTH = '2024-01-01T00:00:00.000Z month';

describe('readDate: the table of the contract', () => {
  const rows: readonly [text: string, expected: string | null, options?: { dayFirst?: boolean; relative?: boolean }][] =
    [
      ['2024-01-15', DAY],
      ['2024/01/15', DAY],
      ['January 15, 2024', DAY],
      ['Jan 15 2024', DAY],
      ['15 January 2024', DAY],
      ['15th of January, 2024', DAY],
      ['15-Jan-2024', DAY],
      ['15.01.2024', DAY],
      ['2024-01-15T10:00:00+01:00', '2024-01-15T09:00:00.000Z time'],
      ['Mon, 15 Jan 2024 10:00:00 EST', '2024-01-15T15:00:00.000Z time'],
      ['Mon, 15 Jan 24 10:00:00 GMT', '2024-01-15T10:00:00.000Z time'],
      ['Thu, 15 Jan 98 10:00:00 GMT', '1998-01-15T10:00:00.000Z time'],
      ['January 2024', MONTH],
      ['2024-01', MONTH],
      ['01/15/2024', DAY],
      ['15/01/2024', DAY],
      ['03/04/2023', '2023-03-04T00:00:00.000Z day'],
      ['03/04/2023', '2023-04-03T00:00:00.000Z day', { dayFirst: true }],
      ['01/15/2024', DAY, { dayFirst: true }],
      ['20240115', DAY],
      ['1705312800', '2024-01-15T10:00:00.000Z time'],
      ['1705312800000', '2024-01-15T10:00:00.000Z time'],
      ['3 days ago', DAY, { relative: true }],
      ['yesterday', '2024-01-17T00:00:00.000Z day', { relative: true }],
      ['3 days ago', null],
      ['yesterday', null],
      ['2024-02-30', null],
      ['Q1 2024', null],
      ["Spring '24", null],
      ['TBD', null],
      ['1989-12-31', null],
      ['15 Jan 71', null],
      ['2025-01-18', '2025-01-18T00:00:00.000Z day'],
      ['2025-01-20', null],
    ];
  for (const [text, expected, options] of rows) {
    it(`${text} ${JSON.stringify(options ?? {})}`, () => assert.equal(at(text, options), expected));
  }
});

describe('readDate: further ways of writing', () => {
  const rows: readonly [text: string, expected: string | null][] = [
    [' 2024-01-15. ', DAY],
    ['Dec. 16, 2016', '2016-12-16T00:00:00.000Z day'],
    ['aug 24th, 2021', '2021-08-24T00:00:00.000Z day'],
    ['26 June, 2023', '2023-06-26T00:00:00.000Z day'],
    ['1 Sept 2023', '2023-09-01T00:00:00.000Z day'],
    ['2023-Sep-01', '2023-09-01T00:00:00.000Z day'],
    ['Monday, January 15, 2024', DAY],
    ['2024.01.15', DAY],
    ['03.04.2023', '2023-04-03T00:00:00.000Z day'],
    ['2024-01-15 10:00', '2024-01-15T10:00:00.000Z time'],
    ['2024-01-15T10:00:00.123456Z', '2024-01-15T10:00:00.123Z time'],
    ['2024-01-15T10:00:00-0530', '2024-01-15T15:30:00.000Z time'],
    ['Jan 15, 2024 at 3:04 PM', '2024-01-15T15:04:00.000Z time'],
    ['January 15, 2024, 12:30 a.m.', '2024-01-15T00:30:00.000Z time'],
    ['Mon Jan 15 10:00:00 PST 2024', '2024-01-15T18:00:00.000Z time'],
    ['Mon Jan 15 2024 10:00:00 GMT+0100 (Central European Standard Time)', '2024-01-15T09:00:00.000Z time'],
    ['15 Jan 2024 10:00:00 XYZ', '2024-01-15T10:00:00.000Z time'],
    ['2024-01-15 10:00 Europe/Berlin', '2024-01-15T10:00:00.000Z time'],
    ['2024-01-15 25:00', null],
    ['2024-13-01', null],
    ['31 April 2023', null],
    ['15 January', null],
    ['2024', null],
    ['2024-01-15 and more', null],
    ['', null],
    ['1'.repeat(500), null],
  ];
  for (const [text, expected] of rows) {
    it(text.slice(0, 70), () => assert.equal(at(text), expected));
  }

  it('counts hours, weeks and months back from the time of reading', () => {
    const relative = { relative: true };

    assert.equal(at('today', relative), '2024-01-18T00:00:00.000Z day');
    assert.equal(at('13 hours ago', relative), '2024-01-17T00:00:00.000Z day');
    assert.equal(at('20 minutes ago', relative), '2024-01-18T00:00:00.000Z day');
    assert.equal(at('a week ago', relative), '2024-01-11T00:00:00.000Z day');
    assert.equal(at('2 months ago', relative), '2023-11-01T00:00:00.000Z month');
    assert.equal(at('2 years ago', relative), null);
  });
});
