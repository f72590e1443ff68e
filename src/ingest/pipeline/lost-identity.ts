// A site that moves its addresses shows everything it ever published as new. Nobody is to be told of that.
import type { StoredItemKey } from './stored-keys.ts';

interface Comparison {
  // A document that was read whole.
  drafts: readonly { publishedAt: string | null }[];
  // Stored rows that a draft was found to be.
  found: readonly StoredItemKey[];
  stored: readonly StoredItemKey[];
}

// Less than this can be an accident of one or two entries.
const FEWEST = 3;

// Whether more than half of what the document should still show is not in it any more.
export function lostIdentity({ drafts, found, stored }: Comparison): boolean {
  const dates = drafts.flatMap(({ publishedAt }) => publishedAt ?? []).sort();
  const [oldest] = dates;
  const showsUndated = dates.length < drafts.length;
  // What is older than the oldest entry may just have left the document.
  const expected = stored.filter(
    (row) =>
      isFetched(row) && (row.published_at === null || oldest === undefined ? showsUndated : row.published_at >= oldest),
  );
  if (expected.length < FEWEST) return false;
  const seen = new Set(found.map((row) => row.id));
  return expected.filter((row) => !seen.has(row.id)).length * 2 > expected.length;
}

// Rows that an operator posted, and suppressed ones, need not be in the document.
function isFetched({ origin, suppressed }: StoredItemKey): boolean {
  return origin !== 'api' && suppressed === 0;
}
