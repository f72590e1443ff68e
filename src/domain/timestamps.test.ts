import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, daysBetween, mondayOf, parseBodyTimestamp, parseDay, utcDay } from './timestamps.ts';

describe('parseBodyTimestamp', () => {
  const cases: [string, string | null][] = [
    ['2024-01-15', '2024-01-15T00:00:00.000Z'],
    ['2024-01-15T10:00:00Z', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00Z', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00:00.1Z', '2024-01-15T10:00:00.100Z'],
    ['2024-01-15T10:00:00.123987Z', '2024-01-15T10:00:00.123Z'],
    ['2024-01-15T10:00:00+01:00', '2024-01-15T09:00:00.000Z'],
    ['2024-01-15T10:00:00-0530', '2024-01-15T15:30:00.000Z'],
    ['2024-01-15T10:00:00+01', '2024-01-15T09:00:00.000Z'],
    ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2024-01-15T10:00:00', null],
    ['2024-01-15 10:00:00Z', null],
    ['2024-01-15T10:00:00 01:00', null],
    ['2023-02-29', null],
    ['1900-02-29', null],
    ['2024-02-30', null],
    ['2024-04-31T00:00:00Z', null],
    ['2024-13-01', null],
    ['2024-00-10', null],
    ['2024-01-00', null],
    ['2024-01-15T24:00:00Z', null],
    ['2024-01-15T10:60:00Z', null],
    ['2024-01-15T23:59:60Z', null],
    ['2024-01-15T10:00:00.Z', null],
    ['2024-01-15T10Z', null],
    ['2024-01-15T10:00:00+24:00', null],
    ['2024-01-15T10:00:00+01:60', null],
    ['2024-01-15T10:00:00+1', null],
    ['2024-01-15T10:00:00+01:0', null],
    ['2024-01-15T10:00:00+', null],
    ['1969-12-31', null],
    ['1970-01-01T00:00:00+01:00', null],
    ['9999-12-31T23:59:59-01:00', null],
    ['0050-01-01', null],
    ['12024-01-15', null],
    ['2024-1-5', null],
    ['20240115', null],
    ['1705312800', null],
    [' 2024-01-15', null],
    ['2024-01-15\n', null],
    ['yesterday', null],
    ['', null],
  ];
  for (const [value, expected] of cases) {
    it(`${JSON.stringify(value)}: ${expected}`, () => assert.equal(parseBodyTimestamp(value), expected));
  }

  it('reads what the service writes', () => {
    const anyDate = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(fc.property(anyDate, (date) => assert.equal(parseBodyTimestamp(date.toISOString()), date.toISOString())));
  });
});

describe('parseDay', () => {
  for (const day of ['2024-02-29', '2023-12-31', '0001-01-01', '9999-12-31']) {
    it(`${day} is a day`, () => assert.equal(parseDay(day), day));
  }
  for (const text of ['2023-02-29', '2024-02-30', '2024-06-31', '2024-1-1', '2024-01-15T00:00:00Z', '24-01-15', '']) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseDay(text), null));
  }
});

describe('days', () => {
  it('takes the day of a timestamp', () => assert.equal(utcDay('2024-01-15T23:59:59.999Z'), '2024-01-15'));

  const sums: [string, number, string][] = [
    ['2024-02-28', 1, '2024-02-29'],
    ['2024-02-28', 2, '2024-03-01'],
    ['2024-01-01', -1, '2023-12-31'],
    ['2024-01-01', 0, '2024-01-01'],
    ['2024-01-01', 366, '2025-01-01'],
    ['0050-01-01', 1, '0050-01-02'],
    ['9999-12-31', 1, '9999-12-31'],
  ];
  for (const [day, n, expected] of sums) {
    it(`${day} + ${n} = ${expected}`, () => assert.equal(addDays(day, n), expected));
  }

  const mondays: [string, string][] = [
    ['2024-01-15', '2024-01-15'],
    ['2024-01-16', '2024-01-15'],
    ['2024-01-21', '2024-01-15'],
    ['2024-01-22', '2024-01-22'],
    ['2024-03-01', '2024-02-26'],
    ['2023-01-01', '2022-12-26'],
  ];
  for (const [day, monday] of mondays) {
    it(`the week of ${day} begins on ${monday}`, () => assert.equal(mondayOf(day), monday));
  }

  it('counts days both ways', () => {
    assert.equal(daysBetween('2024-02-01', '2024-03-01'), 29);
    assert.equal(daysBetween('2024-03-01', '2024-02-01'), -29);
    assert.equal(daysBetween('2024-03-01', '2024-03-01'), 0);
  });

  it('adding the days between two days leads from one to the other', () => {
    const day = fc
      .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((d) => utcDay(d.toISOString()));
    fc.assert(fc.property(day, day, (a, b) => assert.equal(addDays(a, daysBetween(a, b)), b)));
  });
});
