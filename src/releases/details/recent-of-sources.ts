// Plain lists of one source's releases, for callers that compare them with their own.
import type { Context } from '../../context.ts';
import type { ReleaseItem } from '../../contract/release.ts';
import { elementAt } from '../../domain/records.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { feedRows, wholeRows } from '../feeds/feed.ts';
import { releaseItems } from '../release-items.ts';
import { sourceFeed } from './source.ts';

type RecentRelease = ReleaseItem & { sourceName: string; sourceSlug: string; contentHash: string };

// A release published exactly at `cutoff` is left out.
export async function recentReleases(
  ctx: Context,
  found: SourceInOrg,
  { cutoff, limit, includePrereleases }: { cutoff: string; limit: number; includePrereleases: boolean },
): Promise<RecentRelease[]> {
  const { branches, hidden } = sourceFeed(found);
  const filter = { hidden, since: justAfter(cutoff), includePrereleases };
  const rows = await wholeRows(ctx, { branches, filter, page: { limit }, after: null });
  const items = await releaseItems(ctx, rows);
  return items.map((item, index) => ({
    ...item,
    sourceName: found.source.name,
    sourceSlug: found.source.slug,
    contentHash: elementAt(rows, index).content_hash,
  }));
}

function justAfter(iso: string): string {
  return new Date(Date.parse(iso) + 1).toISOString();
}

interface PublishedRelease {
  id: string;
  version: string | null;
  title: string;
  publishedAt: string | null;
  url: string | null;
}

export async function knownReleases(ctx: Context, found: SourceInOrg, limit: number): Promise<PublishedRelease[]> {
  const { branches, hidden } = sourceFeed(found);
  const filter = { hidden, includePrereleases: true };
  const rows = await feedRows(ctx, { branches, filter, page: { limit, includeContent: false }, after: null });
  return rows.map(({ id, version, title, published_at, url }) => ({
    id,
    version,
    title,
    publishedAt: published_at,
    url,
  }));
}
