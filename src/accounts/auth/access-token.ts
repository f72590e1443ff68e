// Access tokens of apps: signed, not stored. What can be judged without the database is judged first.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { type Context, queries } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import type { UseNotes } from '../use-notes.ts';
import { isRevokedApp, revokedAppId } from './apps.ts';

export const PUBLISHED_AFTER_MS = 86_400_000;
const LEEWAY_SECONDS = 30;
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const header = z.object({ alg: z.literal('EdDSA'), kid: z.string().min(1), typ: z.literal('at+jwt') });
const claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  sub: z.string(),
  azp: z.string(),
  scope: z.string(),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
  // The id of the grant in which the token was issued.
  gid: z.string(),
});

type Claims = z.output<typeof claims>;

export function issuerOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/api/auth`;
}

export function resourcesOf({ baseUrl }: Pick<Config, 'baseUrl'>): string[] {
  return [baseUrl, `${baseUrl}/mcp`];
}

export function looksLikeJwt(bearer: string): boolean {
  return FORM.test(bearer);
}

export async function identifyAccessToken(ctx: Context, bearer: string, use?: UseNotes): Promise<Caller | null> {
  const token = await verifiedClaims(ctx, bearer);
  if (token === null) return null;
  const row = await queries(ctx)
    .selectFrom('users')
    .innerJoin('oauth_clients', (join) => join.on('oauth_clients.client_id', '=', token.azp))
    .leftJoin('oauth_revoked_grants', (join) => join.on('oauth_revoked_grants.id', '=', token.gid))
    .leftJoin('oauth_revoked_grants as app', (join) =>
      join.on('app.id', '=', revokedAppId({ userId: token.sub, clientId: token.azp })),
    )
    .select(['users.disabled_at', 'oauth_clients.name', 'oauth_clients.disabled', 'oauth_clients.last_used_at'])
    .select(['oauth_revoked_grants.id as revoked', 'app.expires_at as appRevokedUntil'])
    .where('users.id', '=', token.sub)
    .executeTakeFirst();
  if (!row || row.disabled_at !== null || row.disabled === 1 || row.revoked !== null) return null;
  if (isRevokedApp(row.appRevokedUntil, token.iat)) return null;
  use?.note({
    key: `app ${token.azp}`,
    lastUsedAt: row.last_used_at,
    write: (tx, at) =>
      tx.updateTable('oauth_clients').set({ last_used_at: at }).where('client_id', '=', token.azp).execute(),
  });
  const expiresAt = new Date(token.exp * 1000).toISOString();
  const account = { userId: token.sub, id: null, grants: token.scope.split(' '), expiresAt };
  return { kind: 'oauth', name: row.name ?? token.azp, scope: 'read', tokenId: null, account, ip: '' };
}

// Null unless the token is ours, meant for us and not yet over.
async function verifiedClaims(ctx: Context, bearer: string): Promise<Claims | null> {
  const [head = '', body = '', signature = ''] = bearer.split('.');
  const { data: top } = header.safeParse(decoded(head));
  const { data: token } = claims.safeParse(decoded(body));
  if (!top || !token || !isForUs(ctx.config, token)) return null;
  if (token.exp + LEEWAY_SECONDS <= ctx.clock().getTime() / 1000) return null;
  const key = await publicKey(ctx, top.kid);
  const signed = Buffer.from(`${head}.${body}`);
  return key && verify(null, signed, key, Buffer.from(signature, 'base64url')) ? token : null;
}

function isForUs(config: Config, { iss, aud }: Claims): boolean {
  const allowed = resourcesOf(config);
  const named = Array.isArray(aud) ? aud : [aud];
  return iss === issuerOf(config) && named.some((audience) => allowed.includes(audience.replace(/\/$/, '')));
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

// A key verifies signatures as long as it is published.
async function publicKey(ctx: Context, kid: string): Promise<KeyObject | null> {
  const row = await queries(ctx)
    .selectFrom('jwks')
    .select(['public_key', 'expires_at'])
    .where('id', '=', kid)
    .executeTakeFirst();
  if (!row) return null;
  const over = row.expires_at !== null && Date.parse(row.expires_at) + PUBLISHED_AFTER_MS <= ctx.clock().getTime();
  return over ? null : createPublicKey({ key: JSON.parse(row.public_key), format: 'jwk' });
}
