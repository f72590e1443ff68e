import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownKey, signatureHeaders } from './signature.ts';
import { readSigningKey, verifyDelivery } from './verify.ts';

const key = Buffer.alloc(32, 7);
const previous = Buffer.alloc(32, 8);
const message = { eventId: 'evt_1', timestamp: 1_767_225_600, body: '{"a":"ü"}' };
const headers = signatureHeaders(message, { current: key, previous });
const received = {
  key,
  signature: headers['X-Service-Signature'] ?? '',
  timestamp: '1767225600',
  body: Buffer.from(message.body),
  now: 1_767_225_600_000,
};
const standard = { ...received, signature: headers['webhook-signature'] ?? '', id: 'evt_1' };

describe('a delivery', () => {
  const cases: [title: string, delivery: Parameters<typeof verifyDelivery>[0], verdict: string][] = [
    ['signed by the service', received, 'valid'],
    ['signed as Standard Webhooks', standard, 'valid'],
    ['signed with the key before', { ...standard, key: previous }, 'valid'],
    ['300 s away', { ...received, now: received.now + 300_000 }, 'valid'],
    ['301 s late', { ...received, now: received.now + 301_000 }, 'timestamp_outside_window'],
    ['301 s early', { ...received, now: received.now - 301_000 }, 'timestamp_outside_window'],
    ['without a timestamp', { ...received, timestamp: '' }, 'invalid_timestamp'],
    ['with a timestamp in words', { ...received, timestamp: '2026-01-01' }, 'invalid_timestamp'],
    ['with another timestamp', { ...received, timestamp: '1767225601' }, 'signature_mismatch'],
    ['with another body', { ...received, body: Buffer.from('{}') }, 'signature_mismatch'],
    ['with another key', { ...received, key: Buffer.alloc(32, 9) }, 'signature_mismatch'],
    ['with another id', { ...standard, id: 'evt_2' }, 'signature_mismatch'],
    ['without the id', { ...standard, id: undefined }, 'signature_mismatch'],
    ['with half a signature', { ...received, signature: received.signature.slice(0, 30) }, 'signature_mismatch'],
    ['without a signature', { ...received, signature: '' }, 'signature_mismatch'],
  ];
  for (const [title, delivery, verdict] of cases) {
    it(`${title} is ${verdict}`, () => {
      assert.equal(verifyDelivery(delivery), verdict);
    });
  }
});

describe('a signing key', () => {
  it('is the same bytes in both spellings', () => {
    const { signingKey, standardSecret } = shownKey(key);
    for (const text of [signingKey, signingKey.toUpperCase(), ` ${standardSecret}\n`]) {
      assert.deepEqual(Buffer.from(readSigningKey(text) ?? []), key);
    }
  });

  for (const text of ['', 'abc', 'whsec_', 'whsec_abc', 'whsec_!!!!', `${'0'.repeat(63)}x`]) {
    it(`is not "${text}"`, () => {
      assert.equal(readSigningKey(text), null);
    });
  }
});
