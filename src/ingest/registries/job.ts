// Reads the packages of one registry that are due, some in a run, so that others who wait for the host get their turn.
import { type Context, now, transact } from '../../context.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';
import type { ClaimedJob, JobSurroundings } from '../queue/job.ts';
import { complete, confirmLease, handBack } from '../queue/lease.ts';
import { type RegistryAddresses, registryAddresses } from './addresses.ts';
import type { RegistryAddress } from './contract.ts';
import { ofRegistry, registryOfJob } from './due-packages.ts';
import { type PackageReading, readPackage } from './read-package.ts';

const MAX_IN_A_RUN = 50;
// A registry that fails for one package after the other is left alone for a while.
const FAILURES_IN_A_ROW = 3;
const PAUSE_MS = 10 * 60_000;
const OF_THE_REGISTRY: ReadonlySet<string> = new Set(['unreachable', 'refused']);

export async function runListings(ctx: Context, job: ClaimedJob, { signal }: JobSurroundings): Promise<void> {
  const { lease } = job;
  const addresses = await registryAddresses(ctx);
  const registry = addresses.known.get(registryOfJob(job.key));
  if (!registry) return transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
  // Somebody may have ordered the job at the moment in which it began to wait.
  const { until: rest } = job.payload;
  if (typeof rest === 'string' && rest > now(ctx)) {
    return transact(ctx, (ctx) => complete(ctx, lease, { dueAt: rest }), 'bookkeeping');
  }
  const due = await duePackages(ctx, { registry, addresses });
  let failures = 0;
  let until: string | null = null;
  for (const state of due) {
    const confirm = (ctx: Parameters<typeof confirmLease>[0]) => confirmLease(ctx, lease);
    const reading: PackageReading = await readPackage(ctx, { state, registry, signal, confirm });
    if (signal.aborted) return handBack(ctx, lease);
    failures = OF_THE_REGISTRY.has(reading.outcome) ? failures + 1 : 0;
    if (reading.outcome === 'rate_limited' || failures >= FAILURES_IN_A_ROW) {
      until = reading.retryAt ?? new Date(ctx.clock().getTime() + PAUSE_MS).toISOString();
      break;
    }
  }
  const left = until === null ? await duePackages(ctx, { registry, addresses }) : [];
  const more = left.length === 0 ? null : { dueAt: now(ctx), payload: {} };
  // The payload tells those who order a reading that the registry has to be left alone.
  const next = until === null ? more : { dueAt: until, payload: { until } };
  await transact(ctx, (ctx) => complete(ctx, lease, next), 'bookkeeping');
}

function duePackages(
  ctx: Context,
  { registry, addresses }: { registry: RegistryAddress; addresses: RegistryAddresses },
): Promise<PackageStateRow[]> {
  return ctx.store.read
    .selectFrom('package_states')
    .selectAll()
    .where('next_read_at', '<=', now(ctx))
    .where(ofRegistry(registry, addresses))
    .orderBy('next_read_at')
    .limit(MAX_IN_A_RUN)
    .execute();
}
