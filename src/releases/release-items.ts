// Releases as list items: their wire fields with source, org and product.
import { type Context, queries } from '../context.ts';
import type { AppPlatform, Category, Discovery, Kind, SourceType, VideoProvider } from '../contract/enums.ts';
import type { FeedItem, LeanReleaseItem, ReleaseItem } from '../contract/release.ts';
import { factsOf } from '../domain/source-types.ts';
import { githubHandle } from '../entities/github-handle.ts';
import { ONE_PLAN } from '../store/query-builder.ts';
import { authoredMark, authorsOf } from './authored.ts';
import { type ReleaseColumns, releaseFields } from './release-fields.ts';
import { withdrawnAtRegistry } from './withdrawn.ts';

// The source, org and product of a release.
export interface ReleaseOwners {
  sourceId: string;
  sourceSlug: string;
  sourceName: string;
  sourceType: SourceType;
  sourceKind: Kind | null;
  sourceIsHidden: number;
  appPlatform: AppPlatform | null;
  appIconUrl: string | null;
  videoProvider: VideoProvider | null;
  orgId: string | null;
  orgSlug: string | null;
  orgName: string | null;
  orgAvatarUrl: string | null;
  orgGithubHandle: string | null;
  orgDiscovery: Discovery | null;
  orgIsHidden: number | null;
  orgCategory: Category | null;
  productId: string | null;
  productSlug: string | null;
  productName: string | null;
  productKind: Kind | null;
  productCategory: Category | null;
  productIsHidden: number | null;
}

// Loaded once for a page of releases.
export async function loadSurroundings(ctx: Context, sourceIds: Iterable<string>): Promise<Map<string, ReleaseOwners>> {
  const ids = [...new Set(sourceIds)];
  if (ids.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select([
      's.id as sourceId',
      's.slug as sourceSlug',
      's.name as sourceName',
      's.type as sourceType',
      's.kind as sourceKind',
      's.is_hidden as sourceIsHidden',
      's.app_platform as appPlatform',
      's.app_icon_url as appIconUrl',
      's.video_provider as videoProvider',
      'o.id as orgId',
      'o.slug as orgSlug',
      'o.name as orgName',
      'o.avatar_url as orgAvatarUrl',
      'o.discovery as orgDiscovery',
      'o.is_hidden as orgIsHidden',
      'o.category as orgCategory',
      'p.id as productId',
      'p.slug as productSlug',
      'p.name as productName',
      'p.kind as productKind',
      'p.category as productCategory',
      'p.is_hidden as productIsHidden',
      githubHandle().as('orgGithubHandle'),
    ])
    .where(ctx.store.dialect.amongIds('s.id', ids))
    .modifyEnd(ONE_PLAN)
    .execute();
  return new Map(rows.map((row) => [row.sourceId, row]));
}

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
  const sources = rows.map((row) => row.source_id);
  const ids = rows.map((row) => row.id);
  // Together: on a server across the network they wait once.
  const [surroundings, withdrawn, authors] = await Promise.all([
    loadSurroundings(ctx, sources),
    withdrawnAtRegistry(ctx, ids),
    authorsOf(ctx, ids),
  ]);
  return rows.map((row) => {
    const near = around(surroundings, row);
    const item: FeedItem = leanItem(ctx, row, near);
    const author = authors.get(row.id);
    if (author) item.authored = authoredMark(author, near.orgSlug);
    if (withdrawn.has(row.id)) item.withdrawn = true;
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
