import { type Context, now, transact } from '../../context.ts';
import { resolveSource, type SourcePath } from '../resolve.ts';

// Tells an external fetcher whether it has seen this page before; unless it only peeks, the hash is stored.
export async function compareContentHash(
  ctx: Context,
  path: SourcePath,
  input: { contentHash: string; peek: boolean },
): Promise<{ unchanged: boolean }> {
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, path);
    const unchanged = source.last_content_hash === input.contentHash;
    if (!unchanged && !input.peek) {
      await ctx.tx
        .updateTable('sources')
        .set({ last_content_hash: input.contentHash, updated_at: now(ctx) })
        .where('id', '=', source.id)
        .execute();
    }
    return { unchanged };
  });
}
