// Suppresses or erases all releases of a source.
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { recordAudit } from '../../entities/audit.ts';
import { resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { changeListing } from './change-listing.ts';
import { refreshCoverageCounts } from './coverage-count.ts';
import { unindexReleases } from './full-text.ts';
import { relistSources } from './relist.ts';

type Cleared = { suppressed: number } | { deleted: number; hard: true };

export async function clearSource(
  ctx: Context,
  path: SourcePath,
  input: { hard: boolean; reason?: string },
): Promise<Cleared> {
  if (input.hard && !holdsScope(ctx.caller, 'admin')) {
    throw new ApiError('insufficient_scope', 'deleting for good needs the scope admin', { required: 'admin' });
  }
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, path);
    const result: Cleared = input.hard
      ? { deleted: await eraseReleases(ctx, source.id), hard: true }
      : { suppressed: await suppressAll(ctx, source.id, input.reason ?? null) };
    await relistSources(ctx, [source.id]);
    await recordAudit(ctx, {
      action: input.hard ? 'source.erase_releases' : 'source.suppress_releases',
      targetType: 'source',
      targetId: source.id,
      after: result,
    });
    return result;
  });
}

async function suppressAll(ctx: WriteContext, sourceId: string, reason: string | null): Promise<number> {
  await unindexReleases(ctx, sourceId);
  const { numUpdatedRows } = await ctx.tx
    .updateTable('releases')
    .set({ suppressed: 1, suppressed_reason: reason, suppressed_by: 'operator' })
    .where('source_id', '=', sourceId)
    .where((eb) => eb.or([eb('suppressed', '=', 0), eb('suppressed_by', '=', 'source')]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function eraseReleases(ctx: WriteContext, sourceId: string): Promise<number> {
  const links = await ctx.tx
    .selectFrom('release_coverage as l')
    .innerJoin('releases as mine', (join) =>
      join.on((eb) =>
        eb.or([eb('mine.id', '=', eb.ref('l.coverage_id')), eb('mine.id', '=', eb.ref('l.canonical_id'))]),
      ),
    )
    .select(['l.coverage_id', 'l.canonical_id'])
    .where('mine.source_id', '=', sourceId)
    .execute();
  await unindexReleases(ctx, sourceId);
  await ctx.tx
    .insertInto('deleted_releases')
    .columns(['source_id', 'identity_key', 'deleted_at'])
    .expression((eb) =>
      eb
        .selectFrom('releases')
        .select(['source_id', 'identity_key'])
        .select(eb.val(now(ctx)).as('deleted_at'))
        .where('source_id', '=', sourceId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { numDeletedRows } = await ctx.tx.deleteFrom('releases').where('source_id', '=', sourceId).executeTakeFirst();
  // A release that was coverage of an erased one is listed again.
  for (const link of links) await changeListing(ctx, link.coverage_id, { coverage_of: null });
  await refreshCoverageCounts(ctx, { ids: links.map((link) => link.canonical_id) });
  return Number(numDeletedRows);
}
