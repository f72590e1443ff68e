// Migration notes as steps, read once for each entry of a page.
import { migrationSteps } from '../../domain/notes/steps.ts';

export function steps({ migrationNotes }: { migrationNotes: string | null }): string[] {
  return migrationNotes === null ? [] : migrationSteps(migrationNotes);
}
