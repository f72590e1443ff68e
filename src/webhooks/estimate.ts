// How many releases of the last 30 days a webhook would have sent, so that its owner knows what to expect.
import { followedReleases } from '../accounts/following/list-follows.ts';
import type { Context } from '../context.ts';
import type { ReleaseType } from '../contract/enums.ts';
import type { MeaningFilter } from '../domain/meaning/passes-meaning.ts';
import { countFeed } from '../releases/feeds/feed.ts';
import type { Branch } from '../releases/feeds/feed-query.ts';

export const ESTIMATED_DAYS = 30;
// Each is a query of its own.
const MAX_BRANCHES = 200;

interface EstimatedWebhook {
  // Null: everything that the account follows.
  org: { id: string } | null;
  productId?: string | null;
  sourceId?: string | null;
  releaseType?: ReleaseType | null;
  excludePrereleases: boolean;
  meaning: MeaningFilter;
}

// Null where it would take too long to count.
export async function estimateReleases(
  ctx: Context,
  userId: string,
  { org, productId, sourceId, releaseType, excludePrereleases, meaning }: EstimatedWebhook,
): Promise<number | null> {
  const own: Branch | null = sourceId
    ? { column: 'source_id', value: sourceId }
    : productId
      ? { column: 'product_id', value: productId }
      : org && { column: 'org_id', value: org.id };
  const { branches, only } = own ? { branches: [own], only: undefined } : await followedReleases(ctx, userId);
  if (branches.length > MAX_BRANCHES) return null;
  const since = new Date(ctx.clock().getTime() - ESTIMATED_DAYS * 86_400_000).toISOString();
  const filter = {
    since,
    includePrereleases: !excludePrereleases,
    meaning,
    only,
    ...(releaseType ? { type: releaseType } : {}),
  };
  return countFeed(ctx, { branches, filter });
}
