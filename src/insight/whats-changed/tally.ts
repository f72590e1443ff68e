// Counts the releases of whole spans, however few entries the answer will list.
import { sql } from 'kysely';
import { WITHDRAWN_RELEASE } from '../../catalog/visible.ts';
import { type Context, now } from '../../context.ts';
import { MOST_OMITTED_BREAKS, type OmittedBreak } from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import { breakCost, firstStep } from '../../domain/upgrade/omitted.ts';
import { addGroup, emptyTally, type OrderedRelease, type RangeTally, tallyOf } from '../../domain/upgrade/tally.ts';
import { isBreaking } from '../../domain/upgrade/verdict.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import type { ReadEntry } from './entries.ts';
import {
  asBranch,
  coveredListing,
  inUnions,
  isCoveredVersion,
  ORDER_COLUMN,
  packageRows,
  type ReleaseSpan,
  shownListing,
  spanRows,
} from './spans.ts';
import { canonicalNotes, type ToldRequest, toldRows } from './told-rows.ts';

export interface SpanTally extends RangeTally {
  // True when some releases of the package are covered by another release of the same push.
  hasCovered: boolean;
  // True when some are suppressed; those that their author has withdrawn are counted.
  hasSuppressed: boolean;
}

// The author of links by the rule on cascades: releases that only follow another package of their repository.
export const BY_CASCADE = 'system:cascade';

// From this many spans on, the releases of a package are read once and counted in memory.
const MANY = 4;

export async function tallySpans(ctx: Context, spans: readonly ReleaseSpan[]): Promise<SpanTally[]> {
  const tallies = new Map<ReleaseSpan, SpanTally>();
  const few: ReleaseSpan[] = [];
  for (const list of Map.groupBy(spans, packageKey).values()) {
    if (list.length < MANY) few.push(...list);
    else for (const [span, tally] of await tallyPackage(ctx, list)) tallies.set(span, tally);
  }
  for (const [span, tally] of await tallyEach(ctx, few)) tallies.set(span, tally);
  return spans.map((span) => tallies.get(span) ?? noTally());
}

function packageKey({ sourceId, part, window }: ReleaseSpan): string {
  return JSON.stringify([sourceId, part, window.by]);
}

async function tallyEach(ctx: Context, spans: readonly ReleaseSpan[]): Promise<Map<ReleaseSpan, SpanTally>> {
  const tallies = spans.map(noTally);
  for (const group of await inUnions(spans, (span, slot) => shownGroups(ctx, span, slot))) {
    const tally = elementAt(tallies, group.slot);
    if (Math.abs(group.listing) === 1) tally.hasCovered = true;
    else if (group.listing === 0) tally.hasSuppressed = true;
    else addGroup(tally, wholeNumbers(group));
  }
  const slots = spans.map((span, index) => ({ span, index, ...elementAt(tallies, index) }));
  const covered = slots.filter(({ hasCovered, hasSuppressed }) => hasCovered || hasSuppressed);
  for (const group of await inUnions(covered, ({ span }, slot) => coveredGroups(ctx, span, slot))) {
    addGroup(elementAt(tallies, elementAt(covered, group.slot).index), wholeNumbers(group));
  }
  const suppressed = slots.filter(({ hasSuppressed }) => hasSuppressed);
  for (const group of await inUnions(suppressed, ({ span }, slot) => withdrawnGroups(ctx, span, slot))) {
    addGroup(elementAt(tallies, elementAt(suppressed, group.slot).index), wholeNumbers(group));
  }
  return new Map(spans.map((span, index) => [span, elementAt(tallies, index)]));
}

function noTally(): SpanTally {
  return { ...emptyTally(), hasCovered: false, hasSuppressed: false };
}

interface CountedGroup {
  prerelease: number;
  verdict: string;
  count: number;
  lowest: string;
  at_end: number;
}

function wholeNumbers({ prerelease, verdict, count, lowest, at_end }: CountedGroup) {
  return { prerelease, verdict, count: Number(count), lowest, atEnd: Number(at_end) };
}

function shownGroups(ctx: Context, span: ReleaseSpan, slot: number) {
  const { column, atEnd } = measures(span);
  return spanRows(ctx, span)
    .where('r.listing', 'in', [shownListing(span), coveredListing(span), 0])
    .groupBy(['r.listing', 'r.prerelease', 'r.breaking'])
    .select([sql.lit(slot).as('slot'), 'r.listing', 'r.prerelease', 'r.breaking as verdict'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<string>(column).as('lowest'), atEnd.as('at_end')]);
}

function coveredGroups(ctx: Context, span: ReleaseSpan, slot: number) {
  const { column, atEnd } = measures(span);
  return cascadeRows(ctx, spanRows(ctx, span), span)
    .groupBy(['r.prerelease', COVERED_VERDICT])
    .select([sql.lit(slot).as('slot'), 'r.prerelease', COVERED_VERDICT.as('verdict')])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<string>(column).as('lowest'), atEnd.as('at_end')]);
}

function withdrawnGroups(ctx: Context, span: ReleaseSpan, slot: number) {
  const { column, atEnd } = measures(span);
  return withdrawnRows(spanRows(ctx, span))
    .groupBy(['r.prerelease', 'r.breaking'])
    .select([sql.lit(slot).as('slot'), 'r.prerelease', 'r.breaking as verdict'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<string>(column).as('lowest'), atEnd.as('at_end')]);
}

// A withdrawn release that another one covers counts only as one of a cascade.
function withdrawnRows(rows: ReturnType<typeof packageRows>) {
  return rows.where(WITHDRAWN_RELEASE).where('r.coverage_of', 'is', null);
}

function measures({ window }: ReleaseSpan) {
  const column = ORDER_COLUMN[window.by];
  const atEnd = sql<number>`SUM(CASE WHEN ${sql.ref(column)} = ${window.upTo} THEN 1 ELSE 0 END)`;
  return { column, atEnd };
}

// The verdict of the release that covers a row; the row's own when the covering release is not visible.
const COVERED_VERDICT = sql<string>`COALESCE(k.breaking, r.breaking)`;

function cascadeRows(ctx: Context, rows: ReturnType<typeof packageRows>, span: ReleaseSpan) {
  return rows
    .innerJoin('release_coverage as c', 'c.coverage_id', 'r.id')
    .leftJoin('releases as k', (join) =>
      join.onRef('k.id', '=', 'c.canonical_id').on('k.listing', '<>', 0).on('k.feed_at', '<=', now(ctx)),
    )
    .where(isCoveredVersion(span))
    .where('c.decided_by', '=', BY_CASCADE);
}

async function tallyPackage(ctx: Context, spans: readonly ReleaseSpan[]): Promise<Map<ReleaseSpan, SpanTally>> {
  const first = elementAt(spans, 0);
  const column = ORDER_COLUMN[first.window.by];
  const keyed = packageRows(ctx, first).where(column, '>', '');
  const all = first.window.by === 'time' ? keyed.where('r.version', 'is not', null) : keyed;
  const shown: OrderedRelease[] = await all
    .where('r.listing', '=', shownListing(first))
    .select([sql<string>`${sql.ref(column)}`.as('key'), 'r.prerelease', 'r.breaking as verdict'])
    .orderBy(column)
    .execute();
  const covered: OrderedRelease[] = await cascadeRows(ctx, all, first)
    .select([sql<string>`${sql.ref(column)}`.as('key'), 'r.prerelease', COVERED_VERDICT.as('verdict')])
    .execute();
  const withdrawn: OrderedRelease[] = await withdrawnRows(all)
    .select([sql<string>`${sql.ref(column)}`.as('key'), 'r.prerelease', 'r.breaking as verdict'])
    .execute();
  const others = [...covered, ...withdrawn];
  const rising = others.length === 0 ? shown : [...shown, ...others].sort((a, b) => compareVersionKeys(a.key, b.key));
  const more = { hasCovered: covered.length > 0, hasSuppressed: withdrawn.length > 0 };
  const tally = tallyOf(rising);
  return new Map(spans.map((span) => [span, { ...tally(span.window), ...more }]));
}

// The breaks of a range in short, for answers that leave out some of their releases.

export interface ShortBreak {
  short: OmittedBreak;
  // Its migration notes.
  notes: string | null;
  cost: number;
}

// Oldest first; no more of them than an answer may name.
export async function readBreaks(ctx: Context, requested: readonly ToldRequest[]): Promise<ShortBreak[][]> {
  const rows = await inUnions(requested, (one, slot) => breakRows(ctx, one, slot));
  const notes = await canonicalNotes(ctx, rows);
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  return requested.map((_, slot) =>
    (bySlot.get(slot) ?? []).sort(oldestFirst).map((row) => {
      const { breaking, migration_notes } = notes.get(row.coverage_of ?? '') ?? row;
      const title = row.title_generated ?? row.title;
      const short = { id: row.id, version: row.version, breaking, title, step: firstStep(migration_notes) };
      return { short, notes: migration_notes, cost: breakCost(short) };
    }),
  );
}

// The same of a range whose releases were all read.
export function breaksAmong(newestFirst: readonly ReadEntry[]): ShortBreak[] {
  const breaks = newestFirst.filter(({ entry }) => isBreaking(entry.breaking)).slice(-MOST_OMITTED_BREAKS);
  return breaks.reverse().map(({ entry: { id, version, breaking, title, migrationNotes } }) => {
    const short = { id, version, breaking, title, step: firstStep(migrationNotes) };
    return { short, notes: migrationNotes, cost: breakCost(short) };
  });
}

type BreakRow = Awaited<ReturnType<ReturnType<typeof breakRows>['execute']>>[number];

function breakRows(ctx: Context, requested: ToldRequest, slot: number) {
  const column = ORDER_COLUMN[requested.span.window.by];
  const oldest = toldRows(ctx, { ...requested, breakingOnly: true })
    .select([sql.lit(slot).as('slot'), `${column} as order_key`])
    .select(['r.id', 'r.version', 'r.title', 'r.title_generated', 'r.breaking', 'r.migration_notes'])
    .select(['r.coverage_of', 'r.feed_at'])
    .orderBy(column)
    .orderBy('r.feed_at')
    .orderBy('r.id')
    .limit(MOST_OMITTED_BREAKS);
  return asBranch(ctx, oldest);
}

// The rows are sorted here, because a union has no order.
function oldestFirst(a: BreakRow, b: BreakRow): number {
  const byKey = compareVersionKeys(a.order_key ?? '', b.order_key ?? '');
  if (byKey !== 0) return byKey;
  const [one, other] = a.feed_at === b.feed_at ? [a.id, b.id] : [a.feed_at, b.feed_at];
  return one < other ? -1 : 1;
}
