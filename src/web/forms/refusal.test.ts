import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, badRequest, notFound, validationFailed } from '../../contract/errors.ts';
import { tookWords } from '../pages/account/webhook.ts';
import { type Refusal, refusalOf } from './refusal.ts';

const LABELS = { url: 'The address', orgSlug: 'The organization', since: 'The start' };

const CASES: [error: ApiError, refusal: Refusal][] = [
  [
    new ApiError('bad_request', 'url: must begin with https', { field: 'url', reason: 'not_https' }),
    { status: 422, message: null, fields: { url: 'The address must begin with https.' } },
  ],
  [
    validationFailed([
      { path: 'url', reason: 'is required' },
      { path: 'since', reason: 'Too big: expected string to have <=64 characters' },
      { path: 'unheard', reason: 'of' },
    ]),
    {
      status: 422,
      message: null,
      fields: { url: 'The address is needed.', since: 'The start is too long or too large: at most 64.' },
    },
  ],
  [
    notFound('org', 'acme', { field: 'orgSlug' }),
    { status: 422, message: null, fields: { orgSlug: 'The organization is not known here.' } },
  ],
  [badRequest('elsewhere', 'no'), { status: 422, message: 'Elsewhere: no.', fields: {} }],
  [
    new ApiError('limit_exceeded', 'an account has at most 10 webhooks', { limit: 10 }),
    { status: 422, message: 'An account has at most 10 webhooks.', fields: {} },
  ],
  [
    new ApiError('rate_limited', 'more than 5'),
    { status: 429, message: 'Too many attempts. Wait a while.', fields: {} },
  ],
  [new ApiError('service_unavailable', 'no secret'), { status: 503, message: 'No secret.', fields: {} }],
];

for (const [error, refusal] of CASES) {
  test(`a form says of ${error.message}: ${refusal.message ?? Object.values(refusal.fields).join(' ')}`, () => {
    assert.deepEqual(refusalOf(error, LABELS), refusal);
  });
}

test('what a form cannot help is left to the error page', () => {
  const broken = new Error('broken');
  for (const error of [broken, notFound('webhook', 'whk_x'), new ApiError('forbidden', 'no')]) {
    assert.throws(() => refusalOf(error, LABELS), error);
  }
});

test('how long an attempt took, in words', () => {
  assert.deepEqual([0, 1, 999, 1000, 2249].map(tookWords), ['–', '1 ms', '999 ms', '1.0 s', '2.2 s']);
});
