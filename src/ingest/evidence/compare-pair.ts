// Compares the two packages of an order: downloads them and what belongs beside them, and has them compared on a thread.

import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Needs } from '../../domain/evidence/beside.ts';
import type { Finding } from '../../domain/evidence/finding.ts';
import { type BesidePackage, type BesideSource, gatherBeside } from '../../domain/evidence/gather-beside.ts';
import type { ListedVersion } from '../../domain/published-package.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import { toJson } from '../../store/json-text.ts';
import type { EvidencePairRow, PairOutcome } from '../../store/schema/evidence.ts';
import { compareOnThread, describeOnThread, packedBeside } from '../../threads/evidence.ts';
import { REGISTRY_ADAPTERS } from '../registries/adapters.ts';
import { addressOf, type RegistryAddresses } from '../registries/addresses.ts';
import type { RegistryAddress } from '../registries/contract.ts';
import { fetchArchive, type ListedArchive } from './fetch-archive.ts';

export interface PairSide extends ListedArchive {
  version: string;
  publishedAt: string | null;
}

export interface PairInput {
  registry: RegistryAddress;
  old: PairSide;
  new: PairSide;
}

type PairResult = Pick<
  EvidencePairRow,
  'status' | 'types' | 'findings' | 'further' | 'more' | 'proven' | 'likely' | 'beside' | 'beside_names' | 'reason'
>;

// `later`: nothing can be said now, and the order stays.
export type PairEnd =
  | { kind: 'result'; result: PairResult }
  | { kind: 'later'; reason: string; retryAt: string | null };

export async function comparePair(ctx: Context, input: PairInput, tools: PairTools): Promise<PairEnd> {
  try {
    return await comparison(ctx, input, tools);
  } catch (error) {
    if (error instanceof NotNow) return { kind: 'later', reason: error.message, retryAt: error.retryAt };
    throw error;
  }
}

async function comparison(ctx: Context, { registry, ...sides }: PairInput, tools: PairTools): Promise<PairEnd> {
  const old = await described(ctx, tools, { registry, side: sides.old });
  if ('kind' in old) return old;
  const next = await described(ctx, tools, { registry, side: sides.new });
  if ('kind' in next) return next;
  const beside = await gatherBeside(besideSource(ctx, tools, registry), { old, next });
  const pair = {
    old: packedBeside(registry.ecosystem, old.archive, beside.old),
    next: packedBeside(registry.ecosystem, next.archive, beside.next),
  };
  const compared = await compareOnThread(pair, { signal: tools.signal, limitMs: ctx.config.evidence.limitMs });
  if (compared.kind === 'too_large') return withoutFindings('too_large', compared.reason);
  if (compared.kind === 'refused') return withoutFindings('not_available', compared.reason);
  const { findings, more, counts, types } = compared.evidence;
  const fetched = [beside.old, beside.next].flatMap((one) => [...(one.types ? [one.types] : []), ...one.dependencies]);
  return {
    kind: 'result',
    result: {
      status: types === 'none' ? 'no_types' : 'compared',
      types,
      ...storedFindings(findings),
      more,
      ...counts,
      beside: hashOf(fetched),
      beside_names: toJson([...new Set(fetched.map(({ name, version }) => `${name}@${version}`))]),
      reason: null,
    },
  };
}

interface DescribedSide {
  archive: Uint8Array;
  needs: Needs;
  publishedAt: string | null;
}

async function described(
  ctx: Context,
  { fetch, signal }: PairTools,
  { registry, side }: { registry: RegistryAddress; side: PairSide },
): Promise<DescribedSide | PairEnd> {
  const { version, publishedAt } = side;
  const own = await fetchArchive(fetch, { registry, archive: side, signal, now: ctx.clock() });
  if (own.kind === 'later') return own;
  if (own.kind === 'final') {
    return withoutFindings(own.isLarge ? 'too_large' : 'not_available', `${version}: ${own.reason}`);
  }
  const { needs, refused, isLarge } = await describeOnThread(
    { ecosystem: registry.ecosystem, archive: own.bytes },
    signal,
  );
  if (!needs) return withoutFindings(isLarge ? 'too_large' : 'not_available', `${version}: ${refused}`);
  return { archive: own.bytes, needs, publishedAt };
}

export function withoutFindings(status: PairOutcome, reason: string): PairEnd & { kind: 'result' } {
  const nothing = { ...storedFindings([]), more: 0, proven: 0, likely: 0, beside: '', beside_names: toJson([]) };
  return { kind: 'result', result: { status, types: null, ...nothing, reason } };
}

// Answers of many questions read the first alone.
const FIRST_FINDINGS = 200;

function storedFindings(findings: readonly Finding[]): Pick<EvidencePairRow, 'findings' | 'further'> {
  const further = findings.slice(FIRST_FINDINGS);
  return {
    findings: toJson(findings.slice(0, FIRST_FINDINGS)),
    further: further.length > 0 ? toJson(further) : null,
  };
}

function hashOf(beside: readonly BesidePackage[]): string {
  if (beside.length === 0) return '';
  const lines = [...new Set(beside.map(({ name, version, integrity }) => `${name}@${version} ${integrity}`))].sort();
  return createHash('sha256').update(lines.join('\n')).digest('base64url');
}

// What is asked of package registries about the packages that stand beside a compared one.

interface PairTools {
  fetch: GuardedFetch;
  signal: AbortSignal;
  addresses: RegistryAddresses;
  // Listings that this run has read.
  listings: Map<string, readonly ListedVersion[]>;
}

// Where dependencies and declarations of others come from: the registries that are known here.
function besideSource(ctx: Context, tools: PairTools, { ecosystem, scope }: RegistryAddress): BesideSource {
  const addressFor = (name: string) => addressOf(tools.addresses, { ecosystem, name, registry: null });
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
    describe: async (archive) => (await describeOnThread({ ecosystem, archive }, tools.signal)).needs ?? null,
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
  const request = { registry, spelling: name, validators: null, dated: async () => new Set<string>(), hasFacts: true };
  const answer = await REGISTRY_ADAPTERS[registry.ecosystem].listVersions({ fetch, now: ctx.clock(), signal }, request);
  if (answer.kind === 'failure' && PASSING.has(answer.outcome)) throw new NotNow(answer.reason, answer.retryAt);
  const versions = answer.kind === 'listing' ? answer.listing.versions : [];
  listings.set(name, versions);
  return versions;
}

// A registry cannot be asked now; what it would have said matters to the result.
class NotNow extends Error {
  readonly retryAt: string | null;

  constructor(reason: string, retryAt: string | null) {
    super(reason);
    this.retryAt = retryAt;
  }
}
