// What is being read for the packages of a list, by the readings that their rows name.
import { type Context, queries } from '../../context.ts';
import type { RowReading } from '../../domain/reports/progress.ts';

interface Ordering {
  reading_id: string | null;
  refused_until: string | null;
}

const AT_ONCE = 500;

export async function openReadings(ctx: Context, rows: readonly Ordering[]): Promise<Map<string, RowReading>> {
  const ids = [...new Set(rows.flatMap(({ reading_id }) => reading_id || []))];
  const found = new Map<string, RowReading>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const part = await queries(ctx)
      .selectFrom('readings')
      .select(['id', 'state'])
      .where('id', 'in', ids.slice(start, start + AT_ONCE))
      .where('ended_at', 'is', null)
      .execute();
    for (const { id, state } of part) found.set(id, state === 'running' ? 'running' : 'waiting');
  }
  return found;
}

export function readingOfRow(open: ReadonlyMap<string, RowReading>, row: Ordering): RowReading | null {
  const own = row.reading_id === null ? undefined : open.get(row.reading_id);
  return own ?? (row.refused_until === null ? null : 'refused');
}
