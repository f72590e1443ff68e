// What the published packages themselves show of ranges of versions, from stored results. What is missing is ordered, as far
// as the caller may order it.
import type { Context } from '../../context.ts';
import { type ComparedPackages, MAX_SHOWN_FINDINGS, type RangeEvidence } from '../../contract/evidence.ts';
import { enqueueRanges } from './enqueue-pairs.ts';
import { type AskedRange, readRanges, type StoredPair, type StoredRange } from './read-pairs.ts';

type EvidenceStatus = RangeEvidence['status'];

interface KnownRange extends StoredRange {
  status: EvidenceStatus;
}

const NO_COUNTS = { proven: 0, likely: 0 };

interface EvidenceOfRange {
  evidence: RangeEvidence;
  // By the version whose step from the one before was compared.
  byVersion: ReadonlyMap<string, RangeEvidence['counts']>;
}

export async function evidenceOfRanges(ctx: Context, asked: readonly AskedRange[]): Promise<EvidenceOfRange[]> {
  if (!ctx.config.evidence.on) {
    return asked.map(() => ({ evidence: { status: 'off', pairs: [], counts: NO_COUNTS }, byVersion: new Map() }));
  }
  return (await knownRanges(ctx, asked)).map(({ status, whole, steps }) => {
    const pairs = [...(whole ? [whole] : []), ...steps].filter(isCompared);
    const counts = whole !== null && isCompared(whole) ? whole.counts : mostOf(steps.filter(isCompared));
    const byVersion = pairs.filter(({ isStep }) => isStep).map((pair) => [pair.to, pair.counts] as const);
    return { evidence: { status, pairs: pairs.map(shortPair), counts }, byVersion: new Map(byVersion) };
  });
}

// The same for two versions, with all findings.
export async function compareVersions(ctx: Context, asked: AskedRange): Promise<ComparedPackages> {
  const nothing = { types: null, findings: [], more: 0, counts: NO_COUNTS, comparedAt: null };
  if (!ctx.config.evidence.on) return { status: 'off', from: asked.from, to: asked.to, ...nothing };
  const [range] = await knownRanges(ctx, [asked]);
  if (!range?.whole) {
    const ends = { from: range?.from?.version ?? asked.from, to: range?.to?.version ?? asked.to };
    return { status: range?.status ?? 'not_available', ...ends, ...nothing };
  }
  const { reason: _, isStep: __, ...pair } = range.whole;
  return { ...pair, status: range.status };
}

async function knownRanges(ctx: Context, asked: readonly AskedRange[]): Promise<KnownRange[]> {
  const ranges = await readRanges(ctx, asked);
  const ordered = await enqueueRanges(ctx, ranges).catch((err) => {
    ctx.log.warn({ err }, 'comparisons could not be ordered');
    return new Set<StoredRange>();
  });
  const known = ranges.map((range) => ({ ...range, status: statusOf(range, ordered.has(range)) }));
  // The next answer may have it, and a crawler's answer says nothing about what others may order.
  const isOpen = known.some(({ status }) => status === 'pending' || (status === 'not_ordered' && ctx.caller.passive));
  if (isOpen) ctx.answer.degraded = true;
  return known;
}

function statusOf({ from, to, whole, isOrdered }: StoredRange, isOrderedNow: boolean): EvidenceStatus {
  if (whole !== null && whole.status !== 'not_available') return whole.status;
  if (isOrdered || isOrderedNow) return 'pending';
  if (whole !== null || !from?.isFetchable || !to?.isFetchable) return 'not_available';
  return 'not_ordered';
}

function isCompared({ status }: StoredPair): boolean {
  return status === 'compared' || status === 'no_types';
}

function mostOf(pairs: readonly StoredPair[]): RangeEvidence['counts'] {
  return {
    proven: Math.max(0, ...pairs.map(({ counts }) => counts.proven)),
    likely: Math.max(0, ...pairs.map(({ counts }) => counts.likely)),
  };
}

function shortPair({ from, to, counts, findings }: StoredPair): RangeEvidence['pairs'][number] {
  return { from, to, counts, findings: findings.slice(0, MAX_SHOWN_FINDINGS) };
}
