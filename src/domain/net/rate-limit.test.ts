import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HttpAnswer, isThrottled, readRateLimit, retryAt } from './rate-limit.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const EPOCH = NOW.getTime() / 1000;

describe('throttled answers', () => {
  const secondary = '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes"}';
  const table: [name: string, answer: HttpAnswer, throttled: boolean][] = [
    ['429', { status: 429, headers: {} }, true],
    ['403', { status: 403, headers: {} }, false],
    ['403 with budget left', { status: 403, headers: { 'x-ratelimit-remaining': '12' } }, false],
    ['403 with nothing left', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, true],
    ['403 with nothing left, other spelling', { status: 403, headers: { 'ratelimit-remaining': '0' } }, true],
    ['403 with Retry-After', { status: 403, headers: { 'retry-after': '60' } }, true],
    ['403 with a malformed Retry-After', { status: 403, headers: { 'retry-after': 'later' } }, false],
    ['403 with a message', { status: 403, headers: {}, text: secondary }, true],
    ['403 with another message', { status: 403, headers: {}, text: '{"message":"Resource not accessible"}' }, false],
    ['403 that speaks of it far below', { status: 403, headers: {}, text: `${'x '.repeat(2000)}rate limit` }, false],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '60' } }, true],
    ['503', { status: 503, headers: {} }, false],
    ['200 with nothing left', { status: 200, headers: { 'x-ratelimit-remaining': '0' } }, false],
    ['401 with Retry-After', { status: 401, headers: { 'retry-after': '60' } }, false],
  ];
  for (const [name, answer, throttled] of table) it(name, () => assert.equal(isThrottled(answer, NOW), throttled));
});

describe('the budget', () => {
  it('is read from GitHub headers', () => {
    const headers = {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '13',
      'x-ratelimit-reset': String(EPOCH + 900),
    };
    assert.deepEqual(readRateLimit(headers, NOW), {
      limit: 60,
      remaining: 13,
      resetAt: new Date('2026-03-01T12:15:00Z'),
    });
  });

  it('takes a small reset as seconds from now', () => {
    assert.deepEqual(readRateLimit({ 'ratelimit-reset': '30' }, NOW).resetAt, new Date('2026-03-01T12:00:30Z'));
  });

  it('ignores what is no number', () => {
    const headers = { 'x-ratelimit-limit': '-1', 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '' };
    assert.deepEqual(readRateLimit(headers, NOW), { limit: null, remaining: null, resetAt: null });
  });
});

describe('when to ask again', () => {
  const reset = { 'x-ratelimit-reset': String(EPOCH + 900) };
  const table: [name: string, headers: Record<string, string>, expected: string | null][] = [
    ['Retry-After first', { 'retry-after': '60', 'x-ratelimit-remaining': '0', ...reset }, '2026-03-01T12:01:00.000Z'],
    ['the reset of a used-up budget', { 'x-ratelimit-remaining': '0', ...reset }, '2026-03-01T12:15:00.000Z'],
    ['no reset while budget is left', { 'x-ratelimit-remaining': '1', ...reset }, null],
    ['a reset in the past', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(EPOCH - 1) }, null],
    ['nothing', {}, null],
  ];
  for (const [name, headers, expected] of table) {
    it(name, () => assert.equal(retryAt({ headers }, NOW)?.toISOString() ?? null, expected));
  }
});

describe('a wait ends after a day', () => {
  const day = new Date('2026-03-02T12:00:00Z');
  const rows: [name: string, headers: Record<string, string>][] = [
    ['Retry-After in seconds', { 'retry-after': '999999999999' }],
    ['Retry-After beyond any number', { 'retry-after': '9'.repeat(400) }],
    ['Retry-After as a date', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
    ['a reset as a time', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' }],
    ['a reset in seconds', { 'ratelimit-remaining': '0', 'ratelimit-reset': '999999999' }],
  ];
  for (const [name, headers] of rows) it(name, () => assert.deepEqual(retryAt({ headers }, NOW), day));

  it('also when a quota is only low', () => {
    assert.deepEqual(readRateLimit({ 'x-ratelimit-reset': '99999999999' }, NOW).resetAt, day);
  });
});
