import type { CoverableRelease } from './release.ts';

const RANK: Record<string, number> = { github: 0, feed: 1, scrape: 2, agent: 2, video: 3, appstore: 4 };

// Sorts the release that stands for a launch to the front.
export function compareCanonical(a: CoverableRelease, b: CoverableRelease): number {
  return (
    Number(b.source.isPrimary) - Number(a.source.isPrimary) ||
    rankOf(a) - rankOf(b) ||
    b.contentChars - a.contentChars ||
    compareText(a.publishedAt, b.publishedAt) ||
    compareText(a.id, b.id)
  );
}

function rankOf({ source }: CoverableRelease): number {
  return RANK[source.type] ?? 9;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
