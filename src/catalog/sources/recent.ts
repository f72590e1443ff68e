// Plain lists of one source's releases, for callers that compare with what they hold.
import type { Context } from '../../context.ts';
import type { ReleaseItem } from '../../contract/release.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import { feedRows } from '../releases/feed.ts';
import type { FeedRow } from '../releases/feed-query.ts';
import { releaseItems } from '../releases/release-fields.ts';
import type { SourceInOrg } from '../resolve.ts';
import { sourceFeed } from './detail.ts';

type RecentRelease = ReleaseItem & { sourceName: string; sourceSlug: string; contentHash: string };

// `cutoff` itself is left out.
export async function recentReleases(
  ctx: Context,
  found: SourceInOrg,
  { cutoff, limit, includePrereleases }: { cutoff: string; limit: number; includePrereleases: boolean },
): Promise<RecentRelease[]> {
  const { branches, hidden } = sourceFeed(found);
  const filter = { hidden, since: justAfter(cutoff), includePrereleases };
  const rows = await feedRows(ctx, branches, filter, { limit }, null);
  const items = await releaseItems(ctx, rows as ReleaseRow[]);
  return items.map((item, index) => ({
    ...item,
    sourceName: found.source.name,
    sourceSlug: found.source.slug,
    contentHash: (rows[index] as FeedRow).content_hash,
  }));
}

function justAfter(iso: string): string {
  return new Date(Date.parse(iso) + 1).toISOString();
}

interface KnownRelease {
  id: string;
  version: string | null;
  title: string;
  publishedAt: string | null;
  url: string | null;
}

export async function knownReleases(ctx: Context, found: SourceInOrg, limit: number): Promise<KnownRelease[]> {
  const { branches, hidden } = sourceFeed(found);
  const filter = { hidden, includePrereleases: true };
  const rows = await feedRows(ctx, branches, filter, { limit, includeContent: false }, null);
  return rows.map(({ id, version, title, published_at, url }) => ({
    id,
    version,
    title,
    publishedAt: published_at,
    url,
  }));
}
