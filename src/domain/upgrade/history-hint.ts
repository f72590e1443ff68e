// What a caller is told when versions of a range may be missing, and how to have the source followed.

export interface HistoryTold {
  ends: boolean;
  begins: boolean;
  lowest: string | null;
  highest: string | null;
  from: string;
  /** Null: whatever is the newest. */
  to: string | null;
  checkedAt: string | null;
  tracked: boolean;
  failingSince: string | null;
  coordinate: string | null;
  sourceId: string;
}

export function historyHint(told: HistoryTold): string {
  const sentences = [told.ends ? ending(told) : null, told.begins ? beginning(told) : null, ...check(told)];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

function ending({ highest, to }: HistoryTold): string {
  const known = highest === null ? 'No version of this package is stored' : `Stored versions end at ${highest}`;
  return to === null ? `${known}, and newer ones may exist.` : `${known}; what came after it up to ${to} is not known.`;
}

function beginning({ lowest, from }: HistoryTold): string {
  return `Stored versions begin at ${lowest}; what came between ${from} and it is not known.`;
}

function check({ checkedAt, tracked, failingSince, coordinate, sourceId }: HistoryTold): (string | null)[] {
  const last =
    checkedAt === null
      ? 'The source was never checked for newer releases.'
      : `The source was last checked at ${checkedAt}.`;
  const failing = failingSince === null ? null : `Its fetches have failed since ${failingSince}.`;
  if (tracked) return [last, failing ?? 'It is checked regularly, so ask again later.'];
  const lookup = coordinate === null ? null : `POST /v1/lookups for ${coordinate} reads it now.`;
  const resume = `To have it followed, an operator resumes it (PATCH /v1/sources/${sourceId} with fetchPriority normal and isHidden false) or imports it with --track.`;
  return [last, failing, lookup, resume];
}
