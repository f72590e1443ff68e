import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { shownKey, signatureHeaders } from './signature.ts';

const bytesFrom = (first: number) => Uint8Array.from({ length: 32 }, (_, index) => first + index);
const CURRENT = bytesFrom(0);
const PREVIOUS = bytesFrom(32);
const MESSAGE = {
  eventId: 'evt_01ABCDEFGHJKMNPQ',
  timestamp: 1767225600,
  body: '{"id":"evt_01ABCDEFGHJKMNPQ","type":"release.created"}',
};

describe('signatures', () => {
  it('are those of the published vector', () => {
    assert.deepEqual(signatureHeaders(MESSAGE, { current: CURRENT, previous: null }), {
      'X-Service-Timestamp': '1767225600',
      'X-Service-Signature': 'sha256=a4263b233b4fb1636ca02ebb55565354c74c34a0dc76864c84b9875a4a2e422b',
      'webhook-id': 'evt_01ABCDEFGHJKMNPQ',
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,9RNicXT3MhFOf38oiihZ6+oNEBONt4hbnIklPwtIr1s=',
    });
  });

  it('name both keys during the overlap, the current one first, and the own header the current one alone', () => {
    const alone = signatureHeaders(MESSAGE, { current: CURRENT, previous: null });
    const both = signatureHeaders(MESSAGE, { current: CURRENT, previous: PREVIOUS });
    assert.equal(
      both['webhook-signature'],
      'v1,9RNicXT3MhFOf38oiihZ6+oNEBONt4hbnIklPwtIr1s= v1,NOt5x6Zhmtcf7BzRnbcjQ4qgS600CePEfTv+2U7YKSk=',
    );
    assert.equal(both['X-Service-Signature'], alone['X-Service-Signature']);
  });

  it('show a key as hex and as the secret of Standard Webhooks', () => {
    assert.deepEqual(shownKey(CURRENT), {
      signingKey: Buffer.from(CURRENT).toString('hex'),
      standardSecret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    });
  });

  it('satisfy an independent library with either key, and with no other', () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const message = { ...MESSAGE, timestamp, body: '{"title":"Größe — ✓"}' };
    const headers = signatureHeaders(message, { current: CURRENT, previous: PREVIOUS });
    for (const key of [CURRENT, PREVIOUS]) {
      const verified = new Webhook(shownKey(key).standardSecret).verify(message.body, headers);
      assert.deepEqual(verified, { title: 'Größe — ✓' });
    }
    const stranger = new Webhook(shownKey(bytesFrom(64)).standardSecret);
    assert.throws(() => stranger.verify(message.body, headers), /No matching signature/);
    assert.throws(() => new Webhook(shownKey(CURRENT).standardSecret).verify(`${message.body} `, headers));
  });
});
