// The comparisons that are stored of packages, for all ranges of a call: each package is read once, and what was found is read
// only of the pairs that are told.

import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { ComparedPackages, EvidenceFinding } from '../../contract/evidence.ts';
import { type Ecosystem, packageKey } from '../../domain/ecosystems/index.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { MAX_COMPARISONS } from '../../domain/pairs/range-pairs.ts';
import { parseJson } from '../../store/json-text.ts';
import type { EvidencePairRow, PairOutcome } from '../../store/schema/evidence.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { NamedSpan, PackageVersion, PackageVersions } from './package-versions.ts';
import { versionsOfPackages } from './package-versions.ts';

export interface KnownPair extends Omit<ComparedPackages, 'status' | 'comparedAt' | 'findings'> {
  status: PairOutcome;
  comparedAt: string;
  reason: string | null;
  // No other version lies between the two.
  isStep: boolean;
}

export interface StoredPair extends KnownPair {
  findings: EvidenceFinding[];
}

export interface PairsOfSpan {
  whole: StoredPair | null;
  // All pairs of the span but the whole, by their versions.
  steps: KnownPair[];
  // Those of them that are told, with what was found; a few are told whole.
  told: StoredPair[];
  // The listing of the package, where it was read.
  versions: PackageVersions | null;
}

export interface AskedSpan extends NamedSpan {
  // The versions at the ends.
  from: string;
  to: string;
}

type PairKey = Pick<EvidencePairRow, 'from_integrity' | 'to_integrity' | 'beside'>;

interface PlacedPair {
  key: PairKey;
  from: PackageVersion;
  to: PackageVersion;
  pair: KnownPair;
  worth: number;
}

// So many pairs of a range are told, less when many ranges are asked about at once.
const MOST_TOLD = 40;
const LEAST_TOLD = 2;
const TOLD_OF_CALL = 200;

// `all`: with every finding of the pairs, of which there may be thousands.
export async function pairsOfSpans(
  ctx: Context,
  spans: readonly AskedSpan[],
  { all = false }: { all?: boolean } = {},
): Promise<PairsOfSpan[]> {
  const rows = await pairRows(ctx, spans);
  const byName = Map.groupBy(rows, packageKey);
  const versions = await versionsOfPackages(
    ctx,
    spans.filter((span) => byName.has(packageKey(span))),
  );
  const placed = new Map<string, PlacedPair[]>();
  for (const [name, own] of byName) {
    await endLongTurn();
    const listed = versions.get(name);
    if (listed) placed.set(name, placePairs(own, listed));
  }
  const room = Math.max(LEAST_TOLD, Math.min(MOST_TOLD, Math.floor(TOLD_OF_CALL / Math.max(1, spans.length))));
  const cuts: SpanCut[] = [];
  for (const span of spans) {
    await endLongTurn();
    cuts.push(cutPairs(placed.get(packageKey(span)) ?? [], span, room));
  }
  const findings = await findingsOf(
    ctx,
    cuts.flatMap(({ whole, told }) => [...(whole ? [whole] : []), ...told]),
    all,
  );
  const stored = ({ pair, key }: PlacedPair): StoredPair => ({ ...pair, findings: findings.get(textOfKey(key)) ?? [] });
  const keys = spans.map(packageKey);
  return cuts.map(({ whole, steps, told }, slot) => ({
    whole: whole && stored(whole),
    steps: steps.map(({ pair }) => pair),
    told: told.map(stored),
    versions: versions.get(keys[slot] ?? '') ?? null,
  }));
}

type PairRow = Omit<EvidencePairRow, 'rules' | 'findings' | 'further' | 'beside_names' | 'bytes'>;

// Packages of one ecosystem share a statement.
async function pairRows(ctx: Context, spans: readonly AskedSpan[]): Promise<PairRow[]> {
  const rows: PairRow[] = [];
  for (const [ecosystem, own] of Map.groupBy(spans, (span) => span.ecosystem)) {
    rows.push(...(await pairRowsOf(ctx, ecosystem, [...new Set(own.map(({ name }) => name))])));
  }
  return rows;
}

function pairRowsOf(ctx: Context, ecosystem: Ecosystem, names: readonly string[]): Promise<PairRow[]> {
  return queries(ctx)
    .selectFrom('evidence_pairs as p')
    .select([
      'p.ecosystem',
      'p.name',
      'p.from_version',
      'p.to_version',
      'p.from_integrity',
      'p.to_integrity',
      'p.beside',
    ])
    .select(['p.status', 'p.types', 'p.more', 'p.proven', 'p.likely', 'p.reason', 'p.compared_at'])
    .where('p.ecosystem', '=', sql.lit(ecosystem))
    .where(ctx.store.dialect.amongIds('p.name', names))
    .where('p.rules', '=', sql.lit(RULES_VERSION))
    .execute();
}

// A result counts while both packages are still those that were compared. The newest of a pair stands for it.
function placePairs(rows: readonly PairRow[], listed: PackageVersions): PlacedPair[] {
  const newest = new Map<string, PlacedPair>();
  for (const row of rows.toSorted(newestFirst)) {
    const [from, to] = [listed.find(row.from_version), listed.find(row.to_version)];
    if (from?.integrity !== row.from_integrity || to?.integrity !== row.to_integrity || !from || !to) continue;
    const id = `${from.version}\n${to.version}`;
    if (newest.has(id)) continue;
    const pair = toPair(row, listed.isStep(from, to));
    newest.set(id, { key: row, from, to, pair, worth: worthOf(pair) });
  }
  return [...newest.values()].sort(byVersions);
}

function newestFirst(one: PairRow, other: PairRow): number {
  return compareTexts(other.compared_at, one.compared_at) || compareTexts(one.beside, other.beside);
}

function byVersions(one: PlacedPair, other: PlacedPair): number {
  return compareTexts(one.from.key, other.from.key) || compareTexts(one.to.key, other.to.key);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function toPair(row: PairRow, isStep: boolean): KnownPair {
  return {
    status: row.status,
    from: row.from_version,
    to: row.to_version,
    types: row.types,
    more: row.more,
    counts: { proven: row.proven, likely: row.likely },
    comparedAt: row.compared_at,
    reason: row.reason,
    isStep,
  };
}

interface SpanCut {
  whole: PlacedPair | null;
  steps: PlacedPair[];
  told: PlacedPair[];
}

function cutPairs(pairs: readonly PlacedPair[], { lowest, highest, from, to }: AskedSpan, room: number): SpanCut {
  let whole: PlacedPair | null = null;
  const steps: PlacedPair[] = [];
  for (const one of pairs) {
    if (one.from.key < lowest || one.to.key > highest) continue;
    if (one.pair.from === from && one.pair.to === to) whole = one;
    else steps.push(one);
  }
  const told = steps.length <= Math.max(room, MAX_COMPARISONS) ? steps : worthiest(steps, room).sort(byVersions);
  return { whole, steps, told };
}

// Of equal worth the lowest.
function worthiest(steps: readonly PlacedPair[], room: number): PlacedPair[] {
  const found: PlacedPair[] = [];
  for (let worth = MOST_WORTH; worth >= 0 && found.length < room; worth -= 1) {
    for (const step of steps) {
      if (found.length === room) break;
      if (step.worth === worth) found.push(step);
    }
  }
  return found;
}

const MOST_WORTH = 5;

// What breaks comes first, and what names the version that breaks.
function worthOf({ counts, isStep }: KnownPair): number {
  return (counts.proven > 0 ? 4 : counts.likely > 0 ? 2 : 0) + (isStep ? 1 : 0);
}

const PAIRS_OF_STATEMENT = 100;

async function findingsOf(
  ctx: Context,
  wanted: readonly PlacedPair[],
  all: boolean,
): Promise<Map<string, EvidenceFinding[]>> {
  const keys = [...new Map(wanted.map(({ key }) => [textOfKey(key), key])).values()];
  const found = new Map<string, EvidenceFinding[]>();
  for (let start = 0; start < keys.length; start += PAIRS_OF_STATEMENT) {
    const part = keys.slice(start, start + PAIRS_OF_STATEMENT);
    const values = part.map(({ from_integrity, to_integrity, beside }) => [from_integrity, to_integrity, beside]);
    const { rows } = await sql<PairKey & Pick<EvidencePairRow, 'findings' | 'further'>>`
      SELECT p.from_integrity, p.to_integrity, p.beside, p.findings, ${all ? sql`p.further` : sql`NULL`} AS further
      FROM ${ctx.store.dialect.textRows(values, 'k')} CROSS JOIN evidence_pairs p
      WHERE p.from_integrity = k.v0 AND p.to_integrity = k.v1 AND p.beside = k.v2
        AND p.rules = ${sql.lit(RULES_VERSION)}`.execute(queries(ctx));
    for (const row of rows) {
      await endLongTurn();
      const further = row.further === null ? [] : parseJson(row.further);
      found.set(textOfKey(row), [...parseJson(row.findings), ...further]);
    }
  }
  return found;
}

function textOfKey({ from_integrity, to_integrity, beside }: PairKey): string {
  return `${from_integrity}\n${to_integrity}\n${beside}`;
}
