import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCredentials } from '../../src/accounts/credentials.ts';
import { describeCaller } from '../../src/accounts/describe-caller.ts';
import { createToken, getToken, listTokens, revokeToken, updateToken } from '../../src/accounts/tokens.ts';
import type { Context } from '../../src/context.ts';
import type { Caller } from '../../src/contract/caller.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { toJson } from '../../src/store/json-text.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';

const ROOT: Caller = { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' };
const START = '2026-03-01T00:00:00.000Z';

function as(ctx: Context, caller: Caller): Context {
  return { ...ctx, caller };
}

function code(expected: string) {
  return (error: unknown) => error instanceof ApiError && error.code === expected;
}

async function audited(ctx: Context): Promise<string[]> {
  const rows = await ctx.store.read.selectFrom('audit_log').selectAll().orderBy('created_at').execute();
  return rows.map((row) => `${row.actor} ${row.action}`);
}

forEachEngine('machine tokens', (engine) => {
  async function open() {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    return { clock, ctx: as(ctx, ROOT), credentials: createCredentials(ctx, ROOT_KEY) };
  }

  it('are shown once and kept as a hash', async () => {
    const { ctx } = await open();

    const minted = await createToken(ctx, { name: 'ci', scopes: ['read', 'write'] });

    assert.match(minted.token, /^relk_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}$/);
    assert.match(minted.id, /^tok_[0-9A-Za-z]{21}$/);
    const { token: _, ...row } = minted;
    assert.deepEqual(await getToken(ctx, { id: minted.id }), row);
    assert.deepEqual(
      { ...row, id: '', lookupId: '' },
      {
        id: '',
        lookupId: '',
        name: 'ci',
        scopes: ['read', 'write'],
        principalType: 'internal',
        principalId: null,
        active: true,
        revokedAt: null,
        expiresAt: null,
        lastUsedAt: null,
        createdAt: START,
        createdBy: 'root',
        bound: null,
      },
    );
    const secret = minted.token.slice(-32);
    for (const table of ['api_tokens', 'audit_log'] as const) {
      const stored = JSON.stringify(await ctx.store.read.selectFrom(table).selectAll().execute());
      assert.ok(!stored.includes(secret), `${table} holds the secret`);
    }
  });

  it('name their caller by the highest scope', async () => {
    const { ctx, credentials } = await open();
    const { id, token } = await createToken(ctx, { name: 'ci', scopes: ['read', 'write'] });

    const caller = await credentials.identify(token);

    assert.deepEqual(caller, { kind: 'token', name: 'ci', scope: 'write', tokenId: id, ip: '' });
    assert.deepEqual(await credentials.identify(ROOT_KEY), ROOT);
  });

  it('answer expired, revoked and unknown values alike', async () => {
    const { ctx, clock, credentials } = await open();
    const expiring = await createToken(ctx, { name: 'a', scopes: ['read'], expiresAt: '2026-03-02T00:00:00.000Z' });
    const revoked = await createToken(ctx, { name: 'b', scopes: ['read'] });
    await revokeToken(ctx, { id: revoked.id });

    assert.notEqual(await credentials.identify(expiring.token), null);
    clock.move(86_400_000);
    const wrongSecret = `${revoked.token.slice(0, -1)}${revoked.token.endsWith('0') ? '1' : '0'}`;
    const unknown = `relk_${'0'.repeat(12)}_${'0'.repeat(32)}`;
    for (const value of [expiring.token, revoked.token, wrongSecret, unknown, 'relk_short', `${ROOT_KEY}x`, '']) {
      assert.equal(await credentials.identify(value), null);
    }
  });

  it('grant nothing by a scope name that the ladder does not know', async () => {
    const { ctx, credentials } = await open();
    const { id, token } = await createToken(ctx, { name: 'odd', scopes: ['read'] });
    await ctx.store.transaction(
      (tx) =>
        tx
          .updateTable('api_tokens')
          .set({ scopes: toJson(['owner']) })
          .where('id', '=', id)
          .execute(),
      'bookkeeping',
    );

    assert.equal((await credentials.identify(token))?.scope, null);
  });

  it('note their use at most once a minute, and only in the books', async () => {
    const { ctx, clock, credentials } = await open();
    const { id, token } = await createToken(ctx, { name: 'ci', scopes: ['read'] });
    const version = ctx.store.dataVersion();
    const useAfter = async (milliseconds: number) => {
      clock.move(milliseconds);
      await Promise.all([credentials.identify(token), credentials.identify(token)]);
      await credentials.settle();
      return (await getToken(ctx, { id })).lastUsedAt;
    };

    assert.equal(await useAfter(1000), '2026-03-01T00:00:01.000Z');
    assert.equal(await useAfter(59_999), '2026-03-01T00:00:01.000Z');
    assert.equal(await useAfter(1), '2026-03-01T00:01:01.000Z');
    assert.equal(ctx.store.dataVersion(), version);
  });

  it('are listed newest first, active ones alone on demand', async () => {
    const { ctx, clock } = await open();
    const first = await createToken(ctx, { name: 'first', scopes: ['read'] });
    clock.move(1);
    await createToken(ctx, { name: 'second', scopes: ['read'] });
    await revokeToken(ctx, { id: first.id });

    const names = async (input: { active?: boolean }) => (await listTokens(ctx, input)).tokens.map(({ name }) => name);

    assert.deepEqual(await names({}), ['second', 'first']);
    assert.deepEqual(await names({ active: true }), ['second']);
    assert.deepEqual(await names({ active: false }), ['first']);
  });

  it('change name, scopes and expiry, and refuse an empty change or a past expiry', async () => {
    const { ctx } = await open();
    const { id } = await createToken(ctx, { name: 'ci', scopes: ['read'], expiresAt: '2027-01-01T00:00:00.000Z' });

    const changed = await updateToken(ctx, { id, change: { name: 'cd', scopes: ['write'], expiresAt: null } });

    assert.deepEqual([changed.name, changed.scopes, changed.expiresAt], ['cd', ['write'], null]);
    await assert.rejects(updateToken(ctx, { id, change: {} }), code('bad_request'));
    await assert.rejects(updateToken(ctx, { id, change: { expiresAt: START } }), code('validation_failed'));
    await assert.rejects(
      createToken(ctx, { name: 'x', scopes: ['read'], expiresAt: START }),
      code('validation_failed'),
    );
    await assert.rejects(updateToken(ctx, { id: 'tok_none', change: { name: 'x' } }), code('not_found'));
  });

  it('are revoked once: a second call gives the same row and leaves no trace', async () => {
    const { ctx, clock } = await open();
    const { id } = await createToken(ctx, { name: 'ci', scopes: ['read'] });
    clock.move(1000);
    const first = await revokeToken(ctx, { id });
    clock.move(1000);

    assert.deepEqual(await revokeToken(ctx, { id }), first);
    assert.equal(first.active, false);
    assert.deepEqual(await audited(ctx), ['root token.create', 'root token.revoke']);
  });

  it('cannot be given more than the caller has', async () => {
    const { ctx } = await open();
    const writer = as(ctx, { kind: 'token', name: 'w', scope: 'write', tokenId: 'tok_w', ip: '' });
    const { id } = await createToken(ctx, { name: 'ci', scopes: ['read'] });

    await assert.rejects(createToken(writer, { name: 'x', scopes: ['read', 'admin'] }), code('insufficient_scope'));
    await assert.rejects(updateToken(writer, { id, change: { scopes: ['admin'] } }), code('insufficient_scope'));
  });

  it('describe themselves, and the root key describes itself', async () => {
    const { ctx, credentials } = await open();
    const { id, token } = await createToken(ctx, {
      name: 'bot',
      scopes: ['read'],
      principalType: 'agent',
      principalId: 'a-7',
    });
    const caller = await credentials.identify(token);
    await credentials.settle();
    assert.ok(caller);

    assert.deepEqual(await describeCaller(as(ctx, caller)), {
      kind: 'token',
      name: 'bot',
      scopes: ['read'],
      principalType: 'agent',
      principalId: 'a-7',
      userId: null,
      tokenId: id,
      expiresAt: null,
      lastUsedAt: START,
    });
    assert.deepEqual((await describeCaller(ctx)).scopes, ['*']);
  });
});
