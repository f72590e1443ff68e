// Whether the summary of a period says more than the list of its releases. One of few releases with about one change each is
// their titles over again.
import { summaryParts } from './summary-parts.ts';

const SEEN_IN_THE_LIST = 5;
// A count without any change.
const BARE = /^\d+ releases?(?:: [^\n]{1,200})?\.$/;

export function isDigest({ summary, releaseCount }: { summary: string; releaseCount: number }): boolean {
  if (releaseCount === 0) return false;
  if (releaseCount > SEEN_IN_THE_LIST) return true;
  const parts = summaryParts(summary);
  return parts === null ? !BARE.test(summary) : parts.statements.length >= 2 * releaseCount;
}
