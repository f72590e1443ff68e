// Counts the releases of whole spans, however few entries the answer will list.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import { MAX_OMITTED_BREAKS, type OmittedBreak } from '../../contract/whats-changed.ts';
import { onceEach } from '../../domain/once-each.ts';
import { elementAt } from '../../domain/records.ts';
import { breakCost, firstStep } from '../../domain/upgrade/budget.ts';
import {
  addGroup,
  emptyTally,
  isBreaking,
  type OrderedRelease,
  type RangeTally,
  tallyOf,
} from '../../domain/upgrade/judgement.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import { WITHDRAWN_RELEASE } from '../../entities/visible.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { ReadEntry } from './entries.ts';
import {
  type AskingText,
  asBranch,
  BY_CASCADE,
  BY_VERSION,
  canonicalNotes,
  coveredListing,
  inPackage,
  inSpan,
  inUnions,
  isCoveredVersion,
  isTold,
  ORDER_TEXT,
  type ReleaseSpan,
  shownListing,
  type ToldRequest,
} from './spans.ts';

export interface SpanTally extends RangeTally {
  // True when some releases of the package are covered by another release of the same push.
  hasCovered: boolean;
  // True when some are suppressed; those that their author has withdrawn are counted.
  hasSuppressed: boolean;
}

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
  for (const group of await inUnions(ctx, spans, (span, slot) => shownGroups(ctx, span, slot))) {
    const tally = elementAt(tallies, group.slot);
    if (Math.abs(group.listing) === 1) tally.hasCovered = true;
    else if (group.listing === 0) tally.hasSuppressed = true;
    else addGroup(tally, wholeNumbers(group));
  }
  const slots = spans.map((span, index) => ({ span, index, ...elementAt(tallies, index) }));
  const covered = slots.filter(({ hasCovered, hasSuppressed }) => hasCovered || hasSuppressed);
  for (const group of await inUnions(ctx, covered, ({ span }, slot) => coveredGroups(ctx, span, slot))) {
    addGroup(elementAt(tallies, elementAt(covered, group.slot).index), wholeNumbers(group));
  }
  const suppressed = slots.filter(({ hasSuppressed }) => hasSuppressed);
  for (const group of await inUnions(ctx, suppressed, ({ span }, slot) => withdrawnGroups(ctx, span, slot))) {
    addGroup(elementAt(tallies, elementAt(suppressed, group.slot).index), wholeNumbers(group));
  }
  return new Map(spans.map((span, index) => [span, elementAt(tallies, index)]));
}

function noTally(): SpanTally {
  return { ...emptyTally(), hasCovered: false, hasSuppressed: false };
}

interface CountedGroup {
  slot: number;
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
  return sql<CountedGroup & { listing: number }>`SELECT ${sql.lit(slot)} AS slot, r.listing, r.prerelease,
      r.breaking AS verdict, ${measures(span)} FROM releases r
    WHERE ${inSpan(ctx, span)} AND r.listing IN (${sql.lit(shownListing(span))}, ${sql.lit(coveredListing(span))}, 0)
    GROUP BY r.listing, r.prerelease, r.breaking`;
}

function coveredGroups(ctx: Context, span: ReleaseSpan, slot: number) {
  return sql<CountedGroup>`SELECT ${sql.lit(slot)} AS slot, r.prerelease, ${COVERED_VERDICT} AS verdict, ${measures(span)}
    FROM releases r ${covering(ctx)} WHERE ${inSpan(ctx, span)} AND ${isOfCascade(span)}
    GROUP BY r.prerelease, ${COVERED_VERDICT}`;
}

function withdrawnGroups(ctx: Context, span: ReleaseSpan, slot: number) {
  return sql<CountedGroup>`SELECT ${sql.lit(slot)} AS slot, r.prerelease, r.breaking AS verdict, ${measures(span)}
    FROM releases r WHERE ${inSpan(ctx, span)} AND ${IS_WITHDRAWN} GROUP BY r.prerelease, r.breaking`;
}

// A withdrawn release that another one covers counts only as one of a cascade.
const IS_WITHDRAWN = sql<boolean>`${WITHDRAWN_RELEASE} AND r.coverage_of IS NULL`;

function measures({ window }: ReleaseSpan) {
  const column = ORDER_TEXT[window.by];
  return sql`COUNT(*) AS count, MIN(${column}) AS lowest,
    SUM(CASE WHEN ${column} = ${window.upTo} THEN 1 ELSE 0 END) AS at_end`;
}

// The verdict of the release that covers a row; the row's own when the covering release is not visible.
const COVERED_VERDICT = sql<string>`COALESCE(k.breaking, r.breaking)`;

function covering(ctx: Context) {
  return sql`JOIN release_coverage c ON c.coverage_id = r.id
    LEFT JOIN releases k ON k.id = c.canonical_id AND k.listing <> 0 AND k.feed_at <= ${now(ctx)}`;
}

function isOfCascade(span: ReleaseSpan) {
  return sql<boolean>`${isCoveredVersion(span)} AND c.decided_by = ${BY_CASCADE}`;
}

async function tallyPackage(ctx: Context, spans: readonly ReleaseSpan[]): Promise<Map<ReleaseSpan, SpanTally>> {
  const first = elementAt(spans, 0);
  const column = ORDER_TEXT[first.window.by];
  const keyed = sql`${inPackage(ctx, first)} AND ${column} > ''`;
  const all = first.window.by === 'time' ? sql`${keyed} AND r.version IS NOT NULL` : keyed;
  const own = sql`SELECT ${column} AS key, r.prerelease, r.breaking AS verdict FROM releases r WHERE ${all}`;
  const { rows: shown } = await sql<OrderedRelease>`${own} AND r.listing = ${shownListing(first)}
    ORDER BY ${column}`.execute(queries(ctx));
  const { rows: covered } =
    await sql<OrderedRelease>`SELECT ${column} AS key, r.prerelease, ${COVERED_VERDICT} AS verdict
    FROM releases r ${covering(ctx)} WHERE ${all} AND ${isOfCascade(first)}`.execute(queries(ctx));
  const { rows: withdrawn } = await sql<OrderedRelease>`${own} AND ${IS_WITHDRAWN}`.execute(queries(ctx));
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
  asks: AskingText;
  cost: number;
}

// Oldest first; no more of them than an answer may name.
export async function readBreaks(ctx: Context, requested: readonly ToldRequest[]): Promise<ShortBreak[][]> {
  const rows = await inUnions(ctx, requested, (one, slot) => breakRows(ctx, one, slot));
  const notes = await canonicalNotes(ctx, rows);
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  const breaks = requested.map((): ShortBreak[] => []);
  for (const [slot, own] of bySlot) {
    await endLongTurn();
    breaks[slot] = own.sort(oldestFirst).map((row) => {
      const { breaking, migration_notes, upgrade_steps } = notes.get(row.coverage_of ?? '') ?? row;
      const title = row.title_generated ?? row.title;
      const marks = { prerelease: row.prerelease === 1, isByVersion: Number(row.is_by_version) === 1 };
      const short = shortBreak({ id: row.id, version: row.version, breaking, title, ...marks }, migration_notes);
      return { short, asks: { notes: migration_notes, steps: upgrade_steps }, cost: breakCost(short) };
    });
  }
  return breaks;
}

// The same of a range whose releases were all read.
export function breaksAmong(newestFirst: readonly ReadEntry[]): ShortBreak[] {
  const breaks = newestFirst.filter(({ entry }) => isBreaking(entry.breaking)).slice(-MAX_OMITTED_BREAKS);
  return breaks.reverse().map(({ entry: { migrationNotes, judgedBy, ...entry }, steps }) => {
    const short = shortBreak({ ...entry, isByVersion: judgedBy === 'version' }, migrationNotes);
    return { short, asks: { notes: migrationNotes, steps }, cost: breakCost(short) };
  });
}

type NamedBreak = Pick<OmittedBreak, 'id' | 'version' | 'breaking' | 'title'> & {
  prerelease: boolean;
  isByVersion: boolean;
};

function shortBreak({ id, version, breaking, title, prerelease, isByVersion }: NamedBreak, notes: string | null) {
  return {
    id,
    version,
    breaking,
    title,
    step: firstStep(notes),
    ...(prerelease ? { prerelease } : {}),
    ...(isByVersion ? { judgedBy: 'version' as const } : {}),
  } satisfies OmittedBreak;
}

type BreakRow = { slot: number; order_key: string | null; is_by_version: number } & Pick<
  ReleaseRow,
  | 'id'
  | 'version'
  | 'title'
  | 'title_generated'
  | 'breaking'
  | 'migration_notes'
  | 'upgrade_steps'
  | 'coverage_of'
  | 'feed_at'
  | 'prerelease'
>;

function breakRows(ctx: Context, requested: ToldRequest, slot: number) {
  const column = ORDER_TEXT[requested.span.window.by];
  return asBranch(sql<BreakRow>`SELECT ${sql.lit(slot)} AS slot, ${column} AS order_key, r.id, r.version, r.title,
      r.title_generated, r.breaking, r.migration_notes, r.upgrade_steps, r.coverage_of, r.feed_at,
      r.prerelease, CASE WHEN ${BY_VERSION} THEN 1 ELSE 0 END AS is_by_version
    FROM releases r WHERE ${isTold(ctx, { ...requested, breakingOnly: true })}
    ORDER BY ${column}, r.feed_at, r.id LIMIT ${sql.lit(MAX_OMITTED_BREAKS)}`);
}

// The rows are sorted here, because a union has no order.
function oldestFirst(a: BreakRow, b: BreakRow): number {
  const byKey = compareVersionKeys(a.order_key ?? '', b.order_key ?? '');
  if (byKey !== 0) return byKey;
  const [one, other] = a.feed_at === b.feed_at ? [a.id, b.id] : [a.feed_at, b.feed_at];
  return one < other ? -1 : 1;
}

// How many releases of a range repair a security problem, whether the answer lists them or not.

interface ReadRange {
  told: ToldRequest;
  // Null when not all of them were read.
  entries: readonly { entry: { security: boolean } }[] | null;
}

// The repairs of whole sources are few and have an index of their own, so they are looked up instead of counted in the range.
export async function securityCounts(ctx: Context, ranges: readonly ReadRange[]): Promise<number[]> {
  const open = ranges.flatMap(({ told, entries }) => (entries === null ? [{ ...told, breakingOnly: false }] : []));
  const counted = await onceEach(open, (distinct) => countedRepairs(ctx, distinct));
  let next = 0;
  return ranges.map(({ entries }) =>
    entries === null ? (counted[next++] ?? 0) : entries.filter(({ entry }) => entry.security).length,
  );
}

async function countedRepairs(ctx: Context, requested: readonly ToldRequest[]): Promise<number[]> {
  const rows = await inUnions(
    ctx,
    requested,
    (one, slot) => sql<{ slot: number; count: number }>`SELECT ${sql.lit(slot)} AS slot, COUNT(*) AS count
      FROM releases r WHERE r.security = 1 AND ${isTold(ctx, one)}`,
  );
  const bySlot = new Map(rows.map(({ slot, count }) => [slot, Number(count)]));
  return requested.map((_, slot) => bySlot.get(slot) ?? 0);
}
