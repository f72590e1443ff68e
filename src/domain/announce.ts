// Decides whether an inserted release is announced by an event. The first rule that applies decides.
export interface InsertedRelease {
  listed: boolean;
  silent: boolean;
  announce: boolean;
  writtenBy: 'operator' | 'fetch' | 'backfill' | 'lookup' | 'import';
  firstFetch: boolean;
  // Days between publication and the fetch; null when undated.
  ageDays: number | null;
  undatedInRun: number;
  identityLost: boolean;
}

const OLD_NEWS_DAYS = 30;
const MANY_UNDATED = 10;

export function announces(insertion: InsertedRelease): boolean {
  const { writtenBy, ageDays } = insertion;
  if (!insertion.listed) return false;
  if (insertion.silent || writtenBy === 'lookup' || writtenBy === 'import') return false;
  if (insertion.announce || writtenBy === 'operator') return true;
  if (insertion.firstFetch || writtenBy === 'backfill') return false;
  if (ageDays !== null && ageDays > OLD_NEWS_DAYS) return false;
  if ((ageDays === null && insertion.undatedInRun > MANY_UNDATED) || insertion.identityLost) return false;
  return true;
}
