// What an account does with itself while there is no mail server: its sessions, its address, its password, its end.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import { createApiKey } from '../../src/accounts/api-keys/manage.ts';
import { createResetLink } from '../../src/accounts/auth/reset-link.ts';
import { forgetOldRows } from '../../src/accounts/retention.ts';
import { type Context, transact } from '../../src/context.ts';
import { hashOf } from '../../src/domain/secret-text.ts';
import { cookiesOf, PASSWORD, signIn, signUp } from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const NEW_PASSWORD = 'a wholly new sentence';

function addWebhook(ctx: Context, userId: string): Promise<unknown> {
  const at = ctx.clock().toISOString();
  const row = {
    id: `whk_${userId}`,
    user_id: userId,
    scope: 'follows',
    exclude_prereleases: 0,
    url: 'https://hook.example/',
    target: 'hook.example:443',
    format: 'json',
    enabled: 1,
    secret_version: 1,
    created_at: at,
    updated_at: at,
  };
  return transact(ctx, ({ tx }) =>
    tx
      .insertInto('webhook_subscriptions')
      .values(row as never)
      .execute(),
  );
}

forEachEngine('an account without a mail server', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  before(async () => {
    mock.timers.setTime(NOON);
    const app = await engine.openTestApp();
    ctx = app.ctx;
    service = await startService(app);
  });

  const tryPassword = (email: string, password: string, headers = {}) =>
    service.anonymous.post('/api/auth/sign-in/email', { email, password }, headers);

  it('a session is extended once a day while it is used, wherever that is', async () => {
    const { cookieHeader, sessionToken } = await signUp(service);
    const expires = async () => {
      const query = ctx.store.read
        .selectFrom('sessions')
        .select('expires_at')
        .where('token', '=', hashOf(sessionToken));
      return Date.parse((await query.executeTakeFirstOrThrow()).expires_at);
    };
    const read = () => service.anonymous.get('/v1/me', { Cookie: cookieHeader });
    mock.timers.setTime(NOON + 0.9 * DAY_MS);
    assert.deepEqual((await read()).headers.getSetCookie(), []);
    mock.timers.setTime(NOON + 1.5 * DAY_MS);

    const renewed = await read();
    await service.settled();

    assert.equal(await expires(), NOON + 8.5 * DAY_MS);
    assert.equal(cookiesOf(renewed.headers), cookieHeader.split('; ')[0]);
    mock.timers.setTime(NOON + 8 * DAY_MS);
    assert.equal((await read()).status, 200);
    mock.timers.setTime(NOON + 30 * DAY_MS);
    assert.equal((await read()).status, 401);
    mock.timers.setTime(NOON);
  });

  it('sessions are shown without their tokens, ended by id, and end at once', async () => {
    const { email, cookie, sessionToken } = await signUp(service);
    const other = await signIn(service, email);
    const listed = await cookie.get('/api/auth/list-sessions');
    const own = (await cookie.get('/api/auth/get-session')).body.session.id;

    assert.equal(listed.body.length, 2);
    for (const text of [listed.text, (await cookie.get('/api/auth/get-session')).text]) {
      assert.ok(!text.includes(sessionToken) && !text.includes(other.sessionToken));
    }
    const { id } = listed.body.find((session: { id: string }) => session.id !== own);
    assert.equal((await cookie.post('/api/auth/revoke-session', { id })).status, 200);
    assert.equal((await other.session.get('/v1/me')).status, 401);
    const stranger = await signUp(service);
    assert.equal((await stranger.cookie.post('/api/auth/revoke-session', { id: own })).status, 404);
    const third = await signIn(service, email);
    assert.equal((await cookie.post('/api/auth/revoke-other-sessions', {})).status, 200);
    assert.equal((await third.session.get('/v1/me')).status, 401);
    assert.equal((await cookie.post('/api/auth/sign-out', {})).status, 200);
    assert.equal((await cookie.get('/v1/me')).status, 401);
  });

  it('account security needs a recent sign-in', async () => {
    const { cookie, email } = await signUp(service);
    mock.timers.setTime(NOON + DAY_MS + 1000);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

    const late = await cookie.post('/api/auth/change-password', change);

    assert.deepEqual(
      [late.status, late.body.code, late.body.details],
      [403, 'forbidden', { reason: 'recent_sign_in_required' }],
    );
    const again = await signIn(service, email);
    assert.equal((await again.cookie.post('/api/auth/change-password', change)).status, 200);
    assert.equal((await tryPassword(email, NEW_PASSWORD)).status, 200);
    assert.equal((await tryPassword(email, PASSWORD)).status, 401);
    const common = await again.cookie.post('/api/auth/change-password', {
      currentPassword: NEW_PASSWORD,
      newPassword: 'qwertyuiop',
    });
    assert.deepEqual([common.status, common.body.code], [400, 'bad_request']);
    mock.timers.setTime(NOON);
  });

  it('an address is changed at once, and none that is taken', async () => {
    const { cookie, id } = await signUp(service);
    const taken = await signUp(service);
    const user = async () => (await cookie.get('/v1/me')).body.user;
    const { email: before } = await user();

    assert.equal(
      (await cookie.post('/api/auth/change-email', { newEmail: taken.email, password: PASSWORD })).status,
      200,
    );
    assert.equal((await user()).email, before);
    assert.equal(
      (await cookie.post('/api/auth/change-email', { newEmail: 'Moved@mail.example', password: PASSWORD })).status,
      200,
    );
    assert.equal((await user()).email, 'moved@mail.example');
    assert.equal(
      (await cookie.post('/api/auth/update-user', { name: 'Renamed', email: 'x@mail.example' })).status,
      200,
    );
    assert.partialDeepStrictEqual(await user(), { id, name: 'Renamed', email: 'moved@mail.example' });
    assert.equal((await cookie.post('/api/auth/update-user', { name: '' })).status, 400);
  });

  it('of those who want the same address or link at once, one gets it, and nobody sees a fault', async () => {
    const tally = (answers: { status: number; body: { code?: string } }[]) =>
      Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    const body = { name: 'Twin', email: 'twin@mail.example', password: PASSWORD };
    const twins = tally(
      await Promise.all(Array.from({ length: 6 }, () => service.anonymous.post('/api/auth/sign-up/email', body))),
    );
    assert.deepEqual(
      Object.entries(twins)
        .map(([title, all]) => [title, all?.length])
        .sort(),
      [
        ['200', 1],
        ['422 USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 5],
      ],
    );

    const movers = [await signUp(service), await signUp(service), await signUp(service)];
    const moved = await Promise.all(
      movers.map(({ cookie }) =>
        cookie.post('/api/auth/change-email', { newEmail: 'wanted@mail.example', password: PASSWORD }),
      ),
    );
    assert.deepEqual(new Set(moved.map(({ status }) => status)), new Set([200]));
    const emails = await Promise.all(movers.map(async ({ cookie }) => (await cookie.get('/v1/me')).body.user.email));
    assert.equal(emails.filter((email) => email === 'wanted@mail.example').length, 1);

    const link = new URL(await createResetLink(ctx, { userId: movers[0]?.id ?? '' }));
    const token = link.searchParams.get('token');
    const resets = await Promise.all(
      [1, 2, 3].map((n) =>
        service.anonymous.post('/api/auth/reset-password', { token, newPassword: `a wholly new sentence ${n}` }),
      ),
    );
    assert.deepEqual(resets.map(({ status }) => status).sort(), [200, 400, 400]);
  });

  it('a new password comes by a link of the operator: once, for an hour, and ends all sessions', async () => {
    const { id, email, cookie } = await signUp(service);
    const reset = (token: string, newPassword = NEW_PASSWORD) =>
      service.anonymous.post('/api/auth/reset-password', { token, newPassword });
    const link = new URL(await createResetLink(ctx, { userId: id }));
    const token = link.searchParams.get('token') ?? '';

    assert.equal(link.origin + link.pathname, `${service.origin}/reset-password`);
    const stored = JSON.stringify(await ctx.store.read.selectFrom('verifications').selectAll().execute());
    assert.ok(!stored.includes(token));
    for (const bad of ['short', 'qwertyuiop', email]) assert.equal((await reset(token, bad)).status, 400, bad);
    assert.equal((await reset(token)).status, 200);
    assert.equal((await cookie.get('/v1/me')).status, 401);
    assert.equal((await tryPassword(email, PASSWORD)).status, 401);
    assert.equal((await tryPassword(email, NEW_PASSWORD)).status, 200);
    assert.deepEqual((await reset(token)).body.code, 'INVALID_TOKEN');

    const late = new URL(await createResetLink(ctx, { userId: id })).searchParams.get('token') ?? '';
    mock.timers.setTime(NOON + 3_601_000);
    assert.deepEqual((await reset(late)).body.code, 'INVALID_TOKEN');
    mock.timers.setTime(NOON);
    const requested = await service.anonymous.post('/api/auth/request-password-reset', { email });
    assert.deepEqual([requested.status, requested.body.details], [400, { reason: 'no_mail' }]);
  });

  it('with an account goes everything that belongs to it', async () => {
    const { id, cookie, email, oauth } = await signUp(service);
    const org = await createOrg(ctx);
    const access = await oauth('openid read account offline_access');
    const { key } = await createApiKey(ctx, { userId: id, name: 'k', expiresAt: null });
    await cookie.post('/v1/me/follows', { targetType: 'org', targetId: org.id });
    await cookie.post('/v1/me/feed/token');
    await addWebhook(ctx, id);
    await createResetLink(ctx, { userId: id });

    const deleted = await cookie.post('/api/auth/delete-user', { password: PASSWORD });

    assert.equal(deleted.status, 200);
    assert.match(deleted.headers.getSetCookie()[0] ?? '', /^registry\.session_token=; Max-Age=0/);
    for (const bearer of [key, access.accessToken]) assert.equal((await service.as(bearer).get('/v1/me')).status, 401);
    assert.equal((await cookie.get('/v1/me')).status, 401);
    assert.equal((await tryPassword(email, PASSWORD)).status, 401);
    const left: string[] = [];
    for (const [table, column] of [
      ['users', 'id'],
      ['sessions', 'user_id'],
      ['identities', 'user_id'],
      ['api_keys', 'user_id'],
      ['oauth_refresh_tokens', 'user_id'],
      ['oauth_consents', 'user_id'],
      ['follows', 'user_id'],
      ['feed_tokens', 'user_id'],
      ['webhook_subscriptions', 'user_id'],
      ['verifications', 'value'],
    ] as const) {
      const rows = await ctx.store.read
        .selectFrom(table)
        .selectAll()
        .where(column as never, '=', id as never)
        .execute();
      if (rows.length > 0) left.push(table);
    }
    assert.deepEqual(left, []);
  });

  it('what is over is forgotten', async () => {
    const { sessionToken, id } = await signUp(service);
    await createResetLink(ctx, { userId: id });
    mock.timers.setTime(NOON + 8 * DAY_MS);

    await forgetOldRows(ctx);

    const sessions = await ctx.store.read.selectFrom('sessions').select('token').execute();
    assert.ok(!sessions.some(({ token }) => token === hashOf(sessionToken)));
    assert.deepEqual(await ctx.store.read.selectFrom('verifications').selectAll().execute(), []);
    mock.timers.setTime(NOON);
  });
});
