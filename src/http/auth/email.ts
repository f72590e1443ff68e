// Changes of the e-mail address: at once, or by a link to the new one, and back by a link to the former one.
import {
  awaitAddress,
  endAwaiting,
  isAwaited,
  noteAddressChange,
  undoAddressChange,
  undoLink,
} from '../../accounts/auth/address-changes.ts';
import { mailMessages } from '../../accounts/auth/mail.ts';
import { createResetLink } from '../../accounts/auth/reset-link.ts';
import { endGivenSession, isSignUpBrowser, signUpCookie } from '../../accounts/auth/sign-up-browser.ts';
import { findUser, findUserByEmail } from '../../accounts/auth/users.ts';
import { ApiError } from '../../contract/errors.ts';
import { isRecord } from '../../domain/records.ts';
import type { UserRow } from '../../store/schema/accounts.ts';
import { type AuthCall, fieldsOf, pick, textOf, withJson } from './call.ts';
import { requireOwner } from './own-password.ts';
import type { AuthHandler, AuthParts } from './route.ts';
import { withSafeReturns } from './safe-call.ts';
import { endedSession } from './sessions.ts';

export const changeEmail: AuthHandler = async (call, parts) => {
  await requireOwner(call);
  const { ctx, session } = call;
  const former = await findUser(ctx, session?.userId ?? '');
  const email = textOf(call, 'newEmail') ?? '';
  const response = await passChange(call, parts);
  if (former === null || response.status >= 400) return response;
  if (parts.mailer.available) await awaitAddress(ctx, { userId: former.id, email });
  await tellFormerAddress(call, parts, former);
  return response;
};

// A taken address gets the same answer as a free one, also when it is taken at the same moment.
async function passChange(call: AuthCall, parts: AuthParts): Promise<Response> {
  try {
    return await parts.pass(withJson(call, pick(fieldsOf(withSafeReturns(call)), ['newEmail', 'callbackURL'])));
  } catch (error) {
    if (!call.ctx.store.dialect.isUniqueViolation(error)) throw error;
    return Response.json({ status: true });
  }
}

// The link to a new address works once, and not after the change was taken back.
export const verifyEmail: AuthHandler = async (call, parts) => {
  const safe = withSafeReturns(call);
  const claimed = claimedChange(safe.query.get('token') ?? '');
  if (claimed === null) return inSignUpBrowser(call, await parts.pass(safe));
  const former = await findUserByEmail(call.ctx, claimed.from);
  const change = { userId: former?.id ?? '', email: claimed.to };
  if (former === null || !(await isAwaited(call.ctx, change))) {
    safe.query.set('token', 'used');
    return parts.pass(safe);
  }
  const response = await parts.pass(safe);
  if (await tellFormerAddress(call, parts, former)) await endAwaiting(call.ctx, change);
  return response;
};

async function inSignUpBrowser({ ctx, query, request }: AuthCall, response: Response): Promise<Response> {
  const given = response.headers.getSetCookie();
  if (given.length === 0) return response;
  const { email } = claimsOf(query.get('token') ?? '');
  const headers = new Headers(response.headers);
  if (typeof email === 'string' && isSignUpBrowser(request.headers.cookie ?? '', email)) {
    headers.append('Set-Cookie', signUpCookie(ctx, null));
  } else {
    await endGivenSession(ctx, given);
    headers.delete('Set-Cookie');
  }
  return new Response(response.body, { status: response.status, headers });
}

// The answer is sent before the account is looked up, so that it does not tell whether there is one.
export const sendVerification: AuthHandler = async (call, { mailer, background, pass }) => {
  if (!mailer.available) throw new ApiError('bad_request', 'this service sends no mail', { reason: 'no_mail' });
  const { email, callbackURL } = fieldsOf(withSafeReturns(call));
  if (typeof email !== 'string') throw new ApiError('bad_request', 'an e-mail address is needed', { field: 'email' });
  background.start(pass(withJson(call, pick({ email, callbackURL }, ['email', 'callbackURL']))));
  return Response.json({ status: true });
};

// The claims are read before the signature is checked, so they decide only what is asked for besides.
function claimsOf(token: string): { email?: unknown; updateTo?: unknown } {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}

function claimedChange(token: string): { from: string; to: string } | null {
  const { email, updateTo } = claimsOf(token);
  return typeof email === 'string' && typeof updateTo === 'string' ? { from: email, to: updateTo } : null;
}

// True when the address has changed.
async function tellFormerAddress(
  { ctx }: AuthCall,
  { mailer, background }: AuthParts,
  former: UserRow,
): Promise<boolean> {
  const user = await findUser(ctx, former.id);
  if (user === null || user.email === former.email) return false;
  if (!mailer.available) return true;
  const link = undoLink(ctx.config, await noteAddressChange(ctx, former));
  background.start(mailer.send(mailMessages(ctx.config).addressChanged(former.email, { to: user.email, link })));
  return true;
}

// Whoever opens the link reads mail to the former address, which is as much as a link to a new password takes.
export const undoChange: AuthHandler = async (call) => {
  const { ctx } = call;
  const undone = await undoAddressChange(ctx, textOf(call, 'token') ?? '');
  if (undone === null) {
    throw new ApiError('bad_request', 'the link has been used or is older than 7 days', { field: 'token' });
  }
  if (undone === 'taken') throw new ApiError('conflict', 'another account has this address now');
  const { userId, email } = undone;
  return endedSession(ctx, { status: true, email, resetUrl: await createResetLink(ctx, { userId }) });
};
