// Which source is derived anew next: other rules than today's, work left undone, or twice the releases of the last count.
import { sql } from 'kysely';
import { type Context, queries, type WriteContext } from '../../context.ts';
import { type Habits, RULES_VERSION, readHabits } from '../../domain/notes/index.ts';

const COUNTED_RELEASES = 200;
const COUNTED_CHARACTERS = 20_000;
// Below this number of releases nothing is a habit.
const FEWEST_RELEASES = 6;

export async function dueSource(ctx: Context): Promise<string | null> {
  const row = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('derivations as d', 'd.source_id', 's.id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select('s.id')
    .where('s.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('d.source_id', 'is', null),
        eb('d.rules_version', '!=', RULES_VERSION),
        eb('d.finished', '=', 0),
        eb.and([eb('f.release_count', '>=', FEWEST_RELEASES), eb('f.release_count', '>=', sql<number>`2 * d.counted`)]),
      ]),
    )
    .orderBy('s.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

interface Count {
  habits: Habits;
  releases: number;
}

/** The newest releases say how a source writes today. */
export async function countHabits(ctx: WriteContext, sourceId: string): Promise<Count> {
  const rows = await ctx.tx
    .selectFrom('releases')
    .select(sql<string>`substr(content, 1, ${sql.lit(COUNTED_CHARACTERS)})`.as('content'))
    .where('source_id', '=', sourceId)
    .orderBy('seq', 'desc')
    .limit(COUNTED_RELEASES)
    .execute();
  const figures = await ctx.tx
    .selectFrom('source_figures')
    .select('release_count')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return {
    habits: readHabits(rows.map(({ content }) => content)),
    releases: Math.max(rows.length, Number(figures?.release_count ?? 0), 1),
  };
}
