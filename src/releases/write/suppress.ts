import { type Context, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { recordAudit } from '../../entities/audit.ts';
import { findRelease } from '../detail.ts';
import { changeListing } from './change-listing.ts';

interface Suppression {
  suppressed: boolean;
  reason?: string;
}

export async function suppressRelease(ctx: Context, id: string, suppression: Suppression): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await findRelease(ctx, id))) throw notFound('release', id);
    await suppressReleases(ctx, [id], suppression);
  });
}

// Idempotent; unknown ids are ignored. Returns the number of changed releases.
export async function suppressReleases(
  ctx: Context,
  ids: readonly string[],
  suppression: Suppression,
): Promise<number> {
  const { suppressed, reason } = suppression;
  return transact(ctx, async (ctx) => {
    let updated = 0;
    for (const id of new Set(ids)) {
      const row = await findRelease(ctx, id);
      // What its source has withdrawn can still be hidden by an operator.
      if (!row || (suppressed ? row.suppressed_by === 'operator' : row.suppressed === 0)) continue;
      await changeListing(ctx, id, {
        suppressed: suppressed ? 1 : 0,
        suppressed_reason: suppressed ? (reason ?? null) : null,
        suppressed_by: suppressed ? 'operator' : null,
      });
      await recordAudit(ctx, {
        action: suppressed ? 'release.suppress' : 'release.unsuppress',
        targetType: 'release',
        targetId: id,
        after: { suppressed, reason },
      });
      updated += 1;
    }
    return updated;
  });
}
