// The newest releases of a span as entries of an upgrade. No more of a text is read than an excerpt needs.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { UpgradeEntry } from '../../contract/whats-changed.ts';
import { plainText } from '../../domain/notes/index.ts';
import { releaseWebUrl } from '../../domain/release-address.ts';
import { entryCost } from '../../domain/upgrade/budget.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import { isWithdrawn } from '../../domain/withdrawal.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { asBranch, BY_VERSION, canonicalNotes, inUnions, isTold, NOTE, ORDER_TEXT, type ToldRequest } from './spans.ts';

export interface EntryReading extends ToldRequest {
  limit: number;
}

export interface ReadEntry {
  entry: UpgradeEntry;
  steps: ReleaseRow['upgrade_steps'];
  cost: number;
  // The sort key within the span.
  key: string;
}

const EXCERPT = 300;

// The most characters of a text that are read for an excerpt, with room for markup.
const EXCERPT_SOURCE = 5600;

// The releases of each reading, newest first.
export async function readEntries(ctx: Context, readings: readonly EntryReading[]): Promise<ReadEntry[][]> {
  const wanted = readings.filter(({ limit }) => limit > 0);
  const rows = await inUnions(ctx, wanted, (reading, slot) => entryRows(ctx, reading, slot));
  const notes = await canonicalNotes(ctx, rows);
  const noteOf = (row: EntryRow): Note => notes.get(row.coverage_of ?? '') ?? row;
  const excerpts = await readExcerpts(
    ctx,
    rows.map(noteOf).filter(({ summary }) => summary === ''),
  );
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  const entries = readings.map((): ReadEntry[] => []);
  for (const [slot, reading] of readings.entries()) {
    await endLongTurn();
    const own = bySlot.get(wanted.indexOf(reading)) ?? [];
    entries[slot] = own.sort(newestFirst).map((row) => {
      const note = noteOf(row);
      const entry = toEntry(ctx, row, note, excerpts);
      return { entry, steps: note.upgrade_steps, cost: entryCost(entry), key: row.order_key ?? '' };
    });
  }
  return entries;
}

const SHOWN = [
  ...NOTE,
  ...(['version', 'published_at', 'title', 'title_generated', 'title_short', 'url', 'coverage_of'] as const),
  ...(['importance', 'security', 'prerelease', 'feed_at', 'suppressed_by', 'suppressed_reason'] as const),
];
const SHOWN_COLUMNS = sql.raw(SHOWN.map((name) => `r.${name}`).join(', '));

type EntryRow = { slot: number; order_key: string | null; is_by_version: number } & Pick<
  ReleaseRow,
  (typeof SHOWN)[number]
>;

type Note = Pick<EntryRow, (typeof NOTE)[number]>;

function entryRows(ctx: Context, { limit, ...told }: EntryReading, slot: number) {
  const column = ORDER_TEXT[told.span.window.by];
  return asBranch(sql<EntryRow>`SELECT ${sql.lit(slot)} AS slot, ${column} AS order_key, ${SHOWN_COLUMNS},
      CASE WHEN ${BY_VERSION} THEN 1 ELSE 0 END AS is_by_version
    FROM releases r WHERE ${isTold(ctx, told)}
    ORDER BY ${column} DESC, r.feed_at DESC, r.id DESC LIMIT ${limit}`);
}

// The rows are sorted here, because a union has no order.
function newestFirst(a: EntryRow, b: EntryRow): number {
  return (
    compareVersionKeys(b.order_key ?? '', a.order_key ?? '') || compare(b.feed_at, a.feed_at) || compare(b.id, a.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function readExcerpts(ctx: Context, notes: readonly Pick<Note, 'id'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(notes.map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', sql<string>`substr(content, 1, ${sql.lit(EXCERPT_SOURCE)})`.as('beginning')])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, beginning }) => [id, plainText(beginning, EXCERPT)]));
}

function toEntry(ctx: Context, row: EntryRow, note: Note, excerpts: ReadonlyMap<string, string>): UpgradeEntry {
  const excerpt = excerpts.get(note.id);
  return {
    id: row.id,
    version: row.version,
    publishedAt: row.published_at,
    title: row.title_generated ?? row.title,
    summary: note.summary,
    ...(excerpt ? { excerpt } : {}),
    breaking: note.breaking,
    ...(Number(row.is_by_version) === 1 ? { judgedBy: 'version' as const } : {}),
    migrationNotes: note.migration_notes,
    importance: row.importance,
    security: row.security === 1,
    prerelease: row.prerelease === 1,
    composition: note.composition ? parseJson(note.composition) : null,
    ...(note.id === row.id ? {} : { coveredBy: note.id }),
    ...(isWithdrawn(row) ? { withdrawn: true as const } : {}),
    url: row.url,
    webUrl: releaseWebUrl(ctx.config.webUrl, row),
  };
}
