// What the clocks run.
import type { Context } from '../../context.ts';
import { withProofs } from '../adapters/prove.ts';
import { purgeRemembered } from '../lookups/remembered.ts';
import { demoteOrgs } from './demote.ts';
import { syncDueManifests } from './due.ts';
import { sweepDemand } from './sweep-demand.ts';

// Daily at 06:00.
export async function syncManifestsNightly(ctx: Context, signal: AbortSignal): Promise<void> {
  const synced = await syncDueManifests(withProofs(ctx, signal), { signal });
  ctx.log.info({ synced }, 'manifests synced');
}

// Daily at 04:00.
export async function tendStubs(ctx: Context, signal: AbortSignal): Promise<void> {
  const demoted = await demoteOrgs(ctx);
  const sweep = ctx.config.demandSweep ? await sweepDemand(ctx, { signal }) : null;
  await purgeRemembered(ctx);
  ctx.log.info({ demoted, sweep }, 'stubs tended');
}
