// What the registry of a package says of it: the listing is read and stored, and with it the repository.
import { type Context, queries } from '../../context.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { packageKey } from '../../domain/published-package.ts';
import { toJson } from '../../store/json-text.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';
import type { Proof } from '../adapters/proofs.ts';
import { addressOf, registryAddresses } from '../registries/addresses.ts';
import { readPackage } from '../registries/read-package.ts';
import type { AskedPackage } from './asked.ts';

export async function describePackage(
  ctx: Context,
  asked: AskedPackage,
  signal?: AbortSignal,
): Promise<Proof<{ repository: string | null }>> {
  const stored = await stateOf(ctx, asked);
  // A listing of today is not asked for again.
  if (stored?.outcome === 'listed' && !mayReadAgain(stored.listed_at, ctx.clock())) return told(stored);
  const state = stored ?? unread(asked);
  const registry = addressOf(await registryAddresses(ctx), state);
  if (registry === null) return { verdict: 'refused', reason: 'the registry of its scope is not known any more' };
  const { outcome, reason } = await readPackage(ctx, { state, registry, ...(signal ? { signal } : {}) });
  if (outcome === 'not_found' || outcome === 'unpublished') return { verdict: 'refused', reason: outcome };
  const listed = outcome === 'listed' ? await stateOf(ctx, asked) : null;
  return listed ? told(listed) : { verdict: 'unreachable', reason: reason ?? outcome };
}

function told({ repository }: PackageStateRow): Proof<{ repository: string | null }> {
  return { verdict: 'proven', repository };
}

async function stateOf(ctx: Context, asked: AskedPackage): Promise<PackageStateRow | null> {
  const rows = queries(ctx).selectFrom('package_states').selectAll().where('id', '=', packageKey(asked));
  return (await rows.executeTakeFirst()) ?? null;
}

// Stored only with a listing, so that names which nobody has published leave nothing behind.
function unread(asked: AskedPackage): PackageStateRow {
  const { ecosystem, name, spelling } = asked;
  const nothing = {
    latest: null,
    facts: null,
    dist_tags: null,
    repository: null,
    homepage: null,
    listed_at: null,
    checked_at: null,
  };
  const unplanned = {
    reason: null,
    failing_since: null,
    next_read_at: null,
    wanted_at: null,
    validators: toJson(null),
  };
  return {
    id: packageKey(asked),
    ecosystem,
    name,
    spelling,
    registry: null,
    outcome: 'never_read',
    ...nothing,
    ...unplanned,
  };
}
