// The browsers in which an account has signed in before. Somebody else's wrong passwords do not slow these down, so an
// owner cannot be locked out by them.
import { type Context, now, queries, transact } from '../../context.ts';
import { hashOf, randomBase62 } from '../../domain/secret-text.ts';
import { COOKIE_PREFIX, cookieNamed, isSecure, readSessionCookie, sessionCookieName } from './session-cookie.ts';
import { findSession } from './sessions.ts';

const ID = /^[0-9A-Za-z]{43}$/;
const ID_LENGTH = 43;
// The longest that browsers keep a cookie.
const COOKIE_SECONDS = 400 * 86_400;

// The hash of the device, when it has signed in to the account with this address; otherwise null.
export async function knownDevice(ctx: Context, { cookies, email }: { cookies: string; email: string }) {
  const id = deviceIn(ctx, cookies);
  if (id === null) return null;
  const row = await queries(ctx)
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('known_devices.device_hash')
    .where('known_devices.device_hash', '=', hashOf(id))
    .where('users.email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  return row?.device_hash ?? null;
}

// The account that is signed in by one of these Set-Cookie headers.
export async function accountGivenTo(ctx: Context, setCookies: readonly string[]): Promise<string | null> {
  const name = `${sessionCookieName(ctx.config)}=`;
  const session = setCookies.findLast((cookie) => cookie.startsWith(name))?.split(';', 1)[0];
  const token = session === undefined ? null : readSessionCookie(ctx, session);
  return token === null ? null : ((await findSession(ctx, token))?.userId ?? null);
}

// Returns the Set-Cookie header by which the browser is known again.
export async function rememberDevice(
  ctx: Context,
  { cookies, userId }: { cookies: string; userId: string },
): Promise<string> {
  const id = deviceIn(ctx, cookies) ?? randomBase62(ID_LENGTH, ctx.randomBytes);
  const device = { user_id: userId, device_hash: hashOf(id), last_used_at: now(ctx) };
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('known_devices')
        .values(device)
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'device_hash']).doUpdateSet({ last_used_at: device.last_used_at }),
        )
        .execute(),
    'bookkeeping',
  );
  return deviceCookie(ctx, id);
}

export async function forgetDevices(ctx: Context, { userId }: { userId: string }): Promise<void> {
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('known_devices').where('user_id', '=', userId).execute(),
    'bookkeeping',
  );
}

function cookieName(config: Context['config']): string {
  return `${isSecure(config) ? '__Secure-' : ''}${COOKIE_PREFIX}.device`;
}

function deviceIn({ config }: Context, cookies: string): string | null {
  const id = cookieNamed(cookies, cookieName(config));
  return id !== null && ID.test(id) ? id : null;
}

function deviceCookie({ config }: Context, id: string): string {
  const domain = config.cookieDomain ? `; Domain=${config.cookieDomain}` : '';
  const secure = isSecure(config) ? '; Secure' : '';
  return `${cookieName(config)}=${id}; Max-Age=${COOKIE_SECONDS}${domain}; Path=/; HttpOnly${secure}; SameSite=Lax`;
}
