// What an account follows, and the feed of its releases. Hidden and deleted targets are left out until they are shown
// again.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Follow, PersonalFeed, TargetType } from '../../contract/account.ts';
import { packageOfKey } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { packageOfRelease } from '../../packages/listings/of-release.ts';
import { visiblePackages } from '../../packages/whats-changed/listings.ts';
import { readFeed } from '../../releases/feeds/feed.ts';
import type { Branch, FeedFilter, FeedPage } from '../../releases/feeds/feed-query.ts';
import { ownAccount } from '../describe-caller.ts';

export async function listFollows(ctx: Context, input: { targetType?: TargetType }): Promise<{ follows: Follow[] }> {
  const { userId } = ownAccount(ctx);
  const isAsked = (type: TargetType) => input.targetType === undefined || input.targetType === type;
  const parts = [
    ...(isAsked('org') ? await followedOrgs(ctx, userId) : []),
    ...(isAsked('product') ? await followedProducts(ctx, userId) : []),
    ...(isAsked('package') ? await followedPackages(ctx, userId) : []),
  ];
  return { follows: parts.sort(newestFirst) };
}

interface FollowedTargets {
  orgs: string[];
  products: string[];
  // By their keys.
  packages: string[];
}

// What the personal feed holds releases of.
export async function followedTargets(ctx: Context, userId: string): Promise<FollowedTargets> {
  const rows = await queries(ctx)
    .selectFrom('follows')
    .select(['target_type', 'target_id'])
    .where('user_id', '=', userId)
    .execute();
  const of = (type: string) => rows.filter((row) => row.target_type === type).map((row) => row.target_id);
  return { orgs: of('org'), products: of('product'), packages: of('package') };
}

async function sourcesOf(ctx: Context, packages: readonly PackageName[]): Promise<string[]> {
  if (packages.length === 0) return [];
  const seen = await visiblePackages(ctx, packages);
  const rows = await queries(ctx)
    .selectFrom('packages')
    .select('source_id')
    .distinct()
    .where((eb) => eb.or(seen.map(({ ecosystem, name }) => eb.and({ ecosystem, name }))))
    .execute();
  return rows.map(({ source_id }) => source_id);
}

async function followedOrgs(ctx: Context, userId: string): Promise<Follow[]> {
  const rows = await queries(ctx)
    .selectFrom('follows as f')
    .innerJoin('orgs as o', 'o.id', 'f.target_id')
    .select(['f.target_id as targetId', 'f.created_at as createdAt', 'o.name', 'o.slug', 'o.avatar_url as avatarUrl'])
    .where('f.user_id', '=', userId)
    .where('f.target_type', '=', 'org')
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  return rows.map((row) => ({ targetType: 'org', ...row, orgSlug: null }));
}

async function followedProducts(ctx: Context, userId: string): Promise<Follow[]> {
  const rows = await queries(ctx)
    .selectFrom('follows as f')
    .innerJoin('products as p', 'p.id', 'f.target_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['f.target_id as targetId', 'f.created_at as createdAt', 'p.name', 'p.slug', 'o.slug as orgSlug'])
    .select((eb) => eb.fn.coalesce('p.avatar_url', 'o.avatar_url').as('avatarUrl'))
    .where('f.user_id', '=', userId)
    .where('f.target_type', '=', 'product')
    .where('p.deleted_at', 'is', null)
    .where('p.is_hidden', '=', 0)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  return rows.map((row) => ({ targetType: 'product', ...row }));
}

// A package of a private registry is left out for accounts that were not admitted to it.
async function followedPackages(ctx: Context, userId: string): Promise<Follow[]> {
  const rows = await queries(ctx)
    .selectFrom('follows')
    .select(['target_id', 'created_at'])
    .where('user_id', '=', userId)
    .where('target_type', '=', 'package')
    .execute();
  const named = rows.flatMap(({ target_id, created_at }) => {
    const found = packageOfKey(target_id);
    return found ? [{ ...found, targetId: target_id, createdAt: created_at }] : [];
  });
  const seen = await visiblePackages(ctx, named);
  return seen.map(({ name, targetId, createdAt }) => {
    return { targetType: 'package', targetId, name, slug: name, avatarUrl: null, orgSlug: null, createdAt };
  });
}

function newestFirst(a: Follow, b: Follow): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.targetId < b.targetId ? 1 : -1;
}

export async function personalFeed(ctx: Context, input: { filter: FeedFilter; page: FeedPage }): Promise<PersonalFeed> {
  const { userId } = ownAccount(ctx);
  const { branches, only } = await followedReleases(ctx, userId);
  const { releases, pagination } = await readFeed(ctx, {
    branches,
    filter: { ...input.filter, only },
    page: { ...input.page, includeContent: false },
  });
  return { items: releases, pagination };
}

interface FollowedReleases {
  branches: Branch[];
  // A source may tell about more packages than those that are followed.
  only?: RawBuilder<boolean>;
}

export async function followedReleases(ctx: Context, userId: string): Promise<FollowedReleases> {
  const { orgs, products, packages } = await followedTargets(ctx, userId);
  const sources = await sourcesOf(
    ctx,
    packages.flatMap((key) => packageOfKey(key) ?? []),
  );
  return {
    branches: [
      ...orgs.map((value): Branch => ({ column: 'org_id', value })),
      ...products.map((value): Branch => ({ column: 'product_id', value })),
      ...sources.map((value): Branch => ({ column: 'source_id', value })),
    ],
    ...(sources.length > 0 && { only: isFollowed(userId) }),
  };
}

// A condition on the release `r`, of lookups that each find one row: an account may follow thousands. The order of the join
// is given, because SQLite would start with all that the account follows.
export function isFollowed(userId: string): RawBuilder<boolean> {
  const followed = (type: string, id: RawBuilder<unknown>) =>
    sql`EXISTS (SELECT 1 FROM follows f WHERE f.user_id = ${userId} AND f.target_type = ${type} AND f.target_id = ${id})`;
  return sql<boolean>`(${followed('org', sql`r.org_id`)} OR ${followed('product', sql`r.product_id`)}
    OR EXISTS (SELECT 1 FROM packages m CROSS JOIN follows f WHERE m.source_id = r.source_id AND ${packageOfRelease()}
      AND f.user_id = ${userId} AND f.target_type = 'package' AND f.target_id = m.ecosystem || ':' || m.name))`;
}
