// The combined feed of an org's sources, and its recent releases as a bare list.
import type { Context } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import type { FeedItem, ReleaseFeed } from '../../contract/release.ts';
import { parseBound } from '../../domain/time-window.ts';
import { countedSources } from '../../entities/activity/counts.ts';
import { openOrg } from '../../entities/open.ts';
import { resolveProduct } from '../../entities/resolve.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { ownedFeed } from '../markdown/release.ts';
import { readCursor, readFeed } from './feed.ts';
import type { Branch, FeedFilter, FeedPage } from './feed-query.ts';

export interface OrgFeedInput {
  org: string;
  product?: string;
  filter: FeedFilter;
  page: FeedPage;
}

export async function orgFeed(ctx: Context, input: OrgFeedInput): Promise<ReleaseFeed> {
  // An invalid cursor is reported before a missing org.
  readCursor(input.page.cursor);
  const org = await openOrg(ctx, input.org);
  const { branch, hidden } = await scopeOf(ctx, org, input.product);
  const feed = await readFeed(ctx, { branches: [branch], filter: { ...input.filter, ...hidden }, page: input.page });
  return ownedFeed(feed, { organization: org.name });
}

export async function recentOrgReleases(
  ctx: Context,
  input: { org: string; since: string; limit: number; filter: FeedFilter },
): Promise<FeedItem[]> {
  const since = parseBound(input.since, 'since', ctx.clock());
  if (since === null) throw badRequest('since', 'must be a span such as 7d, a date or a date-time');
  const filter = { ...input.filter, since };
  const feed = await orgFeed(ctx, { org: input.org, filter, page: { limit: input.limit } });
  return feed.releases;
}

// A writer reads a hidden org or product like a visible one; its releases have the negative listing.
async function scopeOf(ctx: Context, org: OrgRow, product: string | undefined) {
  if (product === undefined) {
    const branch: Branch = { column: 'org_id', value: org.id };
    return { branch, hidden: org.is_hidden ? await unhidden(ctx, { orgId: org.id }) : {} };
  }
  const found = await resolveProduct(ctx, { org: org.id, product }, { parameter: 'product' });
  const branch: Branch = { column: 'product_id', value: found.product.id };
  const isHidden = org.is_hidden === 1 || found.product.is_hidden === 1;
  return { branch, hidden: isHidden ? await unhidden(ctx, { productId: found.product.id }) : {} };
}

async function unhidden(
  ctx: Context,
  owner: { orgId: string } | { productId: string },
): Promise<Pick<FeedFilter, 'hidden' | 'sourceIds'>> {
  const sources = await countedSources(ctx, owner);
  return { hidden: true, sourceIds: sources.map((source) => source.id) };
}
