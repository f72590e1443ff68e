import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHttpDate } from './http-date.ts';
import { retryAfterMs } from './retry-after.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  const table: [value: string | null | undefined, expected: number | null][] = [
    ['120', 120_000],
    [' 120 ', 120_000],
    ['0', 0],
    ['43200', 43_200_000],
    ['99999999999999999999', 2 ** 31 * 1000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
    ['Sun Mar  1 12:00:30 2026', 30_000],
    ['Sun, 01 Mar 2026 12:00:00 GMT', 0],
    ['Sun, 01 Mar 2026 11:59:59 GMT', null],
    ['Thu, 01 Jan 1970 00:00:00 GMT', null],
    ['-5', null],
    ['1.5', null],
    ['10 seconds', null],
    ['0x10', null],
    ['2026-03-01T12:00:30Z', null],
    ['Sun, 31 Feb 2026 12:00:00 GMT', null],
    ['Sun, 01 Mar 2026 25:00:00 GMT', null],
    ['soon', null],
    ['', null],
    [null, null],
    [undefined, null],
  ];
  for (const [value, expected] of table) it(`${value}`, () => assert.equal(retryAfterMs(value, NOW), expected));
});

describe('two-digit years', () => {
  for (const [year, expected] of [
    ['76', 2076],
    ['77', 1977],
    ['94', 1994],
  ]) {
    it(`${year} is ${expected}`, () => {
      assert.equal(parseHttpDate(`Sunday, 06-Nov-${year} 08:49:37 GMT`, NOW)?.getUTCFullYear(), expected);
    });
  }
});
