// Signing up and in, passwords, addresses, sessions and the end of an account.
import { nextPath } from '../../accounts/auth/next-path.ts';
import { attemptKey, takeBack } from '../../accounts/auth/password-attempts.ts';
import { passwordFault } from '../../accounts/auth/passwords.ts';
import { resetIdentifier } from '../../accounts/auth/reset-link.ts';
import { deleteUser, findUser } from '../../accounts/auth/users.ts';
import { type Context, now, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { originOf } from '../kernel/forms.ts';
import type { LimitPolicy } from '../kernel/limits.ts';
import { type AuthCall, fieldsOf, pick, textOf, withJson } from './call.ts';
import { fieldsIn } from './errors.ts';
import type { AuthHandler, AuthParts } from './route.ts';
import { endedSession, withoutTokens } from './sessions.ts';

const WRONG_PASSWORD: LimitPolicy = { policy: 'sign-in', limit: 5, windowSeconds: 900 };

const RETURNS = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo'] as const;

// Places to return to become paths of this service, whatever was sent.
function withSafeReturns(call: AuthCall): AuthCall {
  const { webUrl } = call.ctx.config;
  const fields = { ...fieldsOf(call) };
  const query = new URLSearchParams(call.query);
  for (const name of RETURNS) {
    if (fields[name] !== undefined) fields[name] = `${webUrl}${nextPath(fields[name])}`;
    if (query.has(name)) query.set(name, `${webUrl}${nextPath(query.get(name))}`);
  }
  return { ...call, query, body: call.body === null ? null : { json: fields } };
}

// Without a session there is no cookie to protect, but nobody shall be signed in by somebody else's page.
function requireOwnPage({ ctx, request }: AuthCall): void {
  const origin = originOf(request.headers);
  if (origin === null || ctx.config.trustedOrigins.includes(origin)) return;
  throw new ApiError('forbidden', 'the request comes from a page that is not trusted', { reason: 'origin' });
}

async function requirePassword(password: unknown, email: string | null): Promise<void> {
  const fault = await passwordFault(password, email);
  if (fault) throw new ApiError('bad_request', fault, { field: 'password' });
}

export const signUp: AuthHandler = async (call, parts) => {
  requireOwnPage(call);
  if (call.ctx.config.signup === 'closed') throw new ApiError('forbidden', 'sign-up is closed');
  const fields = pick(fieldsOf(withSafeReturns(call)), [
    'name',
    'email',
    'password',
    'image',
    'callbackURL',
    'oauth_query',
  ]);
  const { password, email } = fields;
  if (typeof email !== 'string') throw new ApiError('bad_request', 'an e-mail address is needed', { field: 'email' });
  await requirePassword(password, email);
  const { hashedBeforehand } = await import('../../accounts/auth/hashing.ts');
  return hashedBeforehand(call.ctx, String(password), async () => {
    const response = await parts.pass(withJson(call, fields));
    // Of two that sign up in the same moment, the second gets the answer that it would have got a moment later.
    return (await isLost(response)) ? parts.pass(withJson(call, fields)) : response;
  });
};

async function isLost(response: Response): Promise<boolean> {
  if (response.status !== 422) return false;
  return (await fieldsIn(response)).code === 'FAILED_TO_CREATE_USER';
}

export const signIn: AuthHandler = async (call, parts) => {
  requireOwnPage(call);
  const fields = pick(fieldsOf(withSafeReturns(call)), ['email', 'password', 'callbackURL', 'oauth_query']);
  const { email, password } = fields;
  if (typeof email !== 'string' || typeof password !== 'string') {
    throw new ApiError('bad_request', 'e-mail address and password are needed');
  }
  const who = attemptKey(email, call.request.client.key);
  await call.request.takeLimit(WRONG_PASSWORD, who);
  const response = await parts.pass(withJson(call, fields));
  if (response.status !== 401) await takeBack(call.ctx, `${WRONG_PASSWORD.policy}:${who}`);
  return response;
};

// Answered before anything is looked up, so that neither answer nor time tells whether there is such an account.
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
  return withoutTokens(await parts.pass(withJson(call, fields)));
};

// One that is taken is answered as one that is free, also when it is taken in the same moment.
export const changeEmail: AuthHandler = async (call, parts) => {
  try {
    return await parts.pass(withJson(call, pick(fieldsOf(withSafeReturns(call)), ['newEmail', 'callbackURL'])));
  } catch (error) {
    if (!call.ctx.store.dialect.isUniqueViolation(error)) throw error;
    return Response.json({ status: true });
  }
};

export const updateUser: AuthHandler = (call, parts) =>
  parts.pass(withJson(call, pick(fieldsOf(call), ['name', 'image'])));

export const deleteAccount: AuthHandler = async (call) => {
  const { ctx, session } = call;
  const userId = session?.userId ?? '';
  const password = textOf(call, 'password');
  if (password !== undefined) {
    const { isPasswordOf } = await import('../../accounts/auth/hashing.ts');
    if (!(await isPasswordOf(ctx, { userId, password }))) throw new ApiError('bad_request', 'the password is wrong');
  }
  await deleteUser(ctx, { userId });
  return endedSession(ctx, { success: true, message: 'User deleted' });
};

// Of a sign-in with another service, only the way there and back is offered.
export const signInSocial: AuthHandler = async (call, parts) => {
  const fields = fieldsOf(withSafeReturns(call));
  requireProvider(call.ctx, fields.provider);
  return parts.pass(withJson(call, pick(fields, ['provider', ...RETURNS, 'disableRedirect', 'oauth_query'])));
};

export const socialCallback: AuthHandler = (call, parts) => {
  requireProvider(call.ctx, call.path.split('/').at(-1));
  return parts.pass(call);
};

function requireProvider({ config }: Context, provider: unknown): void {
  if ((provider === 'github' || provider === 'google') && config.social[provider]) return;
  throw new ApiError('not_found', 'no such provider is configured');
}

export const pass: AuthHandler = (call, parts: AuthParts) => parts.pass(call);
export const passWithSafeReturns: AuthHandler = (call, parts) => parts.pass(withSafeReturns(call));
