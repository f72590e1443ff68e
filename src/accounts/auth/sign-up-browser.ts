// The browser in which somebody signed up is signed in by the link that confirms the address. Whoever opens that link
// elsewhere may never have asked for the account, and only confirms the address.
import { type Context, transact } from '../../context.ts';
import { hashOf } from '../../domain/secret-text.ts';
import { COOKIE_PREFIX, cookieNamed, isSecure, readSessionCookie, sessionCookieName } from './session-cookie.ts';
import { findSession } from './sessions.ts';

// As long as the link works.
const SECONDS = 3600;
const NAME = `${COOKIE_PREFIX}_signup`;

export function signUpCookie({ config }: Context, email: string | null): string {
  const value = email === null ? '' : hashOf(email.trim().toLowerCase());
  const secure = isSecure(config) ? '; Secure' : '';
  return `${NAME}=${value}; Max-Age=${email === null ? 0 : SECONDS}; Path=/api/auth; HttpOnly${secure}; SameSite=Lax`;
}

export function isSignUpBrowser(cookies: string, email: string): boolean {
  return cookieNamed(cookies, NAME) === hashOf(email.trim().toLowerCase());
}

// Ends the session that these Set-Cookie headers would give.
export async function endGivenSession(ctx: Context, setCookies: readonly string[]): Promise<void> {
  const name = `${sessionCookieName(ctx.config)}=`;
  const cookie = setCookies.findLast((one) => one.startsWith(name))?.split(';', 1)[0];
  const token = cookie === undefined ? null : readSessionCookie(ctx, cookie);
  const session = token === null ? null : await findSession(ctx, token);
  if (session === null) return;
  await transact(ctx, ({ tx }) => tx.deleteFrom('sessions').where('id', '=', session.id).execute(), 'bookkeeping');
}
