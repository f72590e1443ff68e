import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FetchFailure, FetchSuccess, RequestFailure } from '../../net/result.ts';
import { emptyListing, failureOutcome, fetchFailureOf, statusOutcome } from './outcomes.ts';

const NOW = new Date('2024-06-01T12:00:00.000Z');
const TRIP = { redirects: [], requests: 1, bytes: 0 };

function answer(status: number, headers: Record<string, string> = {}, text = ''): FetchSuccess {
  const body = new TextEncoder().encode(text);
  return { ok: true, status, headers, body, truncated: false, finalUrl: 'https://a.dev/', ...TRIP };
}

function failure(title: RequestFailure): FetchFailure {
  return { ok: false, ...title, status: null, url: 'https://a.dev/', ...TRIP };
}

describe('an answer', () => {
  const rows: [name: string, answer: FetchSuccess, outcome: string | null, detail?: string][] = [
    ['200', answer(200), null],
    ['206', answer(206), null],
    ['304', answer(304), null],
    ['404', answer(404), 'gone', 'http 404'],
    ['410', answer(410), 'gone', 'http 410'],
    ['401', answer(401), 'blocked', 'http 401'],
    ['403', answer(403), 'blocked', 'http 403'],
    ['451', answer(451), 'blocked', 'http 451'],
    ['429', answer(429), 'throttled', 'http 429'],
    ['403 with Retry-After', answer(403, { 'retry-after': '60' }), 'throttled', 'http 403'],
    ['403 with a used-up budget', answer(403, { 'x-ratelimit-remaining': '0' }), 'throttled', 'http 403'],
    ['403 that says so', answer(403, {}, '{"message":"API rate limit exceeded"}'), 'throttled', 'http 403'],
    ['503 with Retry-After', answer(503, { 'retry-after': '60' }), 'throttled', 'http 503'],
    ['503', answer(503), 'unreachable', 'http 503'],
    ['500', answer(500), 'unreachable', 'http 500'],
    ['400', answer(400), 'error', 'http 400'],
    ['406', answer(406), 'error', 'http 406'],
    ['challenge as 200', answer(200, { 'cf-mitigated': 'challenge' }), 'blocked', 'challenge page, http 200'],
    [
      'challenge as 503',
      answer(503, {}, '<html><title>Just a moment...</title>'),
      'blocked',
      'challenge page, http 503',
    ],
  ];
  for (const [name, given, outcome, detail] of rows) {
    it(`${name}: ${outcome ?? 'to be read'}`, () => {
      const failure = statusOutcome(given, NOW);
      assert.equal(failure?.outcome ?? null, outcome);
      assert.equal(failure?.detail, detail);
      assert.equal(failure?.httpStatus ?? given.status, given.status);
    });
  }

  const waits: [headers: Record<string, string>, at: string | null][] = [
    [{ 'retry-after': '3600' }, '2024-06-01T13:00:00.000Z'],
    [{ 'retry-after': 'Sat, 01 Jun 2024 14:00:00 GMT' }, '2024-06-01T14:00:00.000Z'],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1717246800' }, '2024-06-01T13:00:00.000Z'],
    [{}, null],
  ];
  for (const [headers, at] of waits) {
    it(`429 with ${JSON.stringify(headers)}`, () =>
      assert.equal(statusOutcome(answer(429, headers), NOW)?.retryAt, at));
  }
});

describe('no answer', () => {
  const rows: [failure: RequestFailure, outcome: string, detail: string][] = [
    [
      { failure: 'timeout', code: 'connect', detail: 'no connection within 5 s' },
      'timeout',
      'no connection within 5 s',
    ],
    [{ failure: 'timeout', code: 'first_byte', detail: 'no answer within 10 s' }, 'timeout', 'no answer within 10 s'],
    [{ failure: 'timeout', code: 'total', detail: 'not finished within 20 s' }, 'timeout', 'not finished within 20 s'],
    [{ failure: 'unreachable', code: 'dns_error', detail: 'no address' }, 'unreachable', 'dns_error: no address'],
    [{ failure: 'unreachable', code: 'connection_refused', detail: 'x' }, 'unreachable', 'connection_refused: x'],
    [{ failure: 'unreachable', code: 'connection_reset', detail: 'x' }, 'unreachable', 'connection_reset: x'],
    [{ failure: 'unreachable', code: 'tls_error', detail: 'x' }, 'unreachable', 'tls_error: x'],
    [
      { failure: 'too_large', code: 'unpacked', detail: 'more than 9 bytes' },
      'malformed',
      'too_large: more than 9 bytes',
    ],
    [{ failure: 'malformed_encoding', code: 'broken_data', detail: 'x' }, 'malformed', 'broken_data: x'],
    [{ failure: 'malformed_answer', code: 'not_http', detail: 'x' }, 'malformed', 'not_http: x'],
    [
      { failure: 'refused', code: 'private_address', detail: 'target refused: private_address' },
      'error',
      'target refused: private_address',
    ],
    [{ failure: 'redirect', code: 'loop', detail: 'redirect in a circle' }, 'error', 'redirect in a circle'],
    [{ failure: 'aborted', code: 'aborted', detail: 'stopped by the caller' }, 'error', 'stopped by the caller'],
  ];
  for (const [given, outcome, detail] of rows) {
    it(`${given.failure}, ${given.code}: ${outcome}`, () => {
      assert.deepEqual(failureOutcome(failure(given)), { outcome, detail, httpStatus: null, retryAt: null });
      assert.equal(fetchFailureOf(failure(given), NOW)?.outcome, outcome);
    });
  }
});

describe('a valid document without entries', () => {
  it('is normal for a source that never had one', () => assert.equal(emptyListing({ count: 0 }).outcome, 'no_change'));
  it('is a fault otherwise', () => assert.equal(emptyListing({ count: 1 }).outcome, 'empty'));
});
