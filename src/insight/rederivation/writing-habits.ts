// How a source usually writes, counted over its newest releases: sentences that most of them repeat, and what its
// warning signs mean.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import type { Habits } from '../../domain/notes/index.ts';
import { computed } from '../../threads/computed.ts';
import { HABIT_READING } from './habit-task.ts';

const COUNTED_RELEASES = 200;

const COUNTED_CHARACTERS = 20_000;

// Below this number of releases nothing is a habit.
export const FEWEST_RELEASES = 6;

interface HabitCount {
  habits: Habits;
  releases: number;
}

// The newest releases say how a source writes today.
export async function countHabits(ctx: WriteContext, sourceId: string): Promise<HabitCount> {
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
  const bodies = rows.map(({ content }) => content);
  return {
    habits: computed({ task: HABIT_READING, input: bodies, size: bodies.join('').length }),
    releases: Math.max(rows.length, Number(figures?.release_count ?? 0), 1),
  };
}
