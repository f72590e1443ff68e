// Who stands behind a Bearer value or a session cookie. A value is classified by its form before the database is asked
// anything.
import { type Context, queries } from '../context.ts';
import type { Caller } from '../contract/caller.ts';
import { hashOf, sameHash } from '../domain/secret-text.ts';
import type { ApiTokenRow } from '../store/schema/accounts.ts';
import { identifyApiKey, USER_KEY_PREFIX } from './api-keys/user-key.ts';
import { identifyAccessToken, looksLikeJwt } from './auth/access-token.ts';
import { hasSessionCookie, readSessionCookie, renewedCookie } from './auth/session-cookie.ts';
import { findSession, type LiveSession, needsRenewal, renewSession } from './auth/sessions.ts';
import { isActive, MACHINE_PREFIX, readMachineToken, tokenHolder } from './machine-token.ts';
import { createOperatorSessions, type OperatorSessions, ROOT } from './operator-sessions.ts';
import { createUseNotes, type UseNotes } from './use-notes.ts';

const NOBODY = hashOf('no token has this secret');

interface CookieCaller {
  caller: Caller;
  // The header that makes the browser hold the cookie longer; once a day while it is used.
  setCookie: string | null;
}

export interface Credentials {
  identify(bearer: string): Promise<Caller | null>;
  // `cookies` is the whole header.
  identifyCookie(cookies: string): Promise<CookieCaller | null>;
  // Whether there is a session in it, valid or not.
  hasSession(cookies: string): boolean;
  operators: OperatorSessions;
  // Waits for the notes of use that are still being written.
  settle(): Promise<void>;
}

export function createCredentials(ctx: Context, rootKey: string | null): Credentials {
  const rootHash = rootKey === null ? null : hashOf(rootKey);
  const use = createUseNotes(ctx);
  return {
    async identify(bearer) {
      if (rootHash !== null && sameHash(hashOf(bearer), rootHash)) return ROOT;
      if (bearer.startsWith(MACHINE_PREFIX)) return machineCaller(ctx, use, bearer);
      if (bearer.startsWith(USER_KEY_PREFIX)) return identifyApiKey(ctx, bearer, use);
      if (looksLikeJwt(bearer)) return identifyAccessToken(ctx, bearer, use);
      const session = await findSession(ctx, bearer);
      if (session === null) return null;
      noteSession(use, session, ctx.clock());
      return sessionCaller(session);
    },
    async identifyCookie(cookies) {
      const token = readSessionCookie(ctx, cookies);
      const session = token === null ? null : await findSession(ctx, token);
      if (session === null) return null;
      const renewed = noteSession(use, session, ctx.clock());
      return { caller: sessionCaller(session), setCookie: renewed ? renewedCookie(ctx, session.token) : null };
    },
    hasSession: (cookies) => hasSessionCookie(ctx, cookies),
    operators: createOperatorSessions(ctx, rootKey),
    settle: use.settle,
  };
}

async function machineCaller(ctx: Context, use: UseNotes, bearer: string): Promise<Caller | null> {
  const row = await verifyMachineToken(ctx, bearer);
  if (row === null) return null;
  use.note({
    key: row.id,
    lastUsedAt: row.last_used_at,
    write: (tx, at) => tx.updateTable('api_tokens').set({ last_used_at: at }).where('id', '=', row.id).execute(),
  });
  return tokenHolder(row);
}

async function verifyMachineToken(ctx: Context, bearer: string): Promise<ApiTokenRow | null> {
  const token = readMachineToken(bearer);
  if (token === null) return null;
  const row = await queries(ctx)
    .selectFrom('api_tokens')
    .selectAll()
    .where('lookup_id', '=', token.lookup)
    .executeTakeFirst();
  // An unknown token costs the same comparison as a known one.
  const matches = sameHash(hashOf(token.secret), row?.secret_hash ?? NOBODY);
  return row && matches && isActive(row, ctx.clock()) ? row : null;
}

export function sessionCaller({ id, userId, createdAt, expiresAt }: LiveSession): Caller {
  const account = { userId, id, grants: [], expiresAt, signedInAt: createdAt };
  return { kind: 'session', name: 'session', scope: 'read', tokenId: null, account, ip: '' };
}

// True when this use makes the session live longer.
function noteSession(use: UseNotes, session: LiveSession, at: Date): boolean {
  if (!needsRenewal(session, at)) return false;
  use.note({ key: session.id, lastUsedAt: null, write: (tx, now) => renewSession(tx, session.id, now) });
  return true;
}
