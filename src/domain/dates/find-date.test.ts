import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { documentDayFirst, findDate } from './index.ts';

const now = new Date('2024-06-01T00:00:00Z');

// What was taken, as written, and the day it stands for.
function found(text: string, options: { slot?: boolean; relative?: boolean } = {}): [string, string] | null {
  const date = findDate(text, { now, ...options });
  return date && [text.slice(date.start, date.end), date.at.slice(0, 10)];
}

describe('findDate', () => {
  const rows: readonly [text: string, written: string, day: string][] = [
    ['1.4.0 - 2024-02-01', '2024-02-01', '2024-02-01'],
    ['1.4.0(Feb 1, 2024)', 'Feb 1, 2024', '2024-02-01'],
    ['1.4.0/2024-02-01', '2024-02-01', '2024-02-01'],
    ['v2.0.0-beta.3 / February 1st, 2024', 'February 1st, 2024', '2024-02-01'],
    ["2024-02-01, Version 20.11.0 'Iron' (LTS), @someone", '2024-02-01', '2024-02-01'],
    ['_Released 2024-02-01_', '2024-02-01', '2024-02-01'],
    ['Posted Thu, 1 Feb 2024 10:00 CET by us', 'Thu, 1 Feb 2024 10:00 CET', '2024-02-01'],
    ['1.4.0 / Thu Feb 01 2024 10:00:00 GMT+0100 (CET)', 'Thu Feb 01 2024 10:00:00 GMT+0100 (CET)', '2024-02-01'],
    ['1.4.0 - 2024-02-01 10:00 +0100 (LTS)', '2024-02-01 10:00 +0100', '2024-02-01'],
    ['at 2024-02-01 10:00 NEW things', '2024-02-01 10:00', '2024-02-01'],
    ['1.0 (1 Feb 24)', '1 Feb 24', '2024-02-01'],
    ['not 2024-02-30 but 2024-03-01', '2024-03-01', '2024-03-01'],
    ['not 30 February 2024 but 1 March 2024', '1 March 2024', '2024-03-01'],
    ['the monkey 1 Feb 2024', '1 Feb 2024', '2024-02-01'],
    ['March 2024 Update', 'March 2024', '2024-03-01'],
  ];
  for (const [text, written, day] of rows) {
    it(text, () => assert.deepEqual(found(text), [written, day]));
  }

  for (const text of [
    'nightly-2024-01-15',
    'v2024-01-15',
    '2024-01-15-beta',
    '1.0.0+20240115',
    '2024.01.15',
    '20240115',
    'issue #2024-01-15',
    '10.15.2024.3',
    '10 May 20 people met',
    'May the 4th theme',
    '30 February 2024',
    'Q1 2024',
    'yesterday',
    'no date at all',
    '',
  ]) {
    it(`none in "${text}"`, () => assert.equal(found(text), null));
  }

  it('reads compact and dotted dates where a date is expected', () => {
    assert.deepEqual(found('on (20240115)', { slot: true }), ['20240115', '2024-01-15']);
    assert.deepEqual(found('on 2024.01.15', { slot: true }), ['2024.01.15', '2024-01-15']);
  });

  it('finds relative dates on request', () => {
    assert.deepEqual(found('Posted 3 days ago by Ann', { relative: true }), ['3 days ago', '2024-05-29']);
  });

  for (const piece of ['2024-', 'May ', '1', '30 February 2024 ', '12.', 'Mon, ', '2024-01-15-', '-', 'a 1 day ']) {
    it(`stays linear on long texts of "${piece}" without a date`, () => {
      assertLinear((text) => findDate(text, { now, relative: true, slot: true }), repeated(piece));
    });
  }
});

describe('documentDayFirst', () => {
  it('follows a first part that can only be a day', () => {
    assert.equal(documentDayFirst(['03/04/2024', 'on 15/01/2024']), true);
    assert.equal(documentDayFirst(['03.04.2024', '14.11.2018']), true);
  });

  it('is month first without such a date', () => {
    assert.equal(documentDayFirst(['03/04/2024', '01/15/2024', '2024-01-15', '1.15.1.2024', '55/66/2024']), false);
    assert.equal(documentDayFirst([]), false);
  });
});
