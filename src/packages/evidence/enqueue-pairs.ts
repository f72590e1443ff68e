// Marks pairs of published versions as wanted. A question downloads nothing itself: a job does, and the next answer has it.

import { sql } from 'kysely';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { type Ecosystem, type PackageName, packageKey } from '../../domain/ecosystems/index.ts';
import { type Orderer, ordererOf, priorityOf } from '../../domain/pairs/orders.ts';
import {
  type ComparedPair,
  MAX_COMPARISONS,
  majorOf,
  nextToLocate,
  pairsOfRange,
  type RankedPair,
} from '../../domain/pairs/range-pairs.ts';
import { elementAt } from '../../domain/records.ts';
import type { EvidenceOrderRow } from '../../store/schema/evidence.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { allowanceLeft, pairAllowance, takeAllowance } from './allowance.ts';
import type { StoredRange } from './evidence-of-ranges.ts';
import type { StoredPair } from './package-pairs.ts';
import { type NamedSpan, type PackageVersion, type PackageVersions, versionsOfPackages } from './package-versions.ts';

// Orders beyond this many are refused: nobody would see their results for days. What nobody asked for takes no room of those
// who ask, and has as much of its own.
const MAX_ORDERS = 20_000;

// Orders what these ranges lack, and returns those whose ends will be compared.
export function enqueueRanges(ctx: Context, ranges: readonly StoredRange[]): Promise<Set<StoredRange>> {
  return order(ctx, ranges, () => true);
}

// Orders both ends of each range and nothing between.
export async function enqueueWholeRanges(ctx: Context, ranges: readonly StoredRange[]): Promise<void> {
  await order(ctx, ranges, ({ pair }) => pair.rank === 'range');
}

async function order(
  ctx: Context,
  ranges: readonly StoredRange[],
  isWanted: (order: NewOrder) => boolean,
): Promise<Set<StoredRange>> {
  const open = [...new Set(ranges)].filter((range) => mayGain(range, ctx.clock()));
  const orderer = ctx.config.evidence.on && open.length > 0 ? ordererOf(ctx.caller) : null;
  if (orderer === null) return new Set();
  if (orderer.payer !== null && (await allowanceLeft(ctx, pairAllowance(orderer.payer))) === 0) return new Set();
  const missing = (await missingOrders(ctx, open)).filter(isWanted);
  const orders = await notYetWanted(ctx, orderer, missing);
  if (orders.length === 0) return new Set();
  const taken = await transact(ctx, (ctx) => writeOrders(ctx, orderer, orders), 'bookkeeping');
  return new Set(taken.flatMap(({ range, pair }) => (pair.rank === 'range' ? [range] : [])));
}

const AGAIN_MS = 24 * 3_600_000;

// A package that could not be had may be there on another day.
function mayGain({ from, to, isKnown, isOrdered, whole }: StoredRange, at: Date): boolean {
  if (!isKnown || isOrdered || !from?.isFetchable || !to?.isFetchable) return false;
  if (whole === null) return true;
  if (whole.status === 'not_available') return Date.parse(whole.comparedAt) + AGAIN_MS <= at.getTime();
  return whole.counts.proven + whole.counts.likely > 0;
}

interface NewOrder {
  range: StoredRange;
  pair: RankedPair;
  from: string;
  to: string;
  publishedAt: string;
}

type ListedVersion = Pick<PackageVersion, 'version' | 'publishedAt' | 'major'>;

async function missingOrders(ctx: Context, ranges: readonly StoredRange[]): Promise<NewOrder[]> {
  const unread = ranges.filter(({ versions }) => versions === null);
  const packages = await versionsOfPackages(ctx, unread.flatMap(spanOfRange));
  const orders: NewOrder[] = [];
  for (const range of ranges) {
    await endLongTurn();
    const listed = comparableVersions(range, range.versions ?? packages.get(packageKey(range)));
    for (const pair of missingPairs(range, listed)) {
      const [from, to] = [elementAt(listed, pair.from), elementAt(listed, pair.to)];
      orders.push({ range, pair, from: from.version, to: to.version, publishedAt: to.publishedAt });
    }
  }
  return orders.sort(byUrgency);
}

function spanOfRange({ ecosystem, name, from, to }: StoredRange): NamedSpan[] {
  return from && to ? [{ ecosystem, name, lowest: from.key, highest: to.key }] : [];
}

// Without those that wait already, at no worse place: they use up no allowance and cost no write.
async function notYetWanted(ctx: Context, { payer }: Orderer, orders: readonly NewOrder[]): Promise<NewOrder[]> {
  if (orders.length === 0) return [];
  const keys = orders.map(({ range, from, to }) => [range.ecosystem, range.name, from, to]);
  const { rows } = await sql<
    Pick<EvidenceOrderRow, 'ecosystem' | 'name' | 'from_version' | 'to_version' | 'priority' | 'anonymous'>
  >`
    SELECT o.ecosystem, o.name, o.from_version, o.to_version, o.priority, o.anonymous
    FROM ${ctx.store.dialect.textRows(keys, 'k')} CROSS JOIN evidence_orders o
    WHERE o.ecosystem = k.v0 AND o.name = k.v1 AND o.from_version = k.v2 AND o.to_version = k.v3`.execute(queries(ctx));
  const waiting = new Map(
    rows.map((row) => [[row.ecosystem, row.name, row.from_version, row.to_version].join('\n'), row]),
  );
  return orders.filter(({ pair }, slot) => {
    const row = waiting.get((keys[slot] ?? []).join('\n'));
    return !row || priorityOf(pair.rank) < row.priority || (payer === null && row.anonymous === 1);
  });
}

function byUrgency(one: NewOrder, other: NewOrder): number {
  const difference = priorityOf(one.pair.rank) - priorityOf(other.pair.rank);
  return difference || (one.publishedAt < other.publishedAt ? 1 : one.publishedAt > other.publishedAt ? -1 : 0);
}

// What a range lacks: pairs of its own first, then the one that locates most of its findings.
function missingPairs(range: StoredRange, listed: readonly ListedVersion[]): RankedPair[] {
  const known = [range.whole, ...range.steps].filter((pair) => pair !== null);
  const missing = pairsOfRange(listed).filter((pair) => {
    const [from, to] = [listed[pair.from]?.version, listed[pair.to]?.version];
    return !known.some((one) => one.from === from && one.to === to && one.status !== 'not_available');
  });
  if (missing.length > 0) return missing;
  const told = [range.whole, ...range.told].filter((pair) => pair !== null);
  const untold = known.length - told.length;
  if (untold >= MAX_COMPARISONS) return [];
  const names = listed.map(({ version }) => version);
  const next = nextToLocate(names.length, placed(told, names), untold);
  return next ? [{ ...next, rank: 'located' }] : [];
}

function placed(pairs: readonly StoredPair[], names: readonly string[]): ComparedPair[] {
  return pairs.flatMap(({ from, to, status, findings, more }) => {
    const place = { from: names.indexOf(from), to: names.indexOf(to) };
    if (place.from === -1 || place.to === -1) return [];
    const isCompared = status === 'compared' || status === 'no_types';
    const found = new Set(findings.map(({ kind, subpath, name }) => JSON.stringify([kind, subpath, name])));
    return [{ ...place, findings: isCompared ? found : null, isCut: more > 0 }];
  });
}

// The versions of a range that can be downloaded, rising; pre-releases only at the ends.
function comparableVersions(range: StoredRange, versions: PackageVersions | undefined): ListedVersion[] {
  const [span] = spanOfRange(range);
  const inside = (span && versions?.comparableInside(span)) ?? [];
  const end = (version: string): ListedVersion => {
    const found = versions?.find(version);
    return found?.isComparable ? found : { version, publishedAt: '', major: majorOf(version) };
  };
  return [end(range.from?.version ?? ''), ...inside, end(range.to?.version ?? '')];
}

async function writeOrders(ctx: WriteContext, orderer: Orderer, orders: readonly NewOrder[]): Promise<NewOrder[]> {
  const { payer } = orderer;
  const wanted = orders.slice(0, await roomFor(ctx, 'asked'));
  const taken =
    payer === null ? wanted : wanted.slice(0, await takeAllowance(ctx, pairAllowance(payer), wanted.length));
  for (const order of taken) await insertOrder(ctx, rowOf(ctx, order, payer));
  return taken;
}

async function roomFor(ctx: Context, whom: 'asked' | 'ahead'): Promise<number> {
  const { count } = await queries(ctx)
    .selectFrom('evidence_orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('priority', whom === 'ahead' ? '=' : '<>', priorityOf('ahead'))
    .executeTakeFirstOrThrow();
  return Math.max(0, MAX_ORDERS - Number(count));
}

function rowOf(ctx: WriteContext, { range, pair, from, to, publishedAt }: NewOrder, payer: string | null) {
  const at = now(ctx);
  return {
    ecosystem: range.ecosystem,
    name: range.name,
    from_version: from,
    to_version: to,
    range_from: range.from?.version ?? from,
    range_to: range.to?.version ?? to,
    priority: priorityOf(pair.rank),
    published_at: publishedAt,
    payer,
    anonymous: payer === null ? 0 : 1,
    ordered_at: at,
    attempts: 0,
    due_at: at,
    last_error: null,
  } satisfies EvidenceOrderRow;
}

// A pair that is wanted already keeps its place or gets a better one; a caller with a credential pays for all.
async function insertOrder(ctx: WriteContext, row: EvidenceOrderRow): Promise<void> {
  const isBetter = sql<boolean>`excluded.priority < evidence_orders.priority`;
  await ctx.tx
    .insertInto('evidence_orders')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['ecosystem', 'name', 'from_version', 'to_version']).doUpdateSet({
        range_from: sql`CASE WHEN ${isBetter} THEN excluded.range_from ELSE evidence_orders.range_from END`,
        range_to: sql`CASE WHEN ${isBetter} THEN excluded.range_to ELSE evidence_orders.range_to END`,
        priority: sql`CASE WHEN ${isBetter} THEN excluded.priority ELSE evidence_orders.priority END`,
        payer: sql`CASE WHEN excluded.anonymous < evidence_orders.anonymous THEN excluded.payer ELSE evidence_orders.payer END`,
        anonymous: sql`CASE WHEN excluded.anonymous < evidence_orders.anonymous THEN excluded.anonymous ELSE evidence_orders.anonymous END`,
      }),
    )
    .execute();
}

// After a pair of a range was compared, the same orderer wants the one that locates what was found.
export async function enqueueNextOfRange(
  ctx: WriteContext,
  order: EvidenceOrderRow,
  range: StoredRange,
): Promise<void> {
  const waiting = await ctx.tx
    .selectFrom('evidence_orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ecosystem', '=', order.ecosystem)
    .where('name', '=', order.name)
    .where('range_from', '=', order.range_from)
    .where('range_to', '=', order.range_to)
    .executeTakeFirstOrThrow();
  // Pairs of the range that still wait may explain it.
  if (Number(waiting.count) > 0 || range.whole === null) return;
  const listed = comparableVersions(
    range,
    range.versions ?? (await versionsOfPackages(ctx, spanOfRange(range))).get(packageKey(range)),
  );
  const [next] = missingPairs(range, listed).filter(({ rank }) => rank === 'located');
  if (!next) return;
  const [from, to] = [elementAt(listed, next.from), elementAt(listed, next.to)];
  const found = { range, pair: next, from: from.version, to: to.version, publishedAt: to.publishedAt };
  await writeOrders(ctx, { payer: order.payer }, [found]);
}

interface NewestStep {
  id: string;
  ecosystem: Ecosystem;
  name: string;
  latest: string;
  before: string | null;
  published_at: string | null;
}

// The steps to the newest versions, which nobody has asked for; as many as there is room for. Returns how many.
export async function enqueueAhead(ctx: WriteContext, steps: readonly NewestStep[]): Promise<number> {
  const taken = steps.slice(0, await roomFor(ctx, 'ahead'));
  for (const { id, ecosystem, name, latest, before, published_at } of taken) {
    if (before !== null) {
      const pair = {
        range: emptyRange({ ecosystem, name }),
        pair: { from: 0, to: 1, rank: 'ahead' as const },
        from: before,
        to: latest,
      };
      await insertOrder(ctx, rowOf(ctx, { ...pair, publishedAt: published_at ?? '' }, null));
    }
    await ctx.tx
      .insertInto('evidence_ahead')
      .values({ package_id: id, latest })
      .onConflict((conflict) => conflict.column('package_id').doUpdateSet({ latest }))
      .execute();
  }
  return taken.length;
}

function emptyRange({ ecosystem, name }: PackageName): StoredRange {
  return {
    ecosystem,
    name,
    from: null,
    to: null,
    isKnown: true,
    isOrdered: false,
    whole: null,
    steps: [],
    told: [],
    versions: null,
  };
}
