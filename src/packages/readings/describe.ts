// Readings as those see them who wait for them.
import { sql } from 'kysely';
import { type Context, queries, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { ReadingAnswer, ReadingPart, ReadingState } from '../../contract/reading.ts';
import { MAX_READING_MS, READING_PARTS } from '../../domain/readings/reading.ts';
import { packageViewer, seenPackages } from '../../entities/packages/viewer.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';

// A private package does not exist for those who are not admitted to its registry.
export async function readReading(ctx: Context, id: string): Promise<ReadingAnswer> {
  const row = await queries(ctx).selectFrom('readings').selectAll().where('id', '=', id).executeTakeFirst();
  const [seen] = row ? seenPackages(ctx, await packageViewer(ctx), [row]) : [];
  if (!seen) throw notFound('reading', id);
  const [answer] = await answersOfRows(ctx, [seen]);
  if (!answer) throw notFound('reading', id);
  return answer;
}

// For those who have been shown them already.
export async function readingsById(ctx: Context, ids: readonly string[]): Promise<Map<string, ReadingAnswer>> {
  if (ids.length === 0) return new Map();
  const rows = await queries(ctx).selectFrom('readings').selectAll().where('id', 'in', ids).execute();
  return new Map((await answersOfRows(ctx, rows)).map((answer) => [answer.id ?? '', answer]));
}

async function answersOfRows(ctx: Context, rows: readonly ReadingRow[]): Promise<ReadingAnswer[]> {
  const states = await describeReadings(ctx, rows);
  return states.flatMap((state, index) => {
    const row = rows[index];
    if (!row) return [];
    const { ecosystem, spelling, from_version: from, to_version: to, ended_at: endedAt } = row;
    return [{ ...state, ecosystem, package: spelling, from, to, endedAt }];
  });
}

export async function describeReadings(ctx: Context, rows: readonly ReadingRow[]): Promise<ReadingState[]> {
  const waiting = rows.filter(({ state }) => state === 'waiting');
  const ahead = await readingsAhead(ctx, waiting);
  return rows.map((row) => {
    const isLost = row.state === 'running' && isOverdue(row, ctx.clock());
    const reason = isLost ? 'it took too long' : row.reason;
    return {
      id: row.id,
      state: isLost ? 'failed' : row.state,
      parts: partsOfReading(row),
      startedAt: row.started_at,
      waitAhead: ahead.get(row.id) ?? 0,
      ...(reason === null ? {} : { reason }),
    };
  });
}

// Its worker may have died; another one takes the reading over.
function isOverdue({ started_at }: ReadingRow, at: Date): boolean {
  return started_at !== null && Date.parse(started_at) + MAX_READING_MS < at.getTime();
}

export function partsOfReading(row: ReadingRow): ReadingPart[] {
  const known = new Map(parseJson(row.parts).map((part) => [part.part, part]));
  return READING_PARTS.map((part) => known.get(part) ?? { part, state: 'waiting', text: WAITING[part] });
}

const WAITING: Record<ReadingPart['part'], string> = {
  listing: 'Its versions',
  comparison: 'The two packages side by side',
  notes: 'Notes inside the package',
  repository: 'Notes of its repository',
  steps: 'The steps between',
};

async function readingsAhead(ctx: Context, rows: readonly ReadingRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const { rows: counted } = await sql<{ id: string; ahead: number }>`SELECT r.id,
      (SELECT COUNT(*) FROM readings a WHERE a.ended_at IS NULL
        AND (a.priority, a.turn_at) < (r.priority, r.turn_at)) AS ahead
    FROM readings r WHERE r.id IN (${sql.join(rows.map(({ id }) => id))})`.execute(queries(ctx));
  return new Map(counted.map(({ id, ahead }) => [id, Number(ahead)]));
}

const KEPT_MS = 24 * 3_600_000;

// Nobody waits any more for what ended a day ago.
export async function purgeReadings(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock().getTime() - KEPT_MS).toISOString();
  await transact(ctx, ({ tx }) => tx.deleteFrom('readings').where('ended_at', '<=', before).execute(), 'bookkeeping');
}
