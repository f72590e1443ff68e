import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { reseal, seal, unseal } from './sealing.ts';

const old = randomBytes(32);
const purpose = { info: 'test/1', belongsTo: 'row 1' };
const with_ = (current: Uint8Array, previous: Uint8Array[] = []) => ({ secrets: { current, previous }, randomBytes });

describe('sealing', () => {
  const value = randomBytes(32);
  const sealed = seal(with_(old), purpose, value);

  it('gives the value back, also after the secret has changed', () => {
    assert.deepEqual(Buffer.from(unseal(with_(old), purpose, sealed) ?? []), value);
    assert.deepEqual(Buffer.from(unseal(with_(randomBytes(32), [old]), purpose, sealed) ?? []), value);
  });

  it('never writes the same text twice', () => {
    assert.notEqual(seal(with_(old), purpose, value), sealed);
  });

  it('opens for no other secret, purpose or owner', () => {
    const changed = Buffer.from(sealed, 'base64');
    changed[20] = (changed[20] ?? 0) ^ 1;
    const others = [
      unseal(with_(randomBytes(32)), purpose, sealed),
      unseal(with_(old), { ...purpose, info: 'test/2' }, sealed),
      unseal(with_(old), { ...purpose, belongsTo: 'row 2' }, sealed),
      unseal(with_(old), purpose, changed.toString('base64')),
      unseal(with_(old), purpose, sealed.slice(0, 20)),
      unseal(with_(old), purpose, ''),
    ];
    assert.deepEqual(new Set(others), new Set([null]));
  });

  it('moves a value to the current secret, once', () => {
    const current = randomBytes(32);
    const moved = reseal(with_(current, [old]), purpose, sealed);
    assert.ok(moved !== null && moved !== sealed);
    assert.deepEqual(Buffer.from(unseal(with_(current), purpose, moved) ?? []), value);
    assert.equal(reseal(with_(current, [old]), purpose, moved), moved);
    assert.equal(reseal(with_(current), purpose, sealed), null);
  });

  it('is unavailable without a secret', () => {
    assert.throws(() => seal({ secrets: null, randomBytes }, purpose, value), /REGISTRY_SECRET/);
  });
});
