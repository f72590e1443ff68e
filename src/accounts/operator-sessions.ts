// The operator's session in a browser: opened with a machine token or the root key, and never worth more than that.
import { createHmac } from 'node:crypto';
import { type Context, now, queries, transact } from '../context.ts';
import { type Caller, holdsScope } from '../contract/caller.ts';
import { hashOf, randomBase62, sameHash } from '../domain/secret-text.ts';
import { cookieNamed, isSecure } from './auth/session-cookie.ts';
import { isActive, tokenHolder } from './machine-token.ts';

const COOKIE = 'registry_operator';
// The session itself is sent to the operator area alone. This cookie, which opens nothing, tells the other pages that
// there is one, so that they can link to it.
const HINT = 'registry_operator_hint';
const LIFE_MS = 8 * 3_600_000;
const IDLE_MS = 3_600_000;
const NOTED_EVERY_MS = 60_000;
const ID_LENGTH = 43;

export const ROOT: Caller = { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' };

export interface OperatorSessions {
  // The Set-Cookie headers of a new session; null when the credential does not open the operator area.
  open(caller: Caller | null): Promise<string[] | null>;
  // `cookies` is the whole header.
  identify(cookies: string): Promise<Caller | null>;
  // The Set-Cookie headers that clear it.
  end(cookies: string): Promise<string[]>;
}

export function createOperatorSessions(ctx: Context, rootKey: string | null): OperatorSessions {
  return {
    async open(caller) {
      if (caller === null || caller.account || !holdsScope(caller, 'write')) return null;
      const id = randomBase62(ID_LENGTH, ctx.randomBytes);
      const at = now(ctx);
      const session = {
        id_hash: hashOf(id),
        token_id: caller.tokenId,
        root_fingerprint: caller.kind === 'root' && rootKey !== null ? fingerprint(rootKey, id) : null,
        created_at: at,
        last_used_at: at,
        expires_at: new Date(ctx.clock().getTime() + LIFE_MS).toISOString(),
      };
      await transact(ctx, ({ tx }) => tx.insertInto('operator_sessions').values(session).execute(), 'bookkeeping');
      return setCookies(ctx, id, LIFE_MS / 1000);
    },
    async identify(cookies) {
      const id = cookieNamed(cookies, COOKIE);
      if (id === null) return null;
      const session = await queries(ctx)
        .selectFrom('operator_sessions')
        .selectAll()
        .where('id_hash', '=', hashOf(id))
        .executeTakeFirst();
      const at = ctx.clock().getTime();
      if (!session || Date.parse(session.expires_at) <= at) return null;
      if (Date.parse(session.last_used_at) + IDLE_MS <= at) return null;
      const isRoot = rootKey !== null && sameHash(session.root_fingerprint ?? '', fingerprint(rootKey, id));
      const caller = session.token_id !== null ? await tokenCaller(ctx, session.token_id) : isRoot ? ROOT : null;
      if (caller === null) return null;
      if (at - Date.parse(session.last_used_at) >= NOTED_EVERY_MS) await noteUse(ctx, session.id_hash);
      return { ...caller, operatorSession: session.id_hash };
    },
    async end(cookies) {
      const id = cookieNamed(cookies, COOKIE);
      if (id !== null) {
        await transact(
          ctx,
          ({ tx }) => tx.deleteFrom('operator_sessions').where('id_hash', '=', hashOf(id)).execute(),
          'bookkeeping',
        );
      }
      return setCookies(ctx, '', 0);
    },
  };
}

// Another root key has another fingerprint. It also takes the id, which only the browser has, so that a copy of the
// database gives nothing to guess the key by.
function fingerprint(rootKey: string, id: string): string {
  return createHmac('sha256', rootKey).update(id).digest('hex');
}

// A token that was revoked or narrowed takes its sessions along.
async function tokenCaller(ctx: Context, tokenId: string): Promise<Caller | null> {
  const row = await queries(ctx).selectFrom('api_tokens').selectAll().where('id', '=', tokenId).executeTakeFirst();
  if (!row || !isActive(row, ctx.clock())) return null;
  const caller = tokenHolder(row);
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

function setCookies({ config }: Context, value: string, seconds: number): string[] {
  const secure = isSecure({ baseUrl: config.webUrl }) ? '; Secure' : '';
  const attributes = `HttpOnly${secure}; SameSite=Strict`;
  return [
    `${COOKIE}=${value}; Max-Age=${seconds}; Path=/admin; ${attributes}`,
    `${HINT}=${value === '' ? '' : '1'}; Max-Age=${seconds}; Path=/; ${attributes}`,
  ];
}

export function hintsAtOperator(cookies: string): boolean {
  return cookieNamed(cookies, HINT) === '1';
}
