// Reads what a registry lists of one package, and stores it: a whole listing, that nothing has changed, or why it failed.
import { sql } from 'kysely';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { nextListingRead } from '../../domain/fetching/listing-schedule.ts';
import type { ListingOutcome } from '../../domain/published-package.ts';
import { type StoredListing, storeListing } from '../../packages/listings/store-listing.ts';
import { parseJson } from '../../store/json-text.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';
import { REGISTRY_ADAPTERS } from './adapters.ts';
import type { ListingAnswer, ListingFailure, RegistryAddress } from './contract.ts';

export interface PackageReading {
  outcome: ListingOutcome;
  reason: string | null;
  retryAt: string | null;
  // Null when nothing was stored.
  stored: StoredListing | null;
}

interface ReadPackage {
  state: PackageStateRow;
  registry: RegistryAddress;
  signal?: AbortSignal;
  // Called in the transaction of the result, which it may undo.
  confirm?: (ctx: WriteContext) => Promise<unknown>;
}

export async function readPackage(
  ctx: Context,
  { state, registry, signal, confirm }: ReadPackage,
): Promise<PackageReading> {
  // Another registry than last time knows nothing of the validators.
  const isSame = state.registry === registry.scope && state.listed_at !== null;
  const answer = await REGISTRY_ADAPTERS[state.ecosystem].listVersions(
    { fetch: ctx.fetch, now: ctx.clock(), signal },
    {
      registry,
      spelling: state.spelling,
      validators: isSame ? parseJson(state.validators) : null,
      dated: () => datedVersions(ctx, state),
      hasFacts: state.facts !== null,
    },
  );
  // A worker that stops has broken the request off itself, which says nothing about the registry.
  if (signal?.aborted && answer.kind === 'failure') {
    return { outcome: state.outcome, reason: state.reason, retryAt: null, stored: null };
  }
  const work = async (ctx: WriteContext) => {
    await confirm?.(ctx);
    return store(ctx, { state, registry, answer });
  };
  return transact(ctx, work, answer.kind === 'listing' || answer.kind === 'unpublished' ? 'catalog' : 'derived');
}

async function datedVersions(ctx: Context, { ecosystem, name }: PackageStateRow): Promise<Set<string>> {
  const rows = await queries(ctx)
    .selectFrom('package_versions')
    .select('version')
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .where('published_at', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.version));
}

interface AnsweredPackage extends Pick<ReadPackage, 'state' | 'registry'> {
  answer: ListingAnswer;
}

async function store(ctx: WriteContext, { state, registry, answer }: AnsweredPackage): Promise<PackageReading> {
  if (answer.kind === 'failure') {
    // A name that was asked for in private is never asked for in public.
    if (state.registry === null && registry.scope !== null) await update(ctx, state, { registry: registry.scope });
    return storeFailure(ctx, state, answer);
  }
  if (answer.kind === 'unchanged') return confirmListing(ctx, state);
  const listing =
    answer.kind === 'listing'
      ? { ...answer.listing, ...(answer.described ? {} : { repository: state.repository, homepage: state.homepage }) }
      : { ...told(state), registry: registry.scope, latest: null, versions: [] };
  const [outcome, reason] =
    answer.kind === 'listing' ? (['listed', answer.remark] as const) : (['unpublished', null] as const);
  const validators = answer.kind === 'listing' ? answer.validators : null;
  const stored = await storeListing(ctx, listing, { validators, outcome, reason });
  await setNextRead(ctx, state, await nextRead(ctx, state, { outcome, failingSince: null, retryAt: null }));
  return { outcome, reason, retryAt: null, stored };
}

function told({ ecosystem, spelling, repository, homepage }: PackageStateRow) {
  return { ecosystem, spelling, repository, homepage };
}

// Columns that no cached answer shows are written apart from the others: most readings change nothing else.
async function confirmListing(ctx: WriteContext, state: PackageStateRow): Promise<PackageReading> {
  const at = now(ctx);
  const outcome = 'listed';
  const next = await nextRead(ctx, state, { outcome, failingSince: null, retryAt: null });
  await update(ctx, state, { listed_at: at, checked_at: at, next_read_at: next });
  const reason = state.failing_since === null ? state.reason : null;
  if (state.failing_since !== null) await update(ctx, state, { outcome, reason, failing_since: null });
  return { outcome, reason, retryAt: null, stored: null };
}

async function storeFailure(
  ctx: WriteContext,
  state: PackageStateRow,
  { outcome, reason, retryAt }: ListingFailure,
): Promise<PackageReading> {
  const failingSince = state.failing_since ?? now(ctx);
  const next = await nextRead(ctx, state, { outcome, failingSince, retryAt });
  await update(ctx, state, { checked_at: now(ctx), next_read_at: next });
  if (state.failing_since === null || state.outcome !== outcome || state.reason !== reason) {
    await update(ctx, state, { outcome, reason, failing_since: failingSince });
  }
  return { outcome, reason, retryAt, stored: null };
}

async function nextRead(
  ctx: WriteContext,
  { ecosystem, name }: PackageStateRow,
  reading: { outcome: ListingOutcome; failingSince: string | null; retryAt: string | null },
): Promise<string> {
  const { rows } = await sql<{ newest: string | null }>`SELECT MAX(published_at) AS newest FROM package_versions
    WHERE ecosystem = ${ecosystem} AND name = ${name}`.execute(ctx.tx);
  const [byte = 0] = ctx.randomBytes(1);
  return nextListingRead({ ...reading, at: ctx.clock(), newestAt: rows[0]?.newest ?? null, random: byte / 255 });
}

function setNextRead(ctx: WriteContext, state: PackageStateRow, next_read_at: string): Promise<void> {
  return update(ctx, state, { next_read_at });
}

async function update(ctx: WriteContext, { id }: PackageStateRow, columns: Partial<PackageStateRow>): Promise<void> {
  await ctx.tx.updateTable('package_states').set(columns).where('id', '=', id).execute();
}
