// Promotes a stub to a tracked org: its stored locations are checked and become sources.

import { now, transact, type WriteContext } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import type { PlanStep, Promotion } from '../../contract/manifest-sync.ts';
import { recordAudit } from '../../entities/audit.ts';
import { lockOrgs } from '../../entities/org-claims.ts';
import { resolveOrg } from '../../entities/resolve.ts';
import type { ProvingContext } from '../adapters/proofs.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import { applySurvey, planOf } from './apply.ts';
import { withClaim } from './claim.ts';
import { loadKnown } from './known.ts';
import { type Surveyed, survey, wantedByLocations } from './survey.ts';

export async function promoteStub(
  ctx: ProvingContext,
  input: { org: string; dryRun?: boolean | undefined },
): Promise<Promotion> {
  const { id, status } = await resolveOrg(ctx, input.org);
  if (status !== 'stub') return { ...NOTHING, alreadyTracked: true };
  requireNoTransaction(ctx);
  if (input.dryRun) {
    const known = await loadKnown(ctx, id);
    const plan = planOf(known, await survey(ctx.proofs, known, wantedByLocations(known.locations)));
    return { ...NOTHING, plan };
  }
  return withClaim(ctx, id, async () => {
    const known = await loadKnown(ctx, id);
    // Another promotion finished between the check and the claim.
    if (known.org.status !== 'stub') return { ...NOTHING, alreadyTracked: true };
    const surveyed = await survey(ctx.proofs, known, wantedByLocations(known.locations));
    return transact(ctx, (ctx) => track(ctx, id, surveyed));
  });
}

const NOTHING: Promotion = { promoted: false, sourcesCreated: 0, sourcesMatched: 0, locatorsStamped: 0 };

async function track(ctx: WriteContext, orgId: string, surveyed: readonly Surveyed[]): Promise<Promotion> {
  await lockOrgs(ctx);
  const known = await loadKnown(ctx, orgId);
  const plan = await applySurvey({ ...ctx, caller: SYSTEM }, { known, surveyed, productIds: [] });
  await ctx.tx
    .updateTable('orgs')
    .set({ status: 'tracked', tracking_requested_at: null, updated_at: now(ctx) })
    .where('id', '=', orgId)
    .execute();
  const count = (action: PlanStep['action']) => plan.filter((step) => step.action === action).length;
  const promotion: Promotion = {
    promoted: true,
    sourcesCreated: count('create'),
    sourcesMatched: count('match'),
    locatorsStamped: plan.filter(({ sourceId }) => sourceId !== undefined).length,
    plan,
  };
  await recordAudit(ctx, { action: 'org.promote', targetType: 'org', targetId: orgId, after: promotion });
  return promotion;
}
