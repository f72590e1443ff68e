// Sessions as everything but the sign-in library sees them: looked up in the database every time, so that a session that
// was ended ends at once.
import { type Context, queries } from '../../context.ts';
import { hashOf } from '../../domain/secret-text.ts';
import type { Tx } from '../../store/schema/index.ts';

export const SESSION_SECONDS = 7 * 86_400;
export const RENEWED_EVERY_SECONDS = 86_400;
// Longer than any token of the library; longer values are not looked up.
const MAX_TOKEN_LENGTH = 128;

export interface LiveSession {
  id: string;
  token: string;
  userId: string;
  createdAt: string;
  expiresAt: string;
}

export async function findSession(ctx: Context, token: string): Promise<LiveSession | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const row = await queries(ctx)
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.created_at', 'sessions.expires_at', 'users.disabled_at'])
    .where('sessions.token', '=', hashOf(token))
    .executeTakeFirst();
  if (!row || row.disabled_at !== null || row.expires_at <= ctx.clock().toISOString()) return null;
  return { id: row.id, token, userId: row.user_id, createdAt: row.created_at, expiresAt: row.expires_at };
}

export function needsRenewal({ expiresAt }: LiveSession, at: Date): boolean {
  const left = Date.parse(expiresAt) - at.getTime();
  return left <= (SESSION_SECONDS - RENEWED_EVERY_SECONDS) * 1000;
}

export async function renewSession(tx: Tx, id: string, at: string): Promise<void> {
  const expires = new Date(Date.parse(at) + SESSION_SECONDS * 1000).toISOString();
  await tx.updateTable('sessions').set({ expires_at: expires, updated_at: at }).where('id', '=', id).execute();
}
