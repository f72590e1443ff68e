// What is asked of package registries about the packages that stand beside a compared one.
import type { Context } from '../../context.ts';
import type { BesideSource } from '../../domain/evidence/gather-beside.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import { describeOnThread } from '../../threads/evidence.ts';
import { addressOf } from '../registries/addresses.ts';
import type { RegistryAddress } from '../registries/contract.ts';
import { NPM } from '../registries/npm/index.ts';
import { fetchArchive } from './fetch-archive.ts';

export interface PairTools {
  fetch: GuardedFetch;
  signal: AbortSignal;
  addresses: ReadonlyMap<string, RegistryAddress>;
  // Listings that this run has read.
  listings: Map<string, readonly ListedVersion[]>;
}

// Where dependencies and declarations of others come from: the registries that are known here.
export function besideSource(ctx: Context, tools: PairTools, { scope }: RegistryAddress): BesideSource {
  const addressFor = (name: string) => addressOf(tools.addresses, { ecosystem: 'npm', name, registry: null });
  return {
    mayAskForTypes: scope === null,
    async versions(name) {
      const registry = addressFor(name);
      return registry === null ? [] : listed(ctx, tools, { registry, name });
    },
    async archive(name, { tarballUrl: url, integrity }) {
      const registry = addressFor(name);
      if (registry === null || !url || !integrity) return null;
      const { fetch, signal } = tools;
      const answer = await fetchArchive(fetch, { registry, archive: { url, integrity }, signal, now: ctx.clock() });
      if (answer.kind === 'later') throw new NotNow(answer.reason, answer.retryAt);
      return answer.kind === 'archive' ? answer.bytes : null;
    },
    describe: async (archive) => (await describeOnThread(archive, tools.signal)).needs ?? null,
  };
}

const PASSING: ReadonlySet<string> = new Set(['unreachable', 'rate_limited']);

async function listed(
  ctx: Context,
  { fetch, signal, listings }: PairTools,
  { registry, name }: { registry: RegistryAddress; name: string },
): Promise<readonly ListedVersion[]> {
  const known = listings.get(name);
  if (known) return known;
  const request = { registry, spelling: name, validators: null, dated: async () => new Set<string>() };
  const answer = await NPM.listVersions({ fetch, now: ctx.clock(), signal }, request);
  if (answer.kind === 'failure' && PASSING.has(answer.outcome)) throw new NotNow(answer.reason, answer.retryAt);
  const versions = answer.kind === 'listing' ? answer.listing.versions : [];
  listings.set(name, versions);
  return versions;
}

// A registry cannot be asked now; what it would have said matters to the result.
export class NotNow extends Error {
  readonly retryAt: string | null;

  constructor(reason: string, retryAt: string | null) {
    super(reason);
    this.retryAt = retryAt;
  }
}
