// Releases as list items: their wire fields with source, org and product.

import type { Context } from '../../context.ts';
import type { FeedItem, LeanReleaseItem, ReleaseItem } from '../../contract/release.ts';
import { factsOf } from '../../domain/source-types.ts';
import { type ReleaseColumns, releaseFields } from './release-fields.ts';
import { loadSurroundings, type ReleaseOwners } from './surroundings.ts';

export async function releaseItems(
  ctx: Context,
  rows: readonly (ReleaseColumns & { content: string })[],
): Promise<ReleaseItem[]> {
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.map((row) => {
    const item: LeanReleaseItem & { content?: string } = leanItem(ctx, row, around(surroundings, row));
    item.content = row.content;
    return item as ReleaseItem;
  });
}

export async function feedItems(
  ctx: Context,
  rows: readonly (ReleaseColumns & { content?: string })[],
): Promise<FeedItem[]> {
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.map((row) => {
    const item: FeedItem = leanItem(ctx, row, around(surroundings, row));
    if (row.content !== undefined) item.content = row.content;
    return item;
  });
}

function around(surroundings: Map<string, ReleaseOwners>, row: ReleaseColumns): ReleaseOwners {
  const found = surroundings.get(row.source_id);
  if (!found) throw new Error(`release ${row.id} has no source`);
  return found;
}

// Lists have thousands of items: further fields are added to the object in place, because copying costs more than
// reading, and releases of one source share the objects that describe it.
export function leanItem(ctx: Context, row: ReleaseColumns, near: ReleaseOwners): LeanReleaseItem {
  const item = releaseFields(row, ctx.config.webUrl, near.orgId) as LeanReleaseItem;
  const { source, org, product } = ownersOf(near);
  item.source = source;
  item.org = org;
  item.product = product;
  item.groupSlug = near.productSlug ?? near.sourceSlug;
  item.groupName = near.productName ?? near.sourceName;
  return item;
}

type ItemOwners = Pick<LeanReleaseItem, 'source' | 'org' | 'product'>;

const itemOwners = new WeakMap<ReleaseOwners, ItemOwners>();

function ownersOf(near: ReleaseOwners): ItemOwners {
  let owners = itemOwners.get(near);
  if (owners === undefined) {
    owners = {
      source: releaseSourceOf(near),
      org: near.orgId ? { id: near.orgId, slug: near.orgSlug ?? '', name: near.orgName ?? '' } : null,
      product: near.productId
        ? {
            id: near.productId,
            slug: near.productSlug ?? '',
            name: near.productName ?? '',
            kind: near.productKind,
          }
        : null,
    };
    itemOwners.set(near, owners);
  }
  return owners;
}

function releaseSourceOf(near: ReleaseOwners): LeanReleaseItem['source'] {
  return {
    id: near.sourceId,
    slug: near.sourceSlug,
    name: near.sourceName,
    type: near.sourceType,
    kind: near.sourceKind,
    orgSlug: near.orgSlug,
    orgName: near.orgName,
    orgAvatarUrl: near.orgAvatarUrl,
    orgGithubHandle: near.orgGithubHandle,
    ...storeAndVideo(near),
  };
}

type StoreAndVideo = Pick<LeanReleaseItem['source'], 'appStore' | 'video'>;

export function storeAndVideo(near: ReleaseOwners): StoreAndVideo {
  const result: StoreAndVideo = {};
  const { details } = factsOf(near.sourceType);
  if (details === 'appStore') {
    result.appStore = { platform: near.appPlatform === 'macos' ? 'macos' : 'ios', iconUrl: near.appIconUrl };
  }
  if (details === 'video' && near.videoProvider) {
    result.video = { provider: near.videoProvider };
  }
  return result;
}
