// Password changes: with a reset link, or with the current password.
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
  await requirePassword(newPassword, await emailOfReset(call.ctx, token));
  return parts.pass({ ...withJson(call, { token, newPassword }), query: new URLSearchParams() });
};

async function emailOfReset(ctx: Context, token: string): Promise<string | null> {
  const row = await queries(ctx)
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .select('users.email')
    .where('verifications.identifier', '=', resetIdentifier(token))
    .where('verifications.expires_at', '>', now(ctx))
    .executeTakeFirst();
  return row?.email ?? null;
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
