import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AttemptResult, type AttemptVerdict, verdictOf } from './outcome.ts';

type Row = [
  result: AttemptResult,
  verdict: AttemptVerdict['verdict'],
  status: number,
  code: string | null,
  message: string,
];

const answer = (status: number): AttemptResult => ({ status, text: 'body text' });
const FAULTS = ['timeout', 'dns_error', 'connection_refused', 'connection_reset', 'tls_error', 'network'] as const;

const ROWS: Row[] = [
  [answer(200), 'delivered', 200, null, ''],
  [answer(204), 'delivered', 204, null, ''],
  [answer(299), 'delivered', 299, null, ''],
  [answer(408), 'again', 408, 'http_408', 'body text'],
  [answer(425), 'again', 425, 'http_425', 'body text'],
  [answer(429), 'again', 429, 'http_429', 'body text'],
  [answer(500), 'again', 500, 'http_5xx', 'body text'],
  [answer(599), 'again', 599, 'http_5xx', 'body text'],
  ...FAULTS.map((fault): Row => [{ fault, text: 'short' }, 'again', 0, fault, 'short']),
  [answer(301), 'never', 301, 'redirect', 'redirect not followed'],
  [answer(304), 'never', 304, 'redirect', 'redirect not followed'],
  [answer(410), 'never', 410, 'gone', 'body text'],
  [answer(400), 'never', 400, 'http_4xx', 'body text'],
  [answer(404), 'never', 404, 'http_4xx', 'body text'],
  [answer(103), 'never', 103, 'http_4xx', 'body text'],
  [answer(700), 'never', 700, 'http_4xx', 'body text'],
  [{ refused: 'private_address' }, 'never', 0, 'ssrf_blocked', 'private_address'],
];

describe('the end of an attempt', () => {
  for (const [result, verdict, httpStatus, errorCode, errorMessage] of ROWS) {
    it(`${JSON.stringify(result)}: ${verdict}, ${errorCode}`, () => {
      assert.deepEqual(verdictOf(result), { verdict, httpStatus, errorCode, errorMessage });
    });
  }
});
