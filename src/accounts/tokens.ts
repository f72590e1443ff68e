// Machine tokens as an operator handles them.

import { type Context, now, queries, transact, type WriteContext } from '../context.ts';
import { type Caller, holdsScope, type Scope } from '../contract/caller.ts';
import { ApiError, badRequest, notFound, validationFailed } from '../contract/errors.ts';
import type { MintedToken, TokenChange, TokenCreation, TokenList, TokenRow } from '../contract/token.ts';
import { newId } from '../domain/ids.ts';
import { hashOf } from '../domain/secret-text.ts';
import { recordAudit } from '../entities/audit.ts';
import { resolveOrg, resolveProduct, resolveSource } from '../entities/resolve.ts';
import { toJson } from '../store/json-text.ts';
import type { ApiTokenRow } from '../store/schema/accounts.ts';
import { mintMachineToken, toTokenRow, writeMachineToken } from './machine-token.ts';

export async function createToken(ctx: Context, input: TokenCreation): Promise<MintedToken> {
  requireGrantable(ctx.caller, input.scopes);
  requireFuture(ctx, input.expiresAt);
  const bound = await findBound(ctx, input);
  requireFitting(input.scopes, bound !== null);
  return transact(ctx, async (ctx) => {
    const minted = mintMachineToken(ctx.randomBytes);
    const row: ApiTokenRow = {
      id: newId('tok', ctx.randomBytes),
      lookup_id: minted.lookup,
      secret_hash: hashOf(minted.secret),
      name: input.name,
      scopes: toJson(input.scopes),
      principal_type: input.principalType ?? 'internal',
      principal_id: input.principalId ?? null,
      revoked_at: null,
      expires_at: input.expiresAt ?? null,
      last_used_at: null,
      created_at: now(ctx),
      created_by: ctx.caller.name,
      bound_type: bound?.type ?? null,
      bound_id: bound?.id ?? null,
    };
    await ctx.tx.insertInto('api_tokens').values(row).execute();
    const shown = toTokenRow(row, ctx.clock());
    await recordAudit(ctx, { action: 'token.create', targetType: 'token', targetId: row.id, after: shown });
    return { ...shown, token: writeMachineToken(minted) };
  });
}

export async function listTokens(ctx: Context, input: { active?: boolean }): Promise<TokenList> {
  const rows = await queries(ctx)
    .selectFrom('api_tokens')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const tokens = rows.map((row) => toTokenRow(row, ctx.clock()));
  const { active } = input;
  return { tokens: active === undefined ? tokens : tokens.filter((token) => token.active === active) };
}

export async function getToken(ctx: Context, input: { id: string }): Promise<TokenRow> {
  return toTokenRow(await findToken(ctx, input.id), ctx.clock());
}

export async function updateToken(ctx: Context, input: { id: string; change: TokenChange }): Promise<TokenRow> {
  const { name, scopes, expiresAt } = input.change;
  if (name === undefined && scopes === undefined && expiresAt === undefined) {
    throw badRequest('body', 'name at least one of name, scopes, expiresAt');
  }
  if (scopes) requireGrantable(ctx.caller, scopes);
  requireFuture(ctx, expiresAt);
  return changeToken(ctx, {
    id: input.id,
    action: 'token.update',
    decide: (row) => {
      if (scopes) requireFitting(scopes, row.bound_type !== null);
      return {
        ...(name === undefined ? {} : { name }),
        ...(scopes === undefined ? {} : { scopes: toJson(scopes) }),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      };
    },
  });
}

export async function revokeToken(ctx: Context, input: { id: string }): Promise<TokenRow> {
  return changeToken(ctx, {
    id: input.id,
    action: 'token.revoke',
    decide: (row) => (row.revoked_at ? null : { revoked_at: now(ctx) }),
  });
}

function changeToken(
  ctx: Context,
  { id, action, decide }: { id: string; action: string; decide: (row: ApiTokenRow) => Partial<ApiTokenRow> | null },
): Promise<TokenRow> {
  return transact(ctx, async (ctx: WriteContext) => {
    await ctx.store.dialect.lock(ctx.tx, `token ${id}`);
    const row = await findToken(ctx, id);
    const change = decide(row);
    const before = toTokenRow(row, ctx.clock());
    if (change === null) return before;
    await ctx.tx.updateTable('api_tokens').set(change).where('id', '=', id).execute();
    const after = toTokenRow({ ...row, ...change }, ctx.clock());
    await recordAudit(ctx, { action, targetType: 'token', targetId: id, before, after });
    return after;
  });
}

async function findToken(ctx: Context, id: string): Promise<ApiTokenRow> {
  const row = await queries(ctx).selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('token', id);
  return row;
}

function requireGrantable(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !holdsScope(caller, scope));
  if (!missing) return;
  throw new ApiError('insufficient_scope', `a caller without ${missing} cannot give it away`, { required: missing });
}

// A scope for publishing alone has nowhere to publish without a bound, and no part of the registry is administered.
function requireFitting(scopes: readonly Scope[], isBound: boolean): void {
  if (!isBound && scopes.includes('publish')) {
    throw validationFailed([{ path: 'scopes', reason: 'publish needs org, product or source to be bound to' }]);
  }
  if (isBound && (scopes.includes('admin') || !scopes.some((scope) => scope !== 'read'))) {
    throw validationFailed([{ path: 'scopes', reason: 'a bound token has publish or write, and not admin' }]);
  }
}

async function findBound(
  ctx: Context,
  { org, product, source }: Pick<TokenCreation, 'org' | 'product' | 'source'>,
): Promise<{ type: NonNullable<ApiTokenRow['bound_type']>; id: string } | null> {
  const given = [org, product, source].filter((name) => name !== undefined);
  if (given.length > 1) throw badRequest('source', 'name one of org, product and source');
  if (org !== undefined) return { type: 'org', id: (await resolveOrg(ctx, org, { field: 'org' })).id };
  if (product !== undefined) {
    const [inOrg = '', slug] = product.split('/', 2);
    const path = slug === undefined ? { prod: product } : { org: inOrg, product: slug };
    return { type: 'product', id: (await resolveProduct(ctx, path, { field: 'product' })).product.id };
  }
  if (source === undefined) return null;
  return { type: 'source', id: (await resolveSource(ctx, { src: source }, { field: 'source' })).source.id };
}

function requireFuture(ctx: Context, expiresAt: string | null | undefined): void {
  if (!expiresAt || expiresAt > now(ctx)) return;
  throw validationFailed([{ path: 'expiresAt', reason: 'must be in the future' }]);
}
