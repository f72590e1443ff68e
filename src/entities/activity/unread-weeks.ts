// The weeks of a range in which a source could not be read, from the fetch log and the current failure.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { DayRange } from '../../contract/activity.ts';
import { FAILED } from '../../contract/admin-logs.ts';
import { isUnreadWeek } from '../../domain/fetching/unread-week.ts';
import { addDays, mondayOf, utcDay } from '../../domain/timestamps.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

type ReadSource = Pick<SourceRow, 'id' | 'failing_since' | 'fetch_priority'>;

// Returns Mondays by source, oldest first. Only weeks within the log or the failure are checked, so that a range of
// centuries costs no more than the retention of the log.
export async function unreadWeeks(
  ctx: Context,
  input: { sources: readonly ReadSource[]; range: DayRange },
): Promise<Map<string, string[]>> {
  const present = now(ctx);
  const begins = await logBegins(
    ctx,
    input.sources.map(({ id }) => id),
  );
  const found = new Map<string, string[]>();
  const known = new Map(
    input.sources
      .filter(({ id, failing_since }) => failing_since !== null || begins.has(id))
      .map((source) => [source.id, source]),
  );
  const first = [...known.values()]
    .flatMap(({ id, failing_since }) => [begins.get(id) ?? present, failing_since ?? present])
    .reduce((a, b) => (a < b ? a : b), present);
  const weeks = mondays({ from: later(input.range.from, utcDay(first)), to: earlier(input.range.to, utcDay(present)) });
  if (known.size === 0 || weeks.length === 0) return found;
  for (const row of await weeksWithoutRead(ctx, { sourceIds: [...known.keys()], weeks })) {
    const source = known.get(row.source_id);
    if (!source) continue;
    const isUnread = isUnreadWeek({
      weekStart: row.week_start,
      weekEnd: row.week_end,
      wasRead: false,
      hasFailed: Number(row.failed) === 1,
      logBegins: begins.get(source.id) ?? null,
      failingSince: source.failing_since,
      isScheduled: source.fetch_priority !== 'paused',
      now: present,
    });
    if (isUnread) found.set(source.id, [...(found.get(source.id) ?? []), row.week_start]);
  }
  return found;
}

const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);

function mondays({ from, to }: DayRange): string[] {
  const all: string[] = [];
  for (let monday = mondayOf(from); monday <= to; monday = addDays(monday, 7)) all.push(monday);
  return all;
}

async function logBegins(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries(ctx)
    .selectFrom('fetch_log')
    .select(({ fn }) => ['source_id', fn.min('created_at').as('first')])
    .where('source_id', 'in', [...sourceIds, ''])
    .groupBy('source_id')
    .execute();
  return new Map(rows.map(({ source_id, first }) => [source_id, first]));
}

interface UncheckedWeek {
  source_id: string;
  week_start: string;
  week_end: string;
  failed: number;
}

// For each pair the index finds the first successful read of the week; the log is not counted.
async function weeksWithoutRead(
  ctx: Context,
  { sourceIds, weeks }: { sourceIds: readonly string[]; weeks: readonly string[] },
): Promise<UncheckedWeek[]> {
  const spans = sql.join(
    weeks.map((monday) => sql`SELECT ${monday} AS week_start, ${addDays(monday, 7)} AS week_end`),
    sql` UNION ALL `,
  );
  const checked = (statuses: readonly string[]): RawBuilder<unknown> =>
    sql`EXISTS (SELECT 1 FROM fetch_log f WHERE f.source_id = s.id AND f.created_at >= w.week_start
      AND f.created_at < w.week_end AND f.status IN (${sql.join(statuses)}))`;
  const { rows } = await sql<UncheckedWeek>`
    SELECT s.id AS source_id, w.week_start, w.week_end,
      CASE WHEN ${checked([...FAILED])} THEN 1 ELSE 0 END AS failed
    FROM sources s CROSS JOIN (${spans}) w
    WHERE s.id IN (${sql.join(sourceIds)}) AND NOT ${checked(['success', 'no_change'])}
    ORDER BY w.week_start`.execute(queries(ctx));
  return rows;
}
