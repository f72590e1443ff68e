import { type Context, queries } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import type { CallerDescription } from '../contract/token.ts';
import { toTokenRow } from './token-row.ts';

// What a credential is, as its holder sees it.
export async function describeCaller(ctx: Context): Promise<CallerDescription> {
  if (ctx.caller.kind === 'root') {
    return {
      kind: 'root',
      name: ctx.caller.name,
      scopes: ['*'],
      principalType: null,
      principalId: null,
      userId: null,
      expiresAt: null,
      lastUsedAt: null,
    };
  }
  const row = ctx.caller.tokenId
    ? await queries(ctx).selectFrom('api_tokens').selectAll().where('id', '=', ctx.caller.tokenId).executeTakeFirst()
    : undefined;
  if (!row) throw new ApiError('unauthorized', 'a credential is needed');
  const { id, name, scopes, principalType, principalId, expiresAt, lastUsedAt } = toTokenRow(row, ctx.clock());
  return { kind: 'token', name, scopes, principalType, principalId, userId: null, tokenId: id, expiresAt, lastUsedAt };
}
