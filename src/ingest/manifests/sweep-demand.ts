// Checks the most requested domains every night: one that serves a manifest becomes a stub.
import { type Context, now, queries, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { stubFromDomain } from './stub-from-domain.ts';

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
