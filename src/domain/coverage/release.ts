// What the coverage rules know about a release.
export interface CoverableSource {
  id: string;
  type: string;
  name: string;
  // `owner/repository`, for sources of a code host.
  repository: string | null;
  isPrimary: boolean;
}

export interface CoverableRelease {
  id: string;
  source: CoverableSource;
  product: { id: string; name: string } | null;
  title: string;
  // The order key of the version.
  version: string | null;
  versionText: string | null;
  packagePart: string | null;
  type: string;
  publishedAt: string;
  // The address, normalised as in identity keys.
  url: string | null;
  contentChars: number;
}

export const WINDOW_MS = 72 * 3_600_000;

export function timeApart(a: CoverableRelease, b: CoverableRelease): number {
  return Math.abs(Date.parse(a.publishedAt) - Date.parse(b.publishedAt));
}

const RANK: Record<string, number> = { github: 0, feed: 1, scrape: 2, agent: 2, video: 3, appstore: 4 };

// Sorts the release that should represent a launch to the front.
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
