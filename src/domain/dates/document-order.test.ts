import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentDateOrder } from './document-order.ts';

describe('documentDateOrder', () => {
  const table: [dates: string[], order: 'day' | 'month' | 'year' | null][] = [
    [['18/02/19', '25/12/2018'], 'day'],
    [['18/02/19', '14.11.2018'], 'day'],
    [['03/04/19', '31/12/98'], 'day'],
    [['03/04/19', '12/25/2018'], 'month'],
    [['03/04/19', '12/25/18'], 'month'],
    [['02/25/19'], 'month'],
    [['18/02/19', '2018/12/25'], 'year'],
    [['18/02/19', '98/02/28'], 'year'],
    // Several orders are left.
    [['18/02/19'], null],
    [['18/02/19', '25/12/18', '30/01/18'], null],
    [['03/04/19', '05/06/2018'], null],
    [['18/02/19', '2019-02-18', 'Feb 18, 2019'], null],
    // No order is left.
    [['25/12/2018', '12/25/2018', '18/02/19'], null],
    [['18/02/19', '12/25/18'], null],
    [['25/12/2018', '2018/12/25', '18/02/19'], null],
    // Not dates, so no proof.
    [['1.15.1.2024', '55/66/2024', '18/02/19/3', '#25/12/18', '40/50/60'], null],
    [[], null],
  ];
  for (const [dates, order] of table) {
    it(`${dates.join(', ') || 'no date'}: ${order ?? 'not proven'}`, () => {
      assert.equal(documentDateOrder(dates), order);
      assert.equal(documentDateOrder(dates.toReversed()), order);
    });
  }
});
