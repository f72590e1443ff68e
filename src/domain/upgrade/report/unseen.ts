// What a row may say of names that are not used: no comfort over what nobody read. Behaviour shows in notes alone, so a step with
// versions whose notes were not read, or with changes that no name stands for, is not known to leave a project alone.
import type { UseWord } from '../../uses/use.ts';
import type { ReportRow } from './row.ts';

const COMFORT: ReadonlySet<UseWord | undefined> = new Set(['imported_not_used', 'not_used', 'met', 'not_imported']);

export function withDoubt(row: ReportRow): ReportRow {
  const { use, direct } = row;
  if (use === undefined || !COMFORT.has(use.use)) return row;
  // What only other packages load does nothing in the project's own code. What the project itself names acts without an import:
  // by its commands, or as somebody's plugin.
  if (use.use === 'not_imported' && direct !== true) return row;
  const unseen = unseenOf(row);
  if (unseen === null) return row;
  return { ...row, use: { use: 'unclear', places: [], count: 0, ...(use.has && { has: use.has }), unseen } };
}

// What was not seen of the step of a row; null when all of it was.
function unseenOf({ read, verdict, steps, moreSteps }: ReportRow): string | null {
  if (!read) return 'not all of its notes were read';
  const { of, missing, silent } = read;
  if (missing > 0) return `${share(missing, of)} no notes`;
  if (silent > 0) return `the notes of ${silent} of ${of} ${of === 1 ? 'version' : 'versions'} do not say`;
  if (verdict !== 'major' && verdict !== 'minor') return null;
  const told = steps.filter(({ from }) => from === 'notes');
  if (told.length === 0) return 'its notes do not say what breaks';
  return moreSteps === 0 && told.every(({ use }) => COMFORT.has(use)) ? null : 'its notes tell of more than names';
}

function share(missing: number, of: number): string {
  if (of === 1) return 'its version has';
  return `${missing} of ${of} versions ${missing === 1 ? 'has' : 'have'}`;
}
