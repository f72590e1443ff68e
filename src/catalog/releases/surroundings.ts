// The source, org and product of each release, loaded once for a page of releases.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { AppPlatform, Category, Discovery, Kind, SourceType, VideoProvider } from '../../contract/enums.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';

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

// The oldest linked account represents the org; expects the org under the alias `o`.
export function githubHandle() {
  return sql<string | null>`(SELECT a.handle FROM org_accounts a
    WHERE a.org_id = o.id AND a.platform = 'github' AND a.deleted_at IS NULL
    ORDER BY a.created_at, a.handle LIMIT 1)`;
}
