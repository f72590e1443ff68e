// Nightly work on manifests, stubs and lookups, run by the clocks.

import { type Context, now, queries, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { purgeReadings } from '../../packages/readings/describe.ts';
import { withProofs } from '../adapters/probe.ts';
import type { ProvingContext } from '../adapters/proofs.ts';
import { purgeRemembered } from '../lookups/remembered.ts';
import { stubFromDomain } from './stub-from-domain.ts';
import { syncManifest } from './sync.ts';

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
  await purgeReadings(ctx);
  ctx.log.info({ demoted, sweep }, 'stubs tended');
}

const INTERVAL_MS = 7 * 24 * 3_600_000;
const ORGS_A_NIGHT = 250;
const AT_ONCE = 8;

// Orgs in the order of their last sync; never synced ones first.
export async function orgsDueForSync(ctx: Context, { limit = ORGS_A_NIGHT } = {}): Promise<string[]> {
  const before = new Date(ctx.clock().getTime() - INTERVAL_MS).toISOString();
  const rows = await queries(ctx)
    .selectFrom('orgs')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('domain', 'is not', null)
    .where('fetch_paused', '=', 0)
    .where((eb) => eb.or([eb('manifest_checked_at', 'is', null), eb('manifest_checked_at', '<=', before)]))
    .orderBy((eb) => eb.fn.coalesce('manifest_checked_at', eb.val('')))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

// Syncs several orgs at once, so that the round ends before morning; an error of one is logged and does not end it.
export async function syncDueManifests(
  ctx: ProvingContext,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  const due = await orgsDueForSync(ctx);
  let synced = 0;
  const work = async () => {
    for (let org = due.shift(); org !== undefined && !signal?.aborted; org = due.shift()) {
      if (await syncQuietly({ ...ctx, caller: SYSTEM }, org)) synced += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return synced;
}

async function syncQuietly(ctx: ProvingContext, org: string): Promise<boolean> {
  try {
    await syncManifest(ctx, { org });
    return true;
  } catch (error) {
    const busy = error instanceof ApiError && error.code === 'busy';
    if (!busy) ctx.log.error({ err: error, org }, 'manifest sync failed');
    return false;
  }
}

// Turns tracked orgs into stubs when no source reads them any more but they still declare locations. Returns their number.
// Paused sources count as active: a person may resume them.
export async function demoteOrgs(ctx: Context): Promise<number> {
  return transact(ctx, async ({ tx }) => {
    const rows = await tx
      .updateTable('orgs')
      .set({ status: 'stub', updated_at: now(ctx) })
      .where('status', '=', 'tracked')
      .where('deleted_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sources')
              .select('sources.id')
              .whereRef('sources.org_id', '=', 'orgs.id')
              .where('sources.deleted_at', 'is', null),
          ),
        ),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('release_locations')
            .select('release_locations.id')
            .whereRef('release_locations.org_id', '=', 'orgs.id')
            .where('release_locations.deleted_at', 'is', null),
        ),
      )
      .returning('id')
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await tx.updateTable('release_locations').set({ source_id: null }).where('org_id', 'in', ids).execute();
    return rows.length;
  });
}

// Checks the most requested domains every night: one that serves a manifest becomes a stub.

const DOMAINS_A_NIGHT = 100;
const DAY_MS = 24 * 3_600_000;
const AGAIN_DAYS = 7;
const FORGOTTEN_DAYS = 30;

interface DemandSweep {
  probed: number;
  created: number;
  forgotten: number;
}

export async function sweepDemand(ctx: Context, { signal }: { signal?: AbortSignal } = {}): Promise<DemandSweep> {
  const service = { ...ctx, caller: SYSTEM };
  const sweep: DemandSweep = { probed: 0, created: 0, forgotten: 0 };
  for (const domain of await wantedDomains(ctx)) {
    if (signal?.aborted) break;
    const { created } = await stubFromDomain(service, { domain });
    sweep.probed += 1;
    if (created) sweep.created += 1;
    await stamp(ctx, domain);
  }
  sweep.forgotten = await forget(ctx);
  return sweep;
}

async function wantedDomains(ctx: Context): Promise<string[]> {
  const rows = await queries(ctx)
    .selectFrom('domain_demand')
    .select('domain')
    // A domain that was requested once is checked once; then the row waits for removal.
    .where((eb) =>
      eb.or([
        eb('probed_at', 'is', null),
        eb.and([eb('probed_at', '<=', daysAgo(ctx, AGAIN_DAYS)), eb('hits', '>', 1)]),
      ]),
    )
    .orderBy('hits', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('domain')
    .limit(DOMAINS_A_NIGHT)
    .execute();
  return rows.map(({ domain }) => domain);
}

async function stamp(ctx: Context, domain: string): Promise<void> {
  const set = { probed_at: now(ctx) };
  await transact(
    ctx,
    ({ tx }) => tx.updateTable('domain_demand').set(set).where('domain', '=', domain).execute(),
    'bookkeeping',
  );
}

// Removes domains that were requested once and long ago, most likely by a typing mistake.
async function forget(ctx: Context): Promise<number> {
  const rows = await transact(
    ctx,
    ({ tx }) =>
      tx
        .deleteFrom('domain_demand')
        .where('hits', '=', 1)
        .where('probed_at', '<=', daysAgo(ctx, FORGOTTEN_DAYS))
        .returning('domain')
        .execute(),
    'bookkeeping',
  );
  return rows.length;
}

function daysAgo(ctx: Context, days: number): string {
  return new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
}
