// What is new to the owner of a stack since the last push, or since they marked it as seen.

interface KnownPackage {
  judged_at: string | null;
  judgement: string | null;
  target: string | null;
  target_at: string | null;
  seen_target: string | null;
}

// A version that stood there before was only read later: that is no news. Where no date is known, it is news only if another
// version was known to be the newest.
export function isFresh(row: KnownPackage, seenAt: string): boolean {
  const { judged_at, judgement, target, target_at, seen_target } = row;
  if (judged_at === null || judgement === null || target === seen_target) return false;
  return target_at === null ? seen_target !== null : target_at > seenAt;
}
