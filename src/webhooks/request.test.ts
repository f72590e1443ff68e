import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { holdTime } from '../../test/support/clock.ts';
import { shownKey } from '../domain/webhooks/signature.ts';
import { verifyDelivery } from '../domain/webhooks/verify.ts';
import { type AttemptInput, renderAttempt } from './delivery/attempt.ts';
import { newKey } from './keys.ts';

const secret = randomBytes(32);
const ctx = { secrets: { current: secret, previous: [] }, randomBytes };
const id = 'whk_000000000000000000001';
const first = newKey(ctx, { id, version: 1 });
const second = newKey(ctx, { id, version: 2 });
const AT = new Date('2026-11-20T12:00:00.000Z');
const later = (ms: number) => new Date(AT.getTime() + ms).toISOString();
const payload = JSON.stringify({
  id: 'evt_1',
  release: {
    title: 'One',
    version: null,
    publishedAt: null,
    sourceName: 'Feed',
    org: null,
    product: null,
    webUrl: 'https://registry.example/release/rel_1',
    summary: null,
  },
});

function attempt(subscription: Partial<AttemptInput['subscription']> = {}, more: Partial<AttemptInput> = {}) {
  return renderAttempt(ctx, {
    subscription: {
      id,
      url: 'https://hooks.example/x',
      format: 'json',
      secret_version: 2,
      signing_key: second.sealed,
      previous_key: null,
      previous_key_expires_at: null,
      ...subscription,
    },
    event: { id: 'evt_1', payload },
    replay: false,
    at: AT,
    ...more,
  });
}
const opens = (key: Uint8Array, { body, headers }: { body: string; headers: Record<string, string> }) => {
  try {
    new Webhook(shownKey(key).standardSecret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('one attempt', () => {
  // Who checks a signature reads the machine's clock.
  holdTime(AT.getTime());

  it('sends the stored bytes, signed at its own time', () => {
    const request = attempt();
    assert.equal(request.url, 'https://hooks.example/x');
    assert.equal(request.body, payload);
    assert.deepEqual(Object.keys(request.headers), [
      'Content-Type',
      'User-Agent',
      'X-Service-Event-Id',
      'X-Service-Version',
      'X-Service-Timestamp',
      'X-Service-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    const { headers } = request;
    assert.deepEqual(
      [headers['Content-Type'], headers['User-Agent'], headers['X-Service-Event-Id'], headers['X-Service-Version']],
      ['application/json', 'registry-webhooks/1', 'evt_1', '1'],
    );
    assert.equal(headers['X-Service-Timestamp'], String(Math.floor(AT.getTime() / 1000)));
    assert.ok(opens(second.key, request));
  });

  it('says that it is a replay', () => {
    assert.equal(attempt({}, { replay: true }).headers['X-Service-Replay'], 'true');
    assert.equal(attempt().headers['X-Service-Replay'], undefined);
  });

  it('is signed with the previous key too while that lives, and no longer', () => {
    const living = attempt({ previous_key: first.sealed, previous_key_expires_at: later(1) });
    assert.deepEqual([opens(first.key, living), opens(second.key, living)], [true, true]);
    const ended = attempt({ previous_key: first.sealed, previous_key_expires_at: later(0) });
    assert.deepEqual([opens(first.key, ended), opens(second.key, ended)], [false, true]);
    const lost = attempt({ previous_key: second.sealed, previous_key_expires_at: later(1) });
    assert.deepEqual([lost.headers['webhook-signature']?.includes(' '), opens(second.key, lost)], [false, true]);
  });

  for (const format of ['slack', 'discord', 'teams', 'google_chat'] as const) {
    it(`to ${format} is a message without signature, also as a replay`, () => {
      const keyless = { format, secret_version: 0, signing_key: null };
      const { headers, body } = attempt(keyless, { replay: true });
      assert.deepEqual(Object.keys(headers), ['Content-Type', 'User-Agent', 'X-Service-Event-Id']);
      assert.match(body, /Feed — One/);
    });
  }

  it('of plain text is signed like JSON, over the text', () => {
    const request = attempt({ format: 'text' });
    assert.equal(request.headers['Content-Type'], 'text/plain; charset=utf-8');
    assert.equal(request.headers['X-Title'], 'Feed: One');
    assert.equal(request.body, 'One\nhttps://registry.example/release/rel_1\n');
    const { 'X-Service-Signature': signature = '', 'X-Service-Timestamp': timestamp = '' } = request.headers;
    const received = { key: second.key, timestamp, body: Buffer.from(request.body), now: AT.getTime() };
    assert.equal(verifyDelivery({ ...received, signature }), 'valid');
    const { 'webhook-signature': standard = '', 'webhook-id': messageId = '' } = request.headers;
    assert.equal(verifyDelivery({ ...received, signature: standard, id: messageId }), 'valid');
  });

  it('is not sent unsigned: a key of another secret, subscription or version does not open', () => {
    const strange = { secrets: { current: randomBytes(32), previous: [] }, randomBytes };
    const borrowed = newKey(ctx, { id: 'whk_other', version: 2 });
    for (const sealed of [newKey(strange, { id, version: 2 }).sealed, borrowed.sealed, first.sealed]) {
      assert.throws(() => attempt({ signing_key: sealed }), /REGISTRY_SECRET_PREVIOUS/);
    }
    assert.throws(() => attempt({ signing_key: null }), /no signing key/);
  });
});
