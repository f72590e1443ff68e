// Checks of a request before it is passed to the sign-in library, and the rewriting of unsafe fields.
import { nextPath } from '../../accounts/auth/next-path.ts';
import { passwordFault } from '../../accounts/auth/passwords.ts';
import { ApiError } from '../../contract/errors.ts';
import { originOf } from '../kernel/forms.ts';
import { type AuthCall, fieldsOf } from './call.ts';

export const RETURNS = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo'] as const;

// Return URLs are rewritten to paths of this service, so that sign-in cannot redirect to another site.
export function withSafeReturns(call: AuthCall): AuthCall {
  const { webUrl } = call.ctx.config;
  const fields = { ...fieldsOf(call) };
  const query = new URLSearchParams(call.query);
  for (const name of RETURNS) {
    if (fields[name] !== undefined) fields[name] = `${webUrl}${nextPath(pathHere(webUrl, fields[name]))}`;
    if (query.has(name)) query.set(name, `${webUrl}${nextPath(pathHere(webUrl, query.get(name)))}`);
  }
  return { ...call, query, body: call.body === null ? null : { json: fields } };
}

// Links in mails bear the whole address.
function pathHere(webUrl: string, wanted: unknown): unknown {
  return typeof wanted === 'string' && wanted.startsWith(`${webUrl}/`) ? wanted.slice(webUrl.length) : wanted;
}

// Without a session no cookie is at risk, but another site must not be able to sign a visitor in (login CSRF).
export function requireOwnPage({ ctx, request }: AuthCall): void {
  const origin = originOf(request.headers);
  if (origin === null || ctx.config.trustedOrigins.includes(origin)) return;
  throw new ApiError('forbidden', 'the request comes from a page that is not trusted', { reason: 'origin' });
}

export async function requirePassword(password: unknown, email: string | null): Promise<void> {
  const fault = await passwordFault(password, email);
  if (fault) throw new ApiError('bad_request', fault, { field: 'password' });
}
