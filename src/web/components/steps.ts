// Migration notes as steps, read once for each entry of a page.
import { migrationSteps } from '../../domain/notes/steps.ts';

export function steps({ migrationNotes }: { migrationNotes: string | null }): string[] {
  return migrationNotes === null ? [] : migrationSteps(migrationNotes);
}

interface ToldStep {
  from: 'notes' | 'package';
  releaseIds: readonly string[];
}

// How many steps an entry asks for, by its notes or by the guide that goes with them.
export function countSteps(
  { id, migrationNotes }: { id: string; migrationNotes: string | null },
  told: readonly ToldStep[],
): number {
  const merged = told.filter(({ from, releaseIds }) => from === 'notes' && releaseIds.includes(id));
  return Math.max(merged.length, steps({ migrationNotes }).length);
}
