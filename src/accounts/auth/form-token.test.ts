import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { formToken, isFormToken } from './form-token.ts';

const HOUR = 3_600_000;
const secret = (byte: number) => new Uint8Array(32).fill(byte);

function open() {
  const clock = movableClock('2026-03-01T12:00:00.000Z');
  return { clock, secrets: { current: secret(1), previous: [] as Uint8Array[] } };
}

describe('the token of a form', () => {
  const OWN = { sessionId: 'ses_1', form: '/logout' };

  it('counts for its session and its form alone', () => {
    const ctx = open();
    const token = formToken(ctx, OWN);
    assert.equal(isFormToken(ctx, OWN, token), true);
    for (const other of [
      { ...OWN, sessionId: 'ses_2' },
      { ...OWN, sessionId: '' },
      { ...OWN, form: '/device/approve' },
      { ...OWN, form: '' },
      // What one name ends with and the next begins with cannot be shifted.
      { sessionId: 'ses_1\n/logout', form: '' },
      { sessionId: 'ses', form: '_1\n/logout' },
    ]) {
      assert.equal(isFormToken(ctx, other, token), false, JSON.stringify(other));
    }
  });

  it('also before anybody has signed in, and no longer afterwards', () => {
    const ctx = open();
    const nobody = { sessionId: '', form: '/login' };
    assert.equal(isFormToken(ctx, nobody, formToken(ctx, nobody)), true);
    assert.equal(isFormToken(ctx, { ...nobody, sessionId: 'ses_1' }, formToken(ctx, nobody)), false);
  });

  it('lives for four hours, and nobody makes it live longer', () => {
    const ctx = open();
    const token = formToken(ctx, OWN);
    const [ends = '', signature = ''] = token.split('.');
    ctx.clock.move(4 * HOUR - 1);
    assert.equal(isFormToken(ctx, OWN, token), true);
    ctx.clock.move(1);
    assert.equal(isFormToken(ctx, OWN, token), false);
    const stretched = (Number.parseInt(ends, 36) + HOUR).toString(36);
    assert.equal(isFormToken(ctx, OWN, `${stretched}.${signature}`), false);
  });

  it('is made with the secret of the service, and with the current one', () => {
    const ctx = open();
    const token = formToken(ctx, OWN);
    const rotated = { ...ctx, secrets: { current: secret(2), previous: [secret(1)] } };
    assert.equal(isFormToken(rotated, OWN, token), false);
  });

  it('is not guessed: nothing, pieces and odd characters are refused', () => {
    const ctx = open();
    const token = formToken(ctx, OWN);
    const [ends = '', signature = ''] = token.split('.');
    for (const text of ['', '.', ends, `${ends}.`, `.${signature}`, signature, `${token.slice(0, -1)}é`, `${token}x`]) {
      assert.equal(isFormToken(ctx, OWN, text), false, text);
    }
  });
});
