// Marks pairs of published versions as wanted. A question downloads nothing itself: a job does, and the next answer has it.
import { sql } from 'kysely';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { type Orderer, ordererOf, priorityOf } from '../../domain/pairs/orders.ts';
import { type ComparedPair, nextToLocate, pairsOfRange, type RankedPair } from '../../domain/pairs/range-pairs.ts';
import { elementAt } from '../../domain/records.ts';
import { isPrerelease } from '../../domain/versions/index.ts';
import type { EvidenceOrderRow } from '../../store/schema/evidence.ts';
import { allowanceLeft, takeAllowance } from './allowance.ts';
import type { RangeEnd, StoredPair, StoredRange } from './evidence-of-ranges.ts';

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
  const open = ranges.filter((range) => mayGain(range, ctx.clock()));
  const orderer = ctx.config.evidence.on && open.length > 0 ? ordererOf(ctx.caller) : null;
  if (orderer === null) return new Set();
  if (orderer.payer !== null && (await allowanceLeft(ctx, orderer.payer)) === 0) return new Set();
  const orders = (await missingOrders(ctx, open)).filter(isWanted);
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

interface ListedVersion {
  version: string;
  publishedAt: string;
}

async function missingOrders(ctx: Context, ranges: readonly StoredRange[]): Promise<NewOrder[]> {
  const versions = await versionsOfRanges(ctx, ranges);
  const orders = ranges.flatMap((range, slot) => {
    const listed = elementAt(versions, slot);
    return missingPairs(range, listed).map((pair): NewOrder => {
      const [from, to] = [elementAt(listed, pair.from), elementAt(listed, pair.to)];
      return { range, pair, from: from.version, to: to.version, publishedAt: to.publishedAt };
    });
  });
  return orders.sort(byUrgency);
}

function byUrgency(one: NewOrder, other: NewOrder): number {
  const difference = priorityOf(one.pair.rank) - priorityOf(other.pair.rank);
  return difference || (one.publishedAt < other.publishedAt ? 1 : one.publishedAt > other.publishedAt ? -1 : 0);
}

// What a range lacks: pairs of its own first, then the one that locates most of its findings.
function missingPairs(range: StoredRange, listed: readonly ListedVersion[], ordered = 0): RankedPair[] {
  const names = listed.map(({ version }) => version);
  const known = [range.whole, ...range.steps].filter((pair) => pair !== null);
  const compared = known.filter(({ status, comparedAt: _ }) => status !== 'not_available');
  const isKnown = ({ from, to }: RankedPair) =>
    compared.some((pair) => pair.from === names[from] && pair.to === names[to]);
  const missing = pairsOfRange(names).filter((pair) => !isKnown(pair));
  if (missing.length > 0) return missing;
  const next = nextToLocate(names.length, placed(known, names), ordered);
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

interface VersionRow {
  slot: number;
  version: string;
  published_at: string | null;
}

// The versions that can be downloaded, rising; pre-releases only at the ends.
async function versionsOfRanges(ctx: Context, ranges: readonly StoredRange[]): Promise<ListedVersion[][]> {
  const values = ranges.map(({ name, from, to }, slot) => {
    return sql`(${sql.lit(slot)}, ${name}, ${from?.key ?? ''}, ${to?.key ?? ''})`;
  });
  const { rows } = await sql<VersionRow>`WITH asked (slot, name, after, up_to) AS (VALUES ${sql.join(values)})
    SELECT a.slot, v.version, v.published_at
    FROM asked a JOIN package_versions v ON v.ecosystem = 'npm' AND v.name = a.name
      AND v.version_sort >= a.after AND v.version_sort <= a.up_to
    WHERE v.withdrawn = 0 AND v.tarball_url IS NOT NULL AND v.integrity IS NOT NULL
    ORDER BY a.slot, v.version_sort, v.version`.execute(queries(ctx));
  const bySlot = Map.groupBy(rows, ({ slot }) => Number(slot));
  return ranges.map(({ from, to }, slot) => {
    const listed = (bySlot.get(slot) ?? []).map(({ version, published_at }) => {
      return { version, publishedAt: published_at ?? '' };
    });
    const inside = listed.filter(({ version }) => !isEnd(version, from, to) && !isPrerelease(version));
    const end = (one: RangeEnd | null) => {
      const version = one?.version ?? '';
      return listed.find((each) => each.version === version) ?? { version, publishedAt: '' };
    };
    return [end(from), ...inside, end(to)];
  });
}

function isEnd(version: string, from: RangeEnd | null, to: RangeEnd | null): boolean {
  return version === from?.version || version === to?.version;
}

async function writeOrders(ctx: WriteContext, orderer: Orderer, orders: readonly NewOrder[]): Promise<NewOrder[]> {
  const { payer } = orderer;
  const wanted = orders.slice(0, await roomFor(ctx, 'asked'));
  const taken = payer === null ? wanted : wanted.slice(0, await takeAllowance(ctx, payer, wanted.length));
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
    ecosystem: 'npm' as const,
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
  const [listed = []] = await versionsOfRanges(ctx, [range]);
  const [next] = missingPairs(range, listed).filter(({ rank }) => rank === 'located');
  if (!next) return;
  const [from, to] = [elementAt(listed, next.from), elementAt(listed, next.to)];
  const found = { range, pair: next, from: from.version, to: to.version, publishedAt: to.publishedAt };
  await writeOrders(ctx, { payer: order.payer }, [found]);
}

interface NewestStep {
  id: string;
  name: string;
  latest: string;
  before: string | null;
  published_at: string | null;
}

// The steps to the newest versions, which nobody has asked for; as many as there is room for. Returns how many.
export async function enqueueAhead(ctx: WriteContext, steps: readonly NewestStep[]): Promise<number> {
  const taken = steps.slice(0, await roomFor(ctx, 'ahead'));
  for (const { id, name, latest, before, published_at } of taken) {
    if (before !== null) {
      const pair = {
        range: emptyRange(name),
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

function emptyRange(name: string): StoredRange {
  return { name, from: null, to: null, isKnown: true, isOrdered: false, whole: null, steps: [] };
}
