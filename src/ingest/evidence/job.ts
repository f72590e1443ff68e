// Works on wanted pairs, one after the other, for some minutes. A result is stored together with the end of its order, so
// that a killed worker leaves nothing half; the volume is written down with each download.

import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import { enqueueNextOfRange } from '../../packages/evidence/enqueue-pairs.ts';
import { readRanges } from '../../packages/evidence/evidence-of-ranges.ts';
import { endOrder, postponeOrder, storePair } from '../../packages/evidence/store-pair.ts';
import { addVolume } from '../../packages/evidence/volume.ts';
import type { EvidenceOrderRow } from '../../store/schema/evidence.ts';
import type { PackageVersionRow } from '../../store/schema/packages.ts';
import type { ClaimedJob, JobLease, JobSurroundings } from '../queue/job.ts';
import { complete, confirmLease, handBack } from '../queue/lease.ts';
import { addressOf, type RegistryAddresses, registryAddresses } from '../registries/addresses.ts';
import { comparePair, type PairEnd, type PairInput, type PairSide, withoutFindings } from './compare-pair.ts';
import { nextOrder } from './orders.ts';

// Below the limit of a lease, with time for one slow pair.
const RUN_MS = 5 * 60_000;

export async function runEvidence(ctx: Context, job: ClaimedJob, { signal }: JobSurroundings): Promise<void> {
  const { lease } = job;
  const until = ctx.clock().getTime() + RUN_MS;
  const addresses = await registryAddresses(ctx);
  const listings = new Map<string, readonly ListedVersion[]>();
  let order = await nextOrder(ctx);
  let pauseUntil: string | null = null;
  while (order !== null && pauseUntil === null && ctx.clock().getTime() < until) {
    const end = await workOnOrder(ctx, order, { lease, signal, addresses, listings });
    if (signal.aborted) return handBack(ctx, lease);
    if (end?.kind === 'later') pauseUntil = end.retryAt;
    order = await nextOrder(ctx);
  }
  const dueAt = order === null ? null : (pauseUntil ?? now(ctx));
  await transact(ctx, (ctx) => complete(ctx, lease, dueAt === null ? null : { dueAt }), 'bookkeeping');
}

export interface OrderTools {
  lease: JobLease;
  signal: AbortSignal;
  addresses: RegistryAddresses;
  listings: Map<string, readonly ListedVersion[]>;
}

// Null when there was nothing to compare any more.
export async function workOnOrder(ctx: Context, order: EvidenceOrderRow, work: OrderTools): Promise<PairEnd | null> {
  const { lease, signal } = work;
  const input = await pairInput(ctx, order, work.addresses);
  const isStored = input !== null && (await isCompared(ctx, input));
  if (input === null || isStored) {
    await transact(ctx, (ctx) => ended(ctx, order, lease), 'bookkeeping');
    return null;
  }
  const meter = { bytes: 0 };
  const fetch = metered(ctx, order, meter);
  const end = await comparePair(ctx, input, { ...work, fetch }).catch((err): PairEnd => {
    if (!signal.aborted) ctx.log.error({ err, package: order.name }, 'two packages could not be compared');
    return { kind: 'later', reason: 'the comparison failed', retryAt: null };
  });
  if (signal.aborted) return end;
  if (end.kind === 'later' && order.attempts + 1 < MAX_ATTEMPTS) {
    await transact(ctx, (ctx) => postponed(ctx, order, lease, end), 'bookkeeping');
    return end;
  }
  const { result } = end.kind === 'result' ? end : withoutFindings('not_available', end.reason);
  await transact(
    ctx,
    async (ctx) => {
      await storePair(ctx, {
        ...result,
        from_integrity: input.old.integrity,
        to_integrity: input.new.integrity,
        rules: RULES_VERSION,
        ecosystem: order.ecosystem,
        name: order.name,
        from_version: order.from_version,
        to_version: order.to_version,
        bytes: meter.bytes,
        compared_at: now(ctx),
      });
      await addVolume(ctx, { bytes: 0, anonymous: false, pairs: 1 });
      await ended(ctx, order, lease);
    },
    'bookkeeping',
  );
  return end;
}

// Ends an order and asks for the pair that its range needs next.
async function ended(ctx: WriteContext, order: EvidenceOrderRow, lease: JobLease): Promise<void> {
  await confirmLease(ctx, lease);
  await endOrder(ctx, order);
  const { ecosystem, name, range_from: from, range_to: to } = order;
  const [range] = await readRanges(ctx, [{ ecosystem, name, from, to }]);
  if (range) await enqueueNextOfRange(ctx, order, range);
}

const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 10 * 60_000;

async function postponed(
  ctx: WriteContext,
  order: EvidenceOrderRow,
  lease: JobLease,
  { reason, retryAt }: PairEnd & { kind: 'later' },
): Promise<void> {
  await confirmLease(ctx, lease);
  const wait = new Date(ctx.clock().getTime() + FIRST_WAIT_MS * 2 ** order.attempts).toISOString();
  const due_at = retryAt !== null && retryAt > wait ? retryAt : wait;
  await postponeOrder(ctx, order, { attempts: order.attempts + 1, due_at, last_error: reason.slice(0, 300) });
}

// Null when a package is not known any more, or cannot be downloaded.
async function pairInput(
  ctx: Context,
  { ecosystem, name, from_version, to_version }: EvidenceOrderRow,
  addresses: OrderTools['addresses'],
): Promise<PairInput | null> {
  const state = await queries(ctx)
    .selectFrom('package_states')
    .select(['registry', 'next_read_at'])
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .executeTakeFirst();
  const registry = state && addressOf(addresses, { ecosystem, name, registry: state.registry });
  if (!state || state.next_read_at === null || !registry) return null;
  const rows = await queries(ctx)
    .selectFrom('package_versions')
    .selectAll()
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .where('version', 'in', [from_version, to_version])
    .execute();
  const side = (version: string) => sideOf(rows.find((row) => row.version === version));
  const [old, next] = [side(from_version), side(to_version)];
  return old && next ? { registry, old, new: next } : null;
}

function sideOf(row: PackageVersionRow | undefined): PairSide | null {
  if (!row?.tarball_url || !row.integrity) return null;
  return { version: row.version, publishedAt: row.published_at, url: row.tarball_url, integrity: row.integrity };
}

async function isCompared(ctx: Context, input: PairInput): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('evidence_pairs')
    .select('status')
    .where('from_integrity', '=', input.old.integrity)
    .where('to_integrity', '=', input.new.integrity)
    .where('rules', '=', RULES_VERSION)
    .where('status', '<>', 'not_available')
    .executeTakeFirst();
  return row !== undefined;
}

// Counts what every download has cost, whatever becomes of the pair.
function metered(ctx: Context, { anonymous }: EvidenceOrderRow, meter: { bytes: number }): GuardedFetch {
  return async (request) => {
    const result = await ctx.fetch(request);
    meter.bytes += result.bytes;
    const volume = { bytes: result.bytes, anonymous: anonymous === 1 };
    await transact(ctx, (ctx) => addVolume(ctx, volume), 'bookkeeping');
    return result;
  };
}
