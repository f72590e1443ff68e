// What is fetched beside a package: the declarations of one that has none, and packages whose names it exports on, with
// those whose names these export on. Their versions are those that an installation on the package's own day would have got.
import type { Context } from '../../context.ts';
import { type Needs, typesPackage, versionBeside } from '../../domain/evidence/beside.ts';
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

// What was fetched beside a package.
export interface Beside {
  name: string;
  version: string;
  integrity: string;
  archive: Uint8Array;
}

interface Wanted {
  name: string;
  range: string;
  publishedAt: string | null;
}

const MOST_BESIDE = 16;

export async function typesBeside(
  ctx: Context,
  tools: PairTools,
  { needs: { name, version, hasTypes }, publishedAt }: { needs: Needs; publishedAt: string | null },
): Promise<Beside | null> {
  if (hasTypes || name.startsWith('@types/')) return null;
  const range = `${/^\d+/.exec(version)?.[0] ?? '0'}.x`;
  return fetched(ctx, tools, { name: typesPackage(name), range, publishedAt });
}

export async function dependenciesBeside(
  ctx: Context,
  tools: PairTools,
  { needs, publishedAt }: { needs: Needs; publishedAt: string | null },
): Promise<Beside[]> {
  const waiting = [...needs.dependencies];
  const seen = new Set([needs.name]);
  const found: Beside[] = [];
  for (const { name, range } of waiting) {
    if (seen.has(name) || found.length >= MOST_BESIDE) continue;
    seen.add(name);
    const beside = await fetched(ctx, tools, { name, range, publishedAt });
    if (beside === null) continue;
    found.push(beside);
    const inside = await describeOnThread(beside.archive, tools.signal);
    waiting.push(...(inside.needs?.dependencies ?? []));
  }
  return found;
}

// What cannot be had counts as missing: names that may come from it are no findings.
async function fetched(ctx: Context, tools: PairTools, { name, range, publishedAt }: Wanted): Promise<Beside | null> {
  const registry = addressOf(tools.addresses, { ecosystem: 'npm', name, registry: null });
  if (registry === null) return null;
  const versions = await listed(ctx, tools, { registry, name });
  const chosen = versionBeside(versions, range, publishedAt) ?? versionBeside(versions, range, null);
  const { version, tarballUrl: url, integrity } = chosen ?? {};
  if (!version || !url || !integrity) return null;
  const { fetch, signal } = tools;
  const answer = await fetchArchive(fetch, { registry, archive: { url, integrity }, signal, now: ctx.clock() });
  if (answer.kind === 'later') throw new NotNow(answer.reason, answer.retryAt);
  return answer.kind === 'archive' ? { name, version, integrity, archive: answer.bytes } : null;
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
