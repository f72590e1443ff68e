// Collections and their members as wire fields, for lists, details and search hits, and the lists themselves.
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type {
  CollectionListItem,
  CollectionMember,
  CollectionRowShape,
  MemberPreview,
  OrgMemberPreview,
} from '../../contract/collection.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { foldName } from '../../domain/clean-text.ts';
import { pick } from '../../domain/records.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import { githubHandle } from '../github-handle.ts';
import { containsFolded } from '../visible.ts';

const PREVIEWS = 3;

export function collectionFields(row: CollectionRow): CollectionRowShape {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    isFeatured: row.is_featured === 1,
    dailySummaryEnabled: false,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function collectionListItems(ctx: Context, rows: readonly CollectionRow[]): Promise<CollectionListItem[]> {
  const members = await visibleMembers(ctx, { collectionIds: rows.map((row) => row.id), most: PREVIEWS });
  return rows.map((row) => {
    const shown = members.get(row.id) ?? [];
    const previewMembers = shown.map(memberPreview);
    const fields = collectionFields(row);
    return {
      ...pick(fields, 'slug', 'name', 'description'),
      memberCount: shown[0]?.memberCount ?? 0,
      isFeatured: fields.isFeatured,
      previewMembers,
      previewOrgs: previewMembers.flatMap((member) => (member.kind === 'org' ? [withoutKind(member)] : [])),
    };
  });
}

export function withoutKind<T extends OrgMemberPreview & { kind: 'org' }>({ kind: _, ...org }: T): Omit<T, 'kind'> {
  return org;
}

// The public members of collections, in the order of the collection: position, name, slug.

interface RankedMember extends MemberRow {
  collectionId: string;
  position: number;
  releaseCount: number;
  // The number of visible members of the whole collection, independent of the limit.
  memberCount: number;
}

// At most `most` of each collection, so that the previews of a page of collections are one small query.
export async function visibleMembers(
  ctx: Context,
  input: { collectionIds: readonly string[]; most?: number },
): Promise<Map<string, RankedMember[]>> {
  const { collectionIds, most = Number.MAX_SAFE_INTEGER } = input;
  if (collectionIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .with('ranked', () => rankedMembers(ctx, collectionIds))
    .selectFrom('ranked')
    .innerJoin('orgs as o', 'o.id', 'ranked.org_id')
    .leftJoin('products as p', 'p.id', 'ranked.product_id')
    .select(memberColumns())
    .select(['ranked.collection_id as collectionId', 'ranked.position', 'ranked.member_count as memberCount'])
    .select(memberReleaseCount().as('releaseCount'))
    .where('ranked.rank', '<=', most)
    .orderBy('ranked.collection_id')
    .orderBy('ranked.rank')
    .execute();
  const numbered = rows.map((row) => ({ ...row, releaseCount: Number(row.releaseCount) }));
  return Map.groupBy(numbered, (row) => row.collectionId);
}

function rankedMembers(ctx: Context, collectionIds: readonly string[]) {
  return queries(ctx)
    .selectFrom('collection_members as m')
    .leftJoin('products as p', 'p.id', 'm.product_id')
    .innerJoin('orgs as o', (join) => join.on(sql`o.id`, '=', sql`COALESCE(m.org_id, p.org_id)`))
    .select(['m.collection_id', 'm.position', 'o.id as org_id', 'p.id as product_id'])
    .select(
      sql<number>`ROW_NUMBER() OVER (PARTITION BY m.collection_id ORDER BY m.position,
        COALESCE(p.name_key, o.name_key), COALESCE(p.slug, o.slug), COALESCE(p.id, o.id))`.as('rank'),
    )
    .select(sql<number>`COUNT(*) OVER (PARTITION BY m.collection_id)`.as('member_count'))
    .where('m.collection_id', 'in', collectionIds)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .where('p.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('p.id', 'is', null), eb('p.is_hidden', '=', 0)]));
}

// An org, or a product with its org; one row for both, read under the aliases o (orgs) and p (products).
interface MemberRow {
  orgId: string;
  orgSlug: string;
  orgName: string;
  orgDescription: string | null;
  domain: string | null;
  avatarUrl: string | null;
  githubHandle: string | null;
  productId: string | null;
  productSlug: string | null;
  productName: string | null;
  productDescription: string | null;
}

export function memberColumns() {
  return [
    'o.id as orgId',
    'o.slug as orgSlug',
    'o.name as orgName',
    'o.description as orgDescription',
    'o.domain as domain',
    'o.avatar_url as avatarUrl',
    githubHandle().as('githubHandle'),
    'p.id as productId',
    'p.slug as productSlug',
    'p.name as productName',
    'p.description as productDescription',
  ] as const;
}

export function memberPreview(row: MemberRow): MemberPreview {
  const { domain, avatarUrl, githubHandle: handle } = row;
  const org = { slug: row.orgSlug, name: row.orgName, domain, avatarUrl, githubHandle: handle };
  if (row.productId === null) return { kind: 'org', ...org, description: row.orgDescription };
  const { productSlug, productName, productDescription } = row;
  return { kind: 'product', slug: productSlug ?? '', name: productName ?? '', description: productDescription, org };
}

export function placedMember(row: MemberRow & { position: number; releaseCount: number }): CollectionMember {
  const { position, releaseCount } = row;
  return { id: row.productId ?? row.orgId, position, releaseCount, ...memberPreview(row) };
}

// Visible releases, from the counters that writes maintain; expects a visible member under o and p.
function memberReleaseCount() {
  return sql<number>`(CASE WHEN p.id IS NULL THEN o.release_count ELSE
    (SELECT COALESCE(SUM(f.release_count), 0) FROM sources s JOIN source_figures f ON f.source_id = s.id
      WHERE s.product_id = p.id AND s.deleted_at IS NULL AND s.is_hidden = 0) END)`;
}

interface CollectionListInput {
  featured?: boolean;
  q?: string;
  page: number;
  limit: number;
}

export async function listCollections(ctx: Context, input: CollectionListInput): Promise<Page<CollectionListItem>> {
  let collections = queries(ctx).selectFrom('collections');
  if (input.featured !== undefined) collections = collections.where('is_featured', '=', input.featured ? 1 : 0);
  if (input.q) collections = collections.where(nameOrSlugHolds(input.q));
  const counted = await collections.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await collections
    .selectAll()
    .orderBy('name_key')
    .orderBy('slug')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const pagination = paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) });
  return { items: await collectionListItems(ctx, rows), pagination };
}

function nameOrSlugHolds(q: string): Expression<SqlBool> {
  const text = foldName(q);
  return sql<SqlBool>`(${containsFolded('name_key', text)} OR ${containsFolded('slug', text)})`;
}

// The collections that contain the org or one of its products, by name. The caller has already checked the visibility
// of the org.
export async function collectionsOfOrg(ctx: Context, orgId: string): Promise<CollectionListItem[]> {
  const products = queries(ctx)
    .selectFrom('products')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0);
  const holding = memberships(ctx).where((eb) => eb.or([eb('org_id', '=', orgId), eb('product_id', 'in', products)]));
  return collectionsIn(ctx, holding);
}

export async function collectionsOfProduct(ctx: Context, productId: string): Promise<CollectionListItem[]> {
  return collectionsIn(ctx, memberships(ctx).where('product_id', '=', productId));
}

async function collectionsIn(ctx: Context, holding: ReturnType<typeof memberships>): Promise<CollectionListItem[]> {
  const rows = await queries(ctx)
    .selectFrom('collections')
    .selectAll()
    .where('id', 'in', holding)
    .orderBy('name_key')
    .orderBy('slug')
    .execute();
  return collectionListItems(ctx, rows);
}

function memberships(ctx: Context) {
  return queries(ctx).selectFrom('collection_members').select('collection_id');
}
