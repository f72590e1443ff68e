// A span of releases of one package, the query for its rows, and which of them an answer tells. A span that is only counted
// reads the version index alone.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { VersionKeyRange } from '../../domain/upgrade/bounds.ts';
import { WITHDRAWN_RELEASE } from '../../entities/visible.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';

export type ReleaseWindow = ({ by: 'version' } & VersionKeyRange) | { by: 'time'; after: string; upTo: string };

export interface ReleaseSpan {
  sourceId: string;
  part: string | null;
  // Releases of a source that is not shown have the negative listing.
  visible: boolean;
  window: ReleaseWindow;
}

export const ORDER_COLUMN = { version: 'r.version_sort', time: 'r.feed_at' } as const;

// The same as text.
export const ORDER_TEXT = { version: sql.raw(ORDER_COLUMN.version), time: sql.raw(ORDER_COLUMN.time) } as const;

type PackageOfSpan = Pick<ReleaseSpan, 'sourceId' | 'part'>;

// Rows of a package that may be shown now. Conditions that every question of a call has are texts: query builders of a
// hundred questions cost more than their query.
export function inPackage(ctx: Context, { sourceId, part }: PackageOfSpan): RawBuilder<boolean> {
  return part === null
    ? sql`r.source_id = ${sourceId} AND r.package_part IS NULL AND r.feed_at <= ${now(ctx)}`
    : sql`r.source_id = ${sourceId} AND r.package_part = ${part} AND r.feed_at <= ${now(ctx)}`;
}

export function packageRows(ctx: Context, of: PackageOfSpan) {
  return queries(ctx).selectFrom('releases as r').where(inPackage(ctx, of));
}

// Rows of the span, whatever their listing.
export function inSpan(ctx: Context, span: ReleaseSpan): RawBuilder<boolean> {
  const { window } = span;
  const column = ORDER_TEXT[window.by];
  const rows = sql<boolean>`${inPackage(ctx, span)} AND ${column} > ${window.after} AND ${column} <= ${window.upTo}`;
  // In order of dates, which an undated release lacks wherever it stands in feeds.
  if (window.by === 'time') return sql`${rows} AND r.version IS NOT NULL AND r.published_at IS NOT NULL`;
  return window.gaps.reduce((all, gap) => sql`${all} AND ${outside(ORDER_COLUMN.version, gap)}`, rows);
}

// The condition is written as a plain check, because two ranges would stop the engine from reading the index in order.
export function outside(column: string, [start, end]: readonly [string, string]): RawBuilder<boolean> {
  return sql<boolean>`NOT (${sql.ref(column)} >= ${start} AND ${sql.ref(column)} < ${end})`;
}

export function shownListing({ visible }: Pick<ReleaseSpan, 'visible'>): number {
  return visible ? 2 : -2;
}

export function coveredListing({ visible }: Pick<ReleaseSpan, 'visible'>): number {
  return visible ? 1 : -1;
}

// Rows that may be covered by another release of the same push.
export function isCoveredVersion(span: Pick<ReleaseSpan, 'visible'>): RawBuilder<boolean> {
  return sql<boolean>`(r.listing = ${coveredListing(span)} OR ${WITHDRAWN_RELEASE})`;
}

// Rows that stand for a version: those that are listed, those covered by another release, and those that their author has
// withdrawn.
export function isStoredVersion({ visible }: Pick<ReleaseSpan, 'visible'>): RawBuilder<boolean> {
  return visible ? STORED : STORED_IN_HIDDEN;
}

const STORED: RawBuilder<boolean> = sql`(r.listing IN (2, 1) OR ${WITHDRAWN_RELEASE})`;
const STORED_IN_HIDDEN: RawBuilder<boolean> = sql`(r.listing IN (-2, -1) OR ${WITHDRAWN_RELEASE})`;

// biome-ignore lint/suspicious/noExplicitAny: whatever tables a branch reads, only its rows matter here
type SpanBranch<T> = SelectQueryBuilder<any, any, T>;

const BRANCHES = 25;
const UNION = sql` UNION ALL `;

// Runs many small queries of one form as a few large ones. Each branch marks its rows with its slot, and they are returned
// with the index of their item. Slots start at 0 in each statement, so that prepared statements are reused.
export async function inUnions<I, T extends { slot: number }>(
  ctx: Context,
  items: readonly I[],
  branch: (item: I, slot: number) => RawBuilder<T>,
  // `ONE_PLAN` for single rows; how a range is best read depends on where it ends.
  plan: RawBuilder<unknown> = sql``,
): Promise<T[]> {
  const rows: T[] = [];
  for (let start = 0; start < items.length; start += BRANCHES) {
    const branches = items.slice(start, start + BRANCHES).map(branch);
    const { rows: found } = await sql<T>`${sql.join(branches, UNION)}${plan}`.execute(queries(ctx));
    for (const row of found) {
      row.slot = start + Number(row.slot);
      rows.push(row);
    }
  }
  return rows;
}

// Wraps a branch as a table, because only then it can have an order and a limit of its own. Builders come in brackets.
export function asBranch<T>(rows: SpanBranch<T> | RawBuilder<T>): RawBuilder<T> {
  return 'selectAll' in rows ? sql`SELECT * FROM ${rows} AS e` : sql`SELECT * FROM (${rows}) AS e`;
}

// The rows of a span that an answer tells, the notes that stand for them, and what guides say about their breaks.

export interface ToldRequest {
  span: ReleaseSpan;
  includePrereleases: boolean;
  // Whether the span has rows that are listed nowhere and yet are told: covered by a release of the same push, or withdrawn.
  hasUnlisted: boolean;
  // Only releases with a minor or major break.
  breakingOnly: boolean;
}

export function isTold(ctx: Context, requested: ToldRequest): RawBuilder<boolean> {
  const { span, includePrereleases, hasUnlisted, breakingOnly } = requested;
  const stable = includePrereleases ? ANY : STABLE;
  const listed = hasUnlisted ? isListedOrTold(span) : sql`r.listing = ${sql.lit(shownListing(span))}`;
  const verdict = hasUnlisted ? toldVerdict(ctx) : OWN_VERDICT;
  const breaking = breakingOnly ? sql`AND ${verdict} IN ('minor', 'major')` : ANY;
  return sql`${inSpan(ctx, span)} ${stable} AND ${listed} ${breaking}`;
}

const ANY = sql``;
const STABLE = sql`AND r.prerelease = 0`;
const OWN_VERDICT = sql`r.breaking`;

// The author of links by the rule on cascades: releases that only follow another package of their repository.
export const BY_CASCADE = 'system:cascade';

function isListedOrTold(span: ReleaseSpan) {
  return sql<boolean>`(r.listing = ${shownListing(span)} OR (${WITHDRAWN_RELEASE} AND r.coverage_of IS NULL)
    OR (${isCoveredVersion(span)} AND EXISTS (
      SELECT 1 FROM release_coverage c WHERE c.coverage_id = r.id AND c.decided_by = ${BY_CASCADE})))`;
}

// The verdict of the canonical release, where it is visible.
export function toldVerdict(ctx: Context) {
  return sql<string>`COALESCE((SELECT k.breaking FROM releases k
    WHERE k.id = r.coverage_of AND k.listing <> 0 AND k.feed_at <= ${now(ctx)}), r.breaking)`;
}

// A text that asks for something, with its steps; without them when it was written before steps were stored.
export interface AskingText {
  notes: string | null;
  steps: ReleaseRow['upgrade_steps'];
}

// The verdict rests on the number alone. A guide or an operator may have written what breaks since it was derived.
export const BY_VERSION = sql<boolean>`(r.by_version = 1 AND r.breaking = 'major' AND r.migration_notes IS NULL
  AND r.coverage_of IS NULL)`;

export const NOTE = ['id', 'summary', 'breaking', 'migration_notes', 'upgrade_steps', 'composition'] as const;

// The notes of the canonical releases: a release that only follows another package says nothing itself.
export async function canonicalNotes(ctx: Context, rows: readonly { coverage_of: string | null }[]) {
  const ids = [...new Set(rows.flatMap((row) => row.coverage_of ?? []))];
  const notes =
    ids.length === 0
      ? []
      : await queries(ctx)
          .selectFrom('releases')
          .select(NOTE)
          .where('id', 'in', ids)
          .where('listing', '<>', 0)
          .where('feed_at', '<=', now(ctx))
          .execute();
  return new Map(notes.map((note) => [note.id, note]));
}

// As many ids a statement as every engine takes.
const IDS = 500;

interface StoredSection extends AskingText {
  notes: string;
}

// The sections of upgrade guides about breaking releases, for the steps of a range.
export async function guideSectionsOf(ctx: Context, releaseIds: Iterable<string>): Promise<Map<string, StoredSection>> {
  const ids = [...new Set(releaseIds)];
  const sections = new Map<string, StoredSection>();
  for (let start = 0; start < ids.length; start += IDS) {
    const rows = await queries(ctx)
      .selectFrom('guide_notes')
      .select(['release_id', 'notes', 'upgrade_steps as steps'])
      .where('release_id', 'in', ids.slice(start, start + IDS))
      .execute();
    for (const { release_id, ...section } of rows) sections.set(release_id, section);
  }
  return sections;
}
