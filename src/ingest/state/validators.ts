// ETags, dates and hashes that servers sent last time, so that unchanged documents are not sent again.
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import type { Validator } from '../adapters/contract.ts';

export async function readValidators(ctx: Context, sourceId: string): Promise<Validator[]> {
  const rows = await queries(ctx)
    .selectFrom('source_validators')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('endpoint')
    .execute();
  return rows.map((row) => ({
    endpoint: row.endpoint,
    etag: row.etag,
    lastModified: row.last_modified,
    contentHash: row.content_hash,
    tokenFingerprint: row.token_fingerprint,
  }));
}

export async function storeValidators(
  ctx: WriteContext,
  sourceId: string,
  validators: readonly Validator[],
): Promise<void> {
  for (const { endpoint, ...validator } of validators) {
    const columns = {
      etag: validator.etag,
      last_modified: validator.lastModified,
      content_hash: validator.contentHash,
      token_fingerprint: validator.tokenFingerprint,
      stored_at: now(ctx),
    };
    await ctx.tx
      .insertInto('source_validators')
      .values({ source_id: sourceId, endpoint, ...columns })
      .onConflict((conflict) => conflict.columns(['source_id', 'endpoint']).doUpdateSet(columns))
      .execute();
  }
}
