// What is stored of ranges of published versions: their ends, the pairs inside of them that were compared, and whether the
// comparison of both ends is wanted. All ranges of a call share two reads.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { type ComparedPackages, MAX_SHOWN_FINDINGS, type RangeEvidence } from '../../contract/evidence.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { parseJson } from '../../store/json-text.ts';
import type { EvidencePairRow, PairOutcome } from '../../store/schema/evidence.ts';
import { enqueueRanges } from './enqueue-pairs.ts';

// Versions of an npm package that the caller may see.
interface AskedRange {
  name: string;
  from: string;
  to: string;
}

export interface StoredPair extends Omit<ComparedPackages, 'status' | 'comparedAt'> {
  status: PairOutcome;
  comparedAt: string;
  reason: string | null;
  // No other version lies between the two.
  isStep: boolean;
}

// An end of a range as its registry lists it.
export interface RangeEnd {
  version: string;
  key: string;
  // The package can be downloaded and checked.
  isFetchable: boolean;
}

export interface StoredRange {
  name: string;
  // Null when the version is not listed.
  from: RangeEnd | null;
  to: RangeEnd | null;
  // Somebody wants to follow the package, so that it may be downloaded.
  isKnown: boolean;
  isOrdered: boolean;
  whole: StoredPair | null;
  // Pairs between versions of the range that are not its two ends.
  steps: StoredPair[];
}

export async function readRanges(ctx: Context, asked: readonly AskedRange[]): Promise<StoredRange[]> {
  const ends = await readEnds(ctx, asked);
  const open = ends.filter(isOpen);
  const pairs = Map.groupBy(await readPairs(ctx, open), ({ slot }) => slot);
  return ends.map((range) => {
    const stored = (pairs.get(open.indexOf(range as OpenRange)) ?? []).map(({ pair }) => pair);
    const isWhole = (pair: StoredPair) => pair.from === range.from?.version && pair.to === range.to?.version;
    return { ...range, whole: stored.find(isWhole) ?? null, steps: stored.filter((pair) => !isWhole(pair)) };
  });
}

type RangeEnds = Omit<StoredRange, 'whole' | 'steps'>;
type OpenRange = RangeEnds & { from: RangeEnd; to: RangeEnd };

function isOpen(range: RangeEnds): range is OpenRange {
  return range.from !== null && range.to !== null;
}

interface EndRow {
  slot: number;
  side: 'from' | 'to';
  version: string;
  version_sort: string;
  fetchable: number;
  known: number;
  ordered: number;
}

async function readEnds(ctx: Context, asked: readonly AskedRange[]): Promise<RangeEnds[]> {
  const bounds = asked.flatMap(({ name, from, to }, slot) => {
    const [lower, upper] = [readBound(from), readBound(to)];
    if (lower.key === null || upper.key === null) return [];
    return [
      { slot, side: 'from', name, key: lower.key, other: upper.key, text: lower.version },
      { slot, side: 'to', name, key: upper.key, other: lower.key, text: upper.version },
    ];
  });
  if (bounds.length === 0) return asked.map(({ name }) => withoutEnds(name));
  const values = bounds.map(
    ({ slot, side, name, key, other }) => sql`(${sql.lit(slot)}, ${sql.lit(side)}, ${name}, ${key}, ${other})`,
  );
  const { rows } = await sql<EndRow>`WITH asked (slot, side, name, key, other) AS (VALUES ${sql.join(values)})
    SELECT a.slot, a.side, v.version, v.version_sort,
      CASE WHEN v.tarball_url IS NOT NULL AND v.integrity IS NOT NULL THEN 1 ELSE 0 END AS fetchable,
      CASE WHEN s.next_read_at IS NOT NULL THEN 1 ELSE 0 END AS known,
      CASE WHEN a.side = 'from' AND EXISTS (SELECT 1 FROM evidence_orders o
        JOIN package_versions t ON t.ecosystem = 'npm' AND t.name = o.name AND t.version = o.to_version
        WHERE o.ecosystem = 'npm' AND o.name = a.name AND o.from_version = v.version AND t.version_sort = a.other)
        THEN 1 ELSE 0 END AS ordered
    FROM asked a
    JOIN package_versions v ON v.ecosystem = 'npm' AND v.name = a.name AND v.version_sort = a.key
    JOIN package_states s ON s.ecosystem = 'npm' AND s.name = a.name
    ORDER BY a.slot, a.side, v.version`.execute(queries(ctx));
  const bySlot = Map.groupBy(rows, ({ slot }) => Number(slot));
  return asked.map(({ name }, slot) => {
    const found = bySlot.get(slot) ?? [];
    const end = (side: 'from' | 'to') => {
      const text = bounds.find((bound) => bound.slot === slot && bound.side === side)?.text;
      const same = found.filter((row) => row.side === side);
      // Builds of one version share a key.
      const row = same.find(({ version }) => version === text) ?? same[0];
      return row ? { version: row.version, key: row.version_sort, isFetchable: Number(row.fetchable) === 1 } : null;
    };
    return {
      name,
      from: end('from'),
      to: end('to'),
      isKnown: found.some(({ known }) => Number(known) === 1),
      isOrdered: found.some(({ ordered }) => Number(ordered) === 1),
    };
  });
}

function withoutEnds(name: string): RangeEnds {
  return { name, from: null, to: null, isKnown: false, isOrdered: false };
}

interface SlottedPair {
  slot: number;
  pair: StoredPair;
}

type PairRow = EvidencePairRow & { slot: number; step: number };

// A result counts while both packages are still those that were compared.
async function readPairs(ctx: Context, ranges: readonly OpenRange[]): Promise<SlottedPair[]> {
  if (ranges.length === 0) return [];
  const values = ranges.map(({ name, from, to }, slot) => sql`(${sql.lit(slot)}, ${name}, ${from.key}, ${to.key})`);
  const { rows } = await sql<PairRow>`WITH asked (slot, name, after, up_to) AS (
      VALUES ${sql.join(values)})
    SELECT a.slot, p.from_version, p.to_version, p.status, p.types, p.findings, p.more, p.proven, p.likely, p.reason,
      p.compared_at,
      CASE WHEN EXISTS (SELECT 1 FROM package_versions m WHERE m.ecosystem = 'npm' AND m.name = a.name
        AND m.version_sort > f.version_sort AND m.version_sort < t.version_sort AND m.withdrawn = 0
        AND m.version NOT LIKE '%-%') THEN 0 ELSE 1 END AS step
    FROM asked a
    JOIN evidence_pairs p ON p.ecosystem = 'npm' AND p.name = a.name AND p.rules = ${sql.lit(RULES_VERSION)}
    JOIN package_versions f ON f.ecosystem = 'npm' AND f.name = a.name AND f.version = p.from_version
      AND f.integrity = p.from_integrity AND f.version_sort >= a.after
    JOIN package_versions t ON t.ecosystem = 'npm' AND t.name = a.name AND t.version = p.to_version
      AND t.integrity = p.to_integrity AND t.version_sort <= a.up_to
    ORDER BY a.slot, f.version_sort, t.version_sort, p.compared_at DESC, p.beside`.execute(queries(ctx));
  const newest = new Map<string, SlottedPair>();
  for (const row of rows) {
    const key = JSON.stringify([Number(row.slot), row.from_version, row.to_version]);
    if (!newest.has(key)) newest.set(key, { slot: Number(row.slot), pair: toStoredPair(row) });
  }
  return [...newest.values()];
}

function toStoredPair(row: PairRow): StoredPair {
  return {
    status: row.status,
    from: row.from_version,
    to: row.to_version,
    types: row.types,
    findings: parseJson(row.findings),
    more: row.more,
    counts: { proven: row.proven, likely: row.likely },
    comparedAt: row.compared_at,
    reason: row.reason,
    isStep: Number(row.step) === 1,
  };
}

// What the published packages themselves show of ranges of versions, from stored results. What is missing is ordered, as far
// as the caller may order it.

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
