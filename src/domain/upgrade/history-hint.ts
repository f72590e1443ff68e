// What a caller is told when versions of a range may be missing, and how to have the source followed.

// Who could make the registry look again.
export interface FollowState {
  tracked: boolean;
  coordinate: string | null;
  id: string;
}

interface HistoryFacts extends FollowState {
  ends: boolean;
  begins: boolean;
  lowest: string | null;
  highest: string | null;
  from: string;
  // Null: whatever is the newest.
  to: string | null;
  checkedAt: string | null;
  failingSince: string | null;
}

export function historyHint(facts: HistoryFacts): string {
  const sentences = [facts.ends ? ending(facts) : null, facts.begins ? beginning(facts) : null, ...check(facts)];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

function ending({ highest, to }: HistoryFacts): string {
  const known = highest === null ? 'No version of this package is stored' : `Stored versions end at ${highest}`;
  return to === null ? `${known}, and newer ones may exist.` : `${known}; what came after it up to ${to} is not known.`;
}

function beginning({ lowest, from }: HistoryFacts): string {
  return `Stored versions begin at ${lowest}; what came between ${from} and it is not known.`;
}

function check({ checkedAt, failingSince, ...followed }: HistoryFacts): (string | null)[] {
  const last =
    checkedAt === null
      ? 'The source was never checked for newer releases.'
      : `The source was last checked at ${checkedAt}.`;
  if (failingSince !== null) return [last, `Its fetches have failed since ${failingSince}.`, ...followHints(followed)];
  return [last, ...(followed.tracked ? ['It is checked regularly, so ask again later.'] : followHints(followed))];
}

// None for a source that is checked by itself.
export function followHints({ tracked, coordinate, id }: FollowState): string[] {
  if (tracked) return [];
  const lookup = coordinate === null ? [] : [`POST /v1/lookups for ${coordinate} reads it now.`];
  const resume = `To have it followed, an operator resumes it (PATCH /v1/sources/${id} with fetchPriority normal and isHidden false) or imports it with --track.`;
  return [...lookup, resume];
}
