import { type Context, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { recordAudit } from '../audit.ts';
import { changeListing } from './change-listing.ts';
import { findRelease } from './detail.ts';

interface Suppression {
  suppressed: boolean;
  reason?: string;
}

export async function suppressRelease(ctx: Context, id: string, suppression: Suppression): Promise<void> {
  await transact(ctx, async (inner) => {
    if (!(await findRelease(inner, id))) throw notFound('release', id);
    await suppressReleases(inner, [id], suppression);
  });
}

// Idempotent; unknown ids are passed over. Returns how many releases changed their state.
export async function suppressReleases(
  ctx: Context,
  ids: readonly string[],
  suppression: Suppression,
): Promise<number> {
  const { suppressed, reason } = suppression;
  return transact(ctx, async (inner) => {
    let updated = 0;
    for (const id of new Set(ids)) {
      const row = await findRelease(inner, id);
      if (!row || (row.suppressed === 1) === suppressed) continue;
      await changeListing(inner, id, {
        suppressed: suppressed ? 1 : 0,
        suppressed_reason: suppressed ? (reason ?? null) : null,
      });
      await recordAudit(inner, {
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
