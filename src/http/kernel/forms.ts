// Protection against cross-site requests: a request that is authenticated by a cookie must come from a trusted origin,
// and a form must carry a CSRF token that this service issued for the same session.
import type { IncomingHttpHeaders } from 'node:http';
import { formToken, isFormToken } from '../../accounts/auth/form-token.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';

export function requireTrustedOrigin(config: Pick<Config, 'trustedOrigins'>, headers: IncomingHttpHeaders): void {
  const origin = originOf(headers);
  if (origin !== null && config.trustedOrigins.includes(origin)) return;
  throw new ApiError('forbidden', 'the request comes from a page that is not trusted', { reason: 'origin' });
}

// The origin of the page that sent the request; `null` when the browser hides it.
export function originOf({ origin, referer }: IncomingHttpHeaders): string | null {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}

// The value of the hidden field `csrf` of a form that is sent to `action`.
export function csrfToken(ctx: Context, action: string): string {
  return formToken(ctx, { sessionId: sessionIdOf(ctx), form: action });
}

export function requireOwnForm(
  ctx: Context,
  { headers, target, form }: { headers: IncomingHttpHeaders; target: { path: string }; form: URLSearchParams },
): void {
  requireTrustedOrigin(ctx.config, headers);
  if (isFormToken(ctx, { sessionId: sessionIdOf(ctx), form: target.path }, form.get('csrf') ?? '')) return;
  throw new ApiError('forbidden', 'the form is too old or was not drawn here; load the page again', { reason: 'csrf' });
}

// Empty for a visitor who is not signed in.
function sessionIdOf({ caller }: Context): string {
  if (caller.kind === 'session') return caller.account?.id ?? '';
  return caller.operatorSession ?? '';
}

// No name, address, code or token contains a NUL, and PostgreSQL refuses it. Passwords may contain anything.
export function refuseNul(fields: readonly (readonly [string, unknown])[]): void {
  const odd = fields.find(([name, value]) => name.includes('\0') || (!/password/i.test(name) && holdsNul(value)));
  if (odd) throw new ApiError('bad_request', 'a NUL character stands where none can be');
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsNul);
}
