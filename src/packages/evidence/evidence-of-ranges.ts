// What is stored of ranges of published versions: their ends, the pairs inside of them that were compared, and whether the
// comparison of both ends is wanted. All ranges of a call share their reads.

import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { type ComparedPackages, MAX_SHOWN_FINDINGS, type RangeEvidence } from '../../contract/evidence.ts';
import type { Ecosystem, PackageName } from '../../domain/ecosystems/index.ts';
import { withRoads } from '../../domain/evidence/roads.ts';
import { onceEach } from '../../domain/once-each.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import type { EvidenceOrderRow } from '../../store/schema/evidence.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { enqueueRanges } from './enqueue-pairs.ts';
import { type AskedSpan, type KnownPair, type PairsOfSpan, pairsOfSpans, type StoredPair } from './package-pairs.ts';

// Versions of a package that the caller may see.
interface AskedRange {
  ecosystem: Ecosystem;
  name: string;
  from: string;
  to: string;
}

// An end of a range as its registry lists it.
interface RangeEnd {
  version: string;
  key: string;
  // The package can be downloaded and checked.
  isFetchable: boolean;
}

export interface StoredRange extends PairsOfSpan {
  ecosystem: Ecosystem;
  name: string;
  // Null when the version is not listed.
  from: RangeEnd | null;
  to: RangeEnd | null;
  // Somebody wants to follow the package, so that it may be downloaded.
  isKnown: boolean;
  isOrdered: boolean;
}

// Equal ranges are one.
export function readRanges(
  ctx: Context,
  asked: readonly AskedRange[],
  options: AskedFindings = {},
): Promise<StoredRange[]> {
  return onceEach(asked, (distinct) => readDistinct(ctx, distinct, options));
}

interface AskedFindings {
  // Every finding instead of the first ones.
  all?: boolean;
}

async function readDistinct(
  ctx: Context,
  asked: readonly AskedRange[],
  options: AskedFindings,
): Promise<StoredRange[]> {
  const ends = await readEnds(ctx, asked);
  const open = ends.filter(isOpen);
  const spans = open.map(({ ecosystem, name, from, to }) => {
    return { ecosystem, name, lowest: from.key, highest: to.key, from: from.version, to: to.version };
  });
  const ordered = await orderedSpans(ctx, spans);
  const pairs = await pairsOfSpans(ctx, spans, options);
  const found = new Map(
    open.map((range, slot) => [range as RangeEnds, { ...elementAt(pairs, slot), isOrdered: ordered.has(slot) }]),
  );
  return ends.map((range) => ({ ...range, ...(found.get(range) ?? NOTHING_STORED) }));
}

const NOTHING_STORED = { whole: null, steps: [], told: [], versions: null, isOrdered: false };

// Those of which the comparison of both ends is wanted already.
async function orderedSpans(ctx: Context, spans: readonly AskedSpan[]): Promise<Set<number>> {
  if (spans.length === 0) return new Set();
  const values = spans.map(({ ecosystem, name, from, to }) => [ecosystem, name, from, to]);
  const { rows } = await sql<Pick<EvidenceOrderRow, 'ecosystem' | 'name' | 'from_version' | 'to_version'>>`
    SELECT o.ecosystem, o.name, o.from_version, o.to_version
    FROM ${ctx.store.dialect.textRows(values, 'k')} CROSS JOIN evidence_orders o
    WHERE o.ecosystem = k.v0 AND o.name = k.v1 AND o.from_version = k.v2 AND o.to_version = k.v3`.execute(queries(ctx));
  const ordered = new Set(
    rows.map(({ ecosystem, name, from_version, to_version }) => [ecosystem, name, from_version, to_version].join('\n')),
  );
  return new Set([...values.keys()].filter((slot) => ordered.has((values[slot] ?? []).join('\n'))));
}

type RangeEnds = Omit<StoredRange, keyof PairsOfSpan | 'isOrdered'>;
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
}

async function readEnds(ctx: Context, asked: readonly AskedRange[]): Promise<RangeEnds[]> {
  const bounds = asked.flatMap(({ ecosystem, name, from, to }, slot) => {
    const [lower, upper] = [readBound(from), readBound(to)];
    if (lower.key === null || upper.key === null) return [];
    return [
      { slot, side: 'from', ecosystem, name, key: lower.key, text: lower.version },
      { slot, side: 'to', ecosystem, name, key: upper.key, text: upper.version },
    ];
  });
  if (bounds.length === 0) return asked.map(withoutEnds);
  const values = bounds.map(
    ({ slot, side, ecosystem, name, key }) =>
      sql`(${sql.lit(slot)}, ${sql.lit(side)}, ${sql.lit(ecosystem)}, ${name}, ${key})`,
  );
  const { rows } = await sql<EndRow>`WITH asked (slot, side, ecosystem, name, key) AS (VALUES ${sql.join(values)})
    SELECT a.slot, a.side, v.version, v.version_sort,
      CASE WHEN v.tarball_url IS NOT NULL AND v.integrity IS NOT NULL THEN 1 ELSE 0 END AS fetchable,
      CASE WHEN s.next_read_at IS NOT NULL THEN 1 ELSE 0 END AS known
    FROM asked a CROSS JOIN package_versions v CROSS JOIN package_states s
    WHERE v.ecosystem = a.ecosystem AND v.name = a.name AND v.version_sort = a.key
      AND s.ecosystem = a.ecosystem AND s.name = a.name
    ORDER BY a.slot, a.side, v.version`.execute(queries(ctx));
  const bySlot = Map.groupBy(rows, ({ slot }) => Number(slot));
  return asked.map(({ ecosystem, name }, slot) => {
    const found = bySlot.get(slot) ?? [];
    const end = (side: 'from' | 'to') => {
      const text = bounds.find((bound) => bound.slot === slot && bound.side === side)?.text;
      const same = found.filter((row) => row.side === side);
      // Builds of one version share a key.
      const row = same.find(({ version }) => version === text) ?? same[0];
      return row ? { version: row.version, key: row.version_sort, isFetchable: Number(row.fetchable) === 1 } : null;
    };
    return {
      ecosystem,
      name,
      from: end('from'),
      to: end('to'),
      isKnown: found.some(({ known }) => Number(known) === 1),
    };
  });
}

function withoutEnds({ ecosystem, name }: PackageName): RangeEnds {
  return { ecosystem, name, from: null, to: null, isKnown: false };
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
  // The same pairs, with what tells whether other versions lie between.
  compared: readonly (RangeEvidence['pairs'][number] & Pick<StoredPair, 'isStep'>)[];
  // All pairs of the range that are stored, told or not.
  known: readonly KnownPair[];
}

export async function evidenceOfRanges(
  ctx: Context,
  asked: readonly AskedRange[],
  options: AskedFindings = {},
): Promise<EvidenceOfRange[]> {
  if (!ctx.config.evidence.on) {
    return asked.map(() => ({
      evidence: { status: 'off', pairs: [], counts: NO_COUNTS },
      compared: [],
      known: [],
    }));
  }
  const found: EvidenceOfRange[] = [];
  for (const range of await knownRanges(ctx, asked, options)) {
    await endLongTurn();
    found.push(evidenceOf(range, options));
  }
  return found;
}

function evidenceOf({ status, whole, steps, told }: KnownRange, { all }: AskedFindings): EvidenceOfRange {
  const pairs = [...(whole ? [whole] : []), ...told].filter(isCompared);
  const short = pairs.map((pair) => shownPair(pair, all ? Number.POSITIVE_INFINITY : MAX_SHOWN_FINDINGS));
  const counts = whole !== null && isCompared(whole) ? whole.counts : mostOf(steps);
  return {
    evidence: { status, pairs: short, counts },
    compared: pairs.map(({ isStep }, slot) => ({ ...elementAt(short, slot), isStep })),
    known: whole === null ? steps : [whole, ...steps],
  };
}

// The counts of the versions whose step from the one before was compared.
export function countsByVersion(known: readonly KnownPair[]): Map<string, RangeEvidence['counts']> {
  const steps = known.filter((pair) => pair.isStep && isCompared(pair));
  return new Map(steps.map(({ to, counts }) => [to, counts]));
}

// The same for two versions, with all findings.
export async function compareVersions(ctx: Context, asked: AskedRange): Promise<ComparedPackages> {
  if (!ctx.config.evidence.on) return notCompared(asked);
  const [range] = await knownRanges(ctx, [asked], { all: true });
  if (!range?.whole) {
    const ends = { from: range?.from?.version ?? asked.from, to: range?.to?.version ?? asked.to };
    return { ...notCompared(ends), status: range?.status ?? 'not_available' };
  }
  const { reason: _, isStep: __, ...pair } = range.whole;
  return { ...pair, findings: withRoads(pair.findings), status: range.status };
}

// Comparisons are off, or the ecosystem has none.
export function notCompared({ from, to }: Pick<AskedRange, 'from' | 'to'>): ComparedPackages {
  return { status: 'off', from, to, types: null, findings: [], more: 0, counts: NO_COUNTS, comparedAt: null };
}

async function knownRanges(ctx: Context, asked: readonly AskedRange[], options: AskedFindings): Promise<KnownRange[]> {
  const ranges = await readRanges(ctx, asked, options);
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

function isCompared({ status }: KnownPair): boolean {
  return status === 'compared' || status === 'no_types';
}

function mostOf(pairs: readonly KnownPair[]): RangeEvidence['counts'] {
  const most = { ...NO_COUNTS };
  for (const pair of pairs) {
    if (!isCompared(pair)) continue;
    most.proven = Math.max(most.proven, pair.counts.proven);
    most.likely = Math.max(most.likely, pair.counts.likely);
  }
  return most;
}

// The same told by several roads is one finding before any is left out.
function shownPair({ from, to, counts, findings }: StoredPair, most: number): RangeEvidence['pairs'][number] {
  return { from, to, counts, findings: withRoads(findings).slice(0, most) };
}
