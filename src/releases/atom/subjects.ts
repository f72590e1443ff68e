// The subject of a public feed: an org, a product, a source, a collection, a category, or the whole registry.
import { type Context, queries } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import { resolveCollection } from '../../entities/collections/detail.ts';
import { openOrg, openProduct } from '../../entities/open.ts';
import { type ProductPath, resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { categoryTextOf } from '../../entities/taxonomy/category-text.ts';
import { sourceFeed } from '../details/source.ts';
import { collectionBranches } from '../feeds/collection.ts';
import type { Branch, FeedFilter } from '../feeds/feed-query.ts';

export interface FeedSubject {
  // The part of the feed's id that names it: `org/org_…`.
  key: string;
  name: string;
  description: string | null;
  // Null for the feed of the whole registry.
  author: string | null;
  icon: string | null;
  // Null for the registry and its categories, which have no date of creation.
  createdAt: string | null;
  changedAt: string | null;
  branches: readonly Branch[];
  filter: Pick<FeedFilter, 'hidden' | 'packagePart'>;
}

export async function orgSubject(ctx: Context, identifier: string): Promise<FeedSubject> {
  const org = await openOrg(ctx, identifier);
  return {
    key: `org/${org.id}`,
    name: org.name,
    description: org.description,
    author: org.name,
    icon: org.avatar_url,
    createdAt: org.created_at,
    changedAt: org.updated_at,
    branches: [{ column: 'org_id', value: org.id }],
    filter: {},
  };
}

export async function productSubject(ctx: Context, path: ProductPath): Promise<FeedSubject> {
  const { product, org } = await openProduct(ctx, path);
  return {
    key: `product/${product.id}`,
    name: product.name,
    description: product.description,
    author: org.name,
    icon: product.avatar_url ?? org.avatar_url,
    createdAt: product.created_at,
    changedAt: product.updated_at > org.updated_at ? product.updated_at : org.updated_at,
    branches: [{ column: 'product_id', value: product.id }],
    filter: {},
  };
}

export async function sourceSubject(ctx: Context, path: SourcePath): Promise<FeedSubject> {
  const found = await resolveSource(ctx, path);
  const { source, org } = found;
  return {
    key: `source/${source.id}`,
    name: source.name,
    description: null,
    author: org?.name ?? source.name,
    icon: org?.avatar_url ?? null,
    createdAt: source.created_at,
    changedAt: source.updated_at,
    branches: sourceFeed(found).branches,
    filter: { hidden: !found.visible },
  };
}

export async function collectionSubject(ctx: Context, identifier: string): Promise<FeedSubject> {
  const collection = await resolveCollection(ctx, identifier);
  return {
    key: `collection/${collection.id}`,
    name: collection.name,
    description: collection.description,
    author: null,
    icon: null,
    createdAt: collection.created_at,
    changedAt: collection.updated_at,
    branches: await collectionBranches(ctx, collection.id),
    filter: {},
  };
}

export async function categorySubject(ctx: Context, slug: Category): Promise<FeedSubject> {
  const { name, description } = await categoryTextOf(ctx, slug);
  const edited = await queries(ctx)
    .selectFrom('categories')
    .select('updated_at')
    .where('slug', '=', slug)
    .executeTakeFirst();
  return {
    key: `category/${slug}`,
    name,
    description,
    author: null,
    icon: null,
    createdAt: null,
    changedAt: edited?.updated_at ?? null,
    branches: [{ column: 'effective_category', value: slug }],
    filter: {},
  };
}

export const REGISTRY_SUBJECT: FeedSubject = {
  key: 'home/releases',
  name: 'Latest releases',
  description: null,
  author: null,
  icon: null,
  createdAt: null,
  changedAt: null,
  branches: [{ column: null, value: '' }],
  filter: {},
};
