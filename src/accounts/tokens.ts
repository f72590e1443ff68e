// Machine tokens as an operator handles them.
import { recordAudit } from '../catalog/audit.ts';
import { type Context, now, queries, transact, type WriteContext } from '../context.ts';
import { type Caller, holdsScope, type Scope } from '../contract/caller.ts';
import { ApiError, badRequest, notFound, validationFailed } from '../contract/errors.ts';
import type { MintedToken, TokenChange, TokenCreation, TokenList, TokenRow } from '../contract/token.ts';
import { newId } from '../domain/ids.ts';
import { toJson } from '../store/json-text.ts';
import type { ApiTokenRow } from '../store/schema/accounts.ts';
import { hashOf, mintMachineToken, toTokenRow, writeMachineToken } from './machine-token.ts';

export async function createToken(ctx: Context, input: TokenCreation): Promise<MintedToken> {
  requireGrantable(ctx.caller, input.scopes);
  requireFuture(ctx, input.expiresAt);
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
    decide: () => ({
      ...(name === undefined ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes: toJson(scopes) }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    }),
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

function requireFuture(ctx: Context, expiresAt: string | null | undefined): void {
  if (!expiresAt || expiresAt > now(ctx)) return;
  throw validationFailed([{ path: 'expiresAt', reason: 'must be in the future' }]);
}
