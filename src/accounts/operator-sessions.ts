// The operator's session in a browser: opened with a machine token or the root key, and never worth more than that.
import { type Context, now, queries, transact } from '../context.ts';
import { type Caller, holdsScope } from '../contract/caller.ts';
import { cookieNamed, isSecure } from './auth/session-cookie.ts';
import { highestScope } from './credentials.ts';
import { digest, isActive, randomBase62 } from './machine-token.ts';

const COOKIE = 'registry_operator';
const LIFE_MS = 8 * 3_600_000;
const IDLE_MS = 3_600_000;
const NOTED_EVERY_MS = 60_000;
const ID_LENGTH = 43;

// The Set-Cookie header of a new session; null when the credential does not open the operator area.
export async function openOperatorSession(ctx: Context, caller: Caller | null): Promise<string | null> {
  if (caller === null || caller.account || !holdsScope(caller, 'write')) return null;
  const id = randomBase62(ID_LENGTH, ctx.randomBytes);
  const at = now(ctx);
  const expires = new Date(ctx.clock().getTime() + LIFE_MS).toISOString();
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('operator_sessions')
        .values({
          id_hash: digest(id),
          token_id: caller.tokenId,
          created_at: at,
          last_used_at: at,
          expires_at: expires,
        })
        .execute(),
    'bookkeeping',
  );
  return setCookie(ctx, id, LIFE_MS / 1000);
}

// The Set-Cookie header that clears it.
export async function endOperatorSession(ctx: Context, cookies: string): Promise<string> {
  const id = cookieNamed(cookies, COOKIE);
  if (id !== null) {
    await transact(
      ctx,
      ({ tx }) => tx.deleteFrom('operator_sessions').where('id_hash', '=', digest(id)).execute(),
      'bookkeeping',
    );
  }
  return setCookie(ctx, '', 0);
}

export async function identifyOperator(ctx: Context, cookies: string): Promise<Caller | null> {
  const id = cookieNamed(cookies, COOKIE);
  if (id === null) return null;
  const session = await queries(ctx)
    .selectFrom('operator_sessions')
    .selectAll()
    .where('id_hash', '=', digest(id))
    .executeTakeFirst();
  const at = ctx.clock().getTime();
  if (!session || Date.parse(session.expires_at) <= at || Date.parse(session.last_used_at) + IDLE_MS <= at) return null;
  const caller = session.token_id === null ? ROOT : await tokenCaller(ctx, session.token_id);
  if (caller && at - Date.parse(session.last_used_at) >= NOTED_EVERY_MS) await noteUse(ctx, session.id_hash);
  return caller;
}

const ROOT: Caller = { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' };

// A token that was revoked or narrowed takes its sessions along.
async function tokenCaller(ctx: Context, tokenId: string): Promise<Caller | null> {
  const row = await queries(ctx).selectFrom('api_tokens').selectAll().where('id', '=', tokenId).executeTakeFirst();
  if (!row || !isActive(row, ctx.clock())) return null;
  const caller: Caller = { kind: 'token', name: row.name, scope: highestScope(row), tokenId, ip: '' };
  return holdsScope(caller, 'write') ? caller : null;
}

async function noteUse(ctx: Context, idHash: string): Promise<void> {
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('operator_sessions')
        .set({ last_used_at: now(ctx) })
        .where('id_hash', '=', idHash)
        .execute(),
    'bookkeeping',
  );
}

function setCookie({ config }: Context, value: string, seconds: number): string {
  const secure = isSecure({ baseUrl: config.webUrl }) ? '; Secure' : '';
  return `${COOKIE}=${value}; Max-Age=${seconds}; Path=/admin; HttpOnly${secure}; SameSite=Strict`;
}
