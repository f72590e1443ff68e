// Sign-up and sign-in, changes of the name, and the deletion of an account.

import { storedForm } from '../../accounts/auth/grants.ts';
import { knownDevice } from '../../accounts/auth/known-devices.ts';
import { deleteUser } from '../../accounts/auth/users.ts';
import { attemptKey, consumeSharedLimit, takeBack } from '../../accounts/limits.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { signInDelay } from '../../domain/sign-in-delay.ts';
import type { LimitPolicy } from '../kernel/limits.ts';
import { type AuthCall, fieldsOf, pick, withJson } from './call.ts';
import { fieldsIn } from './errors.ts';
import { requireOwner } from './own-password.ts';
import type { AuthHandler, AuthParts } from './route.ts';
import { RETURNS, requireOwnPage, requirePassword, withSafeReturns } from './safe-call.ts';
import { endedSession } from './sessions.ts';

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
    // When two sign-ups with the same address run at once, the second is repeated and gets the usual answer for a taken
    // address.
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
  const guess = await takeGuess(call, email);
  const response = await parts.pass(withJson(call, fields));
  if (response.status !== 401) await guess.giveBack();
  return response;
};

export const updateUser: AuthHandler = (call, parts) =>
  parts.pass(withJson(call, pick(fieldsOf(call), ['name', 'image'])));

export const deleteAccount: AuthHandler = async (call) => {
  await requireOwner(call);
  const { ctx, session } = call;
  await deleteUser(ctx, { userId: session?.userId ?? '' });
  return endedSession(ctx, { success: true, message: 'User deleted' });
};

// Only the fields of the redirect flow are passed on; the library would also accept a provider's token.
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

// How often a password may be tried. A guess is counted before it is checked, so that many at once do not pass
// together, and given back when it was right.

const WRONG_PASSWORD: LimitPolicy = { policy: 'sign-in', limit: 5, windowSeconds: 900 };
const DAY_SECONDS = 86_400;
// The guesses of a day are counted on beyond the number from which they are delayed, because the delay grows.
const MAX_COUNTED = 1_000_000;

interface TakenGuess {
  giveBack(): Promise<void>;
}

// A browser that has signed in to the account before is counted by itself: neither wrong passwords from its address nor
// those from all others slow it down.
async function takeGuess({ ctx, request }: AuthCall, email: string): Promise<TakenGuess> {
  const device = await knownDevice(ctx, { cookies: request.headers.cookie ?? '', email });
  const who = attemptKey(email, device === null ? request.client.key : `device:${device}`);
  await request.takeLimit(WRONG_PASSWORD, who);
  const pair = `${WRONG_PASSWORD.policy}:${who}`;
  if (device !== null) return { giveBack: () => takeBack(ctx, pair) };
  // By the address that was typed, whether it has an account or not.
  const account = storedForm(email.trim().toLowerCase());
  const day = `sign-in-account:${account}`;
  const giveBack = async () => {
    await takeBack(ctx, pair);
    await takeBack(ctx, day);
  };
  const { left } = await consumeSharedLimit(ctx, { key: day, limit: MAX_COUNTED, windowSeconds: DAY_SECONDS });
  const delay = signInDelay(MAX_COUNTED - left);
  if (delay === 0) return { giveBack };
  try {
    await request.takeLimit({ policy: 'sign-in-delay', limit: 1, windowSeconds: delay }, account);
  } catch (error) {
    await giveBack();
    throw error instanceof ApiError ? delayed(error) : error;
  }
  return { giveBack };
}

function delayed({ code, details, headers }: ApiError): ApiError {
  const seconds = headers['Retry-After'];
  return new ApiError(code, `many wrong passwords for this account today; try again in ${seconds} s`, details, headers);
}
