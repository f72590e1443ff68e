import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseBound, parseWindow } from './time-window.ts';

const NOW = new Date('2024-03-31T12:34:56.789Z');
const EPOCH = '1970-01-01T00:00:00.000Z';

describe('parseBound: spans', () => {
  const cases: [value: string, expected: string | null, now?: string][] = [
    ['0d', '2024-03-31T12:34:56.789Z'],
    ['7d', '2024-03-24T12:34:56.789Z'],
    ['7D', '2024-03-24T12:34:56.789Z'],
    ['007d', '2024-03-24T12:34:56.789Z'],
    ['2w', '2024-03-17T12:34:56.789Z'],
    ['0m', '2024-03-31T12:34:56.789Z'],
    ['1m', '2024-02-29T12:34:56.789Z'],
    ['1M', '2024-02-29T12:34:56.789Z'],
    ['4m', '2023-11-30T12:34:56.789Z'],
    ['13m', '2023-02-28T12:34:56.789Z'],
    ['1m', '2022-12-31T00:00:00.000Z', '2023-01-31T00:00:00.000Z'],
    ['1y', '2023-03-31T12:34:56.789Z'],
    ['1Y', '2023-02-28T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['4y', '2020-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['54y', '1970-03-31T12:34:56.789Z'],
    ['55y', EPOCH],
    // Years 0–99 are where a naive calendar lands in the 20th century.
    ['1950y', EPOCH],
    ['36500d', EPOCH],
    ['36500w', EPOCH],
    ['36500m', EPOCH],
    ['36500y', EPOCH],
    ['36501d', null],
    ['99999d', null],
    ['-1d', null],
    ['+1d', null],
    ['1.5d', null],
    ['1h', null],
    ['d', null],
    ['7', null],
    ['7 d', null],
    [' 7d', null],
    ['7d\n', null],
    ['٧d', null],
  ];
  for (const [value, expected, now] of cases) {
    it(`${JSON.stringify(value)} before ${now ?? NOW.toISOString()}: ${expected}`, () => {
      const at = now === undefined ? NOW : new Date(now);

      assert.equal(parseBound(value, 'since', at), expected);
      assert.equal(parseBound(value, 'until', at), expected);
    });
  }
});

describe('parseBound: days', () => {
  const cases: [string, string | null, string | null][] = [
    ['2024-01-15', '2024-01-15T00:00:00.000Z', '2024-01-15T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z', '2000-02-29T23:59:59.999Z'],
    ['1969-07-20', '1969-07-20T00:00:00.000Z', '1969-07-20T23:59:59.999Z'],
    ['2023-02-29', null, null],
    ['1900-02-29', null, null],
    ['2024-02-30', null, null],
    ['2024-04-31', null, null],
    ['2024-13-01', null, null],
    ['2024-00-01', null, null],
    ['2024-01-00', null, null],
    ['2024-1-1', null, null],
    ['2024-01', null, null],
    ['2024/01/15', null, null],
    ['20240115', null, null],
    ['tomorrow', null, null],
  ];
  for (const [value, since, until] of cases) {
    it(value, () => {
      assert.equal(parseBound(value, 'since', NOW), since);
      assert.equal(parseBound(value, 'until', NOW), until);
    });
  }
});

describe('parseBound: date-times', () => {
  const cases: [string, string | null][] = [
    ['2024-01-15T10:00:00Z', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00:00', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00Z', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00:00.5', '2024-01-15T10:00:00.500Z'],
    ['2024-01-15T10:00:00.999999Z', '2024-01-15T10:00:00.999Z'],
    ['2024-01-15T10:00:00+01', '2024-01-15T09:00:00.000Z'],
    ['2024-01-15T10:00:00+0130', '2024-01-15T08:30:00.000Z'],
    ['2024-01-15T10:00:00+01:30', '2024-01-15T08:30:00.000Z'],
    ['2024-01-15T10:00:00-08', '2024-01-15T18:00:00.000Z'],
    ['2024-01-15T10:00-08:00', '2024-01-15T18:00:00.000Z'],
    ['2024-01-15T10:00:00-00:00', '2024-01-15T10:00:00.000Z'],
    ['2024-01-15T10:00:00 01:00', '2024-01-15T09:00:00.000Z'],
    ['2024-01-15T10:00:00 0100', '2024-01-15T09:00:00.000Z'],
    ['2024-01-15T10:00:00.250 01', '2024-01-15T09:00:00.250Z'],
    ['2024-01-15T10:00 01:00', '2024-01-15T09:00:00.000Z'],
    ['2024-02-29T00:00:00+01:00', '2024-02-28T23:00:00.000Z'],
    ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.999Z'],
    ['2024-01-15 10:00:00', null],
    ['2024-01-15T10:00:00  01:00', null],
    ['2024-01-15T10:00:00 ', null],
    ['2024-01-15T10:00:00 Z', null],
    ['2024-01-15T24:00:00Z', null],
    ['2024-01-15T23:60:00Z', null],
    ['2024-01-15T23:59:60Z', null],
    ['2024-02-30T10:00:00Z', null],
    ['2023-02-29T10:00:00Z', null],
    ['2024-01-15T10', null],
    ['2024-01-15T10:00:00,5Z', null],
    ['2024-01-15T10:00:00+1', null],
    ['2024-01-15T10:00:00+24:00', null],
    ['2024-01-15T10:00:00+01:75', null],
    ['2024-01-15T10:00:00 UTC', null],
    ['Mon, 15 Jan 2024 10:00:00 GMT', null],
    ['1705312800', null],
  ];
  for (const [value, expected] of cases) {
    it(`${value}: ${expected}`, () => {
      assert.equal(parseBound(value, 'since', NOW), expected);
      assert.equal(parseBound(value, 'until', NOW), expected);
    });
  }
});

describe('parseWindow', () => {
  it('leaves absent and empty bounds open', () => {
    assert.deepEqual(parseWindow({}, NOW), { ok: true, since: null, until: null });
    assert.deepEqual(parseWindow({ since: '', until: undefined }, NOW), { ok: true, since: null, until: null });
  });

  it('covers a whole day when both bounds name it', () => {
    assert.deepEqual(parseWindow({ since: '2024-01-15', until: '2024-01-15' }, NOW), {
      ok: true,
      since: '2024-01-15T00:00:00.000Z',
      until: '2024-01-15T23:59:59.999Z',
    });
  });

  it('accepts one and the same instant', () => {
    assert.equal(parseWindow({ since: '7d', until: '1w' }, NOW).ok, true);
  });

  const refused: [{ since?: string; until?: string }, 'since' | 'until'][] = [
    [{ since: '2024-02-30' }, 'since'],
    [{ until: '2024-02-30' }, 'until'],
    [{ since: 'x', until: 'y' }, 'since'],
    [{ since: ' ' }, 'since'],
    [{ since: '7d', until: 'soon' }, 'until'],
    [{ since: '2024-01-16', until: '2024-01-15' }, 'since'],
    [{ since: '7d', until: '1m' }, 'since'],
  ];
  for (const [input, parameter] of refused) {
    it(`refuses ${JSON.stringify(input)} for its ${parameter}`, () => {
      const window = parseWindow(input, NOW);

      assert.equal(window.ok, false);
      assert.equal(window.parameter, parameter);
      assert.notEqual(window.reason, '');
    });
  }

  it('never answers a since after its until, and always full UTC timestamps', () => {
    const number = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    const day = fc.tuple(fc.integer({ min: 1000, max: 9999 }), number(13), number(32)).map((parts) => parts.join('-'));
    const time = fc.tuple(number(24), number(60), number(60)).map((parts) => parts.join(':'));
    const zone = fc.constantFrom('', 'Z', '+05:30', '-0800', '+14', ' 01:00');
    const bound = fc.oneof(
      fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.constantFrom(...'dwmyDWMY')).map((parts) => parts.join('')),
      day,
      fc.tuple(day, time, zone).map(([d, t, z]) => `${d}T${t}${z}`),
      fc.string(),
    );
    const now = fc.date({ min: new Date(0), max: new Date('9998-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(bound, bound, now, (since, until, at) => {
        const window = parseWindow({ since, until }, at);

        if (!window.ok) return;
        for (const iso of [window.since, window.until]) {
          if (iso !== null) assert.match(iso, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        }
        if (window.since !== null && window.until !== null) assert.ok(window.since <= window.until);
      }),
      { numRuns: 1000 },
    );
  });
});
