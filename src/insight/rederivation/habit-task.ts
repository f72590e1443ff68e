// Counts habits on a thread, which loads the module of its task with all that it imports, so no queries stand here.
import { type Habits, readHabits } from '../../domain/notes/index.ts';
import { threadTask } from '../../threads/task.ts';

export function habitsOf(bodies: readonly string[]): Habits {
  return readHabits(bodies);
}

export const HABIT_READING = threadTask(import.meta.url, habitsOf);
