// Password changes: with a reset link, or with the current password.
import { forgetDevices, rememberDevice } from '../../accounts/auth/known-devices.ts';
import { resetIdentifier } from '../../accounts/auth/reset-link.ts';
import { findUser } from '../../accounts/auth/users.ts';
import { type Context, now, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { fieldsOf, pick, textOf, withJson } from './call.ts';
import { fieldsIn } from './errors.ts';
import { limitedGuess } from './own-password.ts';
import type { AuthHandler } from './route.ts';
import { requirePassword } from './safe-call.ts';
import { withoutTokens } from './sessions.ts';

// The answer is sent before the account is looked up, so that neither its content nor its time reveals whether the
// account exists.
export const requestReset: AuthHandler = async (call, { mailer, background, pass }) => {
  if (!mailer.available) {
    throw new ApiError('bad_request', 'this service sends no mail; its operator can issue a link', {
      reason: 'no_mail',
    });
  }
  const email = textOf(call, 'email');
  if (email === undefined) throw new ApiError('bad_request', 'an e-mail address is needed', { field: 'email' });
  background.start(pass(withJson(call, { email })));
  return Response.json({ status: true, message: 'If there is such an account, a link is on its way.' });
};

export const resetPassword: AuthHandler = async (call, parts) => {
  const token = textOf(call, 'token') ?? call.query.get('token') ?? '';
  const newPassword = textOf(call, 'newPassword');
  const owner = await ownerOfReset(call.ctx, token);
  await requirePassword(newPassword, owner?.email ?? null);
  const response = await parts.pass({ ...withJson(call, { token, newPassword }), query: new URLSearchParams() });
  if (owner === null || response.status !== 200) return response;
  // Somebody else may have signed in with the old password, so only the browser of whoever chose the new one is known.
  await forgetDevices(call.ctx, { userId: owner.id });
  const cookies = call.request.headers.cookie ?? '';
  const headers = new Headers(response.headers);
  headers.append('Set-Cookie', await rememberDevice(call.ctx, { cookies, userId: owner.id }));
  return new Response(response.body, { status: 200, headers });
};

async function ownerOfReset(ctx: Context, token: string): Promise<{ id: string; email: string } | null> {
  const row = await queries(ctx)
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .select(['users.id', 'users.email'])
    .where('verifications.identifier', '=', resetIdentifier(token))
    .where('verifications.expires_at', '>', now(ctx))
    .executeTakeFirst();
  return row ?? null;
}

export const changePassword: AuthHandler = async (call, parts) => {
  const user = await findUser(call.ctx, call.session?.userId ?? '');
  await requirePassword(textOf(call, 'newPassword'), user?.email ?? null);
  const fields = pick(fieldsOf(call), ['currentPassword', 'newPassword', 'revokeOtherSessions']);
  const response = await limitedGuess(call, {
    guess: () => parts.pass(withJson(call, fields)),
    isWrong: async (answer) => answer.status === 400 && (await fieldsIn(answer)).code === 'INVALID_PASSWORD',
  });
  return withoutTokens(response);
};
