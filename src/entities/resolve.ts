// Resolves the identifiers of a path or query to rows, under one set of visibility rules. Each resolved entity is
// recorded as a dependency of the response: a commit that changes it invalidates the cached response.

import { addDependencies, type Context, queries, type WriteContext } from '../context.ts';
import { seesHidden } from '../contract/caller.ts';
import { ApiError, notFound } from '../contract/errors.ts';
import { idPrefixOf, toProductId } from '../domain/ids.ts';
import { normalizeDomain } from '../domain/slugs.ts';
import { isVisibleSource } from '../domain/visibility.ts';
import { together } from '../store/pipeline.ts';
import type { OrgRow, ProductRow } from '../store/schema/orgs.ts';
import type { SourceRow } from '../store/schema/sources.ts';

type Where = { field?: string; parameter?: string };

// Identifiers are tried in this order: typed id, slug, primary domain, alias. Deleted orgs are never found.
export async function findOrg(ctx: Context, identifier: string): Promise<OrgRow | null> {
  const live = queries(ctx).selectFrom('orgs').selectAll('orgs').where('orgs.deleted_at', 'is', null);
  if (idPrefixOf(identifier) === 'org') return (await live.where('id', '=', identifier).executeTakeFirst()) ?? null;
  const bySlug = await live.where('slug', '=', identifier).executeTakeFirst();
  if (bySlug) return bySlug;
  const domain = normalizeDomain(identifier);
  if (!domain) return null;
  const byDomain = await live.where('domain', '=', domain).executeTakeFirst();
  if (byDomain) return byDomain;
  const byAlias = await live
    .innerJoin('domain_aliases', 'domain_aliases.org_id', 'orgs.id')
    .where('domain_aliases.domain', '=', domain)
    .where('domain_aliases.deleted_at', 'is', null)
    .executeTakeFirst();
  return byAlias ?? null;
}

export async function resolveOrg(ctx: Context, identifier: string, where?: Where): Promise<OrgRow> {
  const org = await findOrg(ctx, identifier);
  if (!org || (org.is_hidden && !seesHidden(ctx.caller))) throw notFound('org', identifier, where);
  addDependencies(ctx, org.id);
  return org;
}

export interface ProductInOrg {
  product: ProductRow;
  org: OrgRow;
}

// A product path names either a typed id alone, or an org and a slug (or id) inside it.
export type ProductPath = { prod: string } | { org: string; product: string };
export type SourcePath = { src: string } | { org: string; source: string };

export function productPath(params: Record<string, string>): ProductPath {
  return params.prod !== undefined ? { prod: params.prod } : { org: params.org ?? '', product: params.product ?? '' };
}

export function sourcePath(params: Record<string, string>): SourcePath {
  return params.src !== undefined ? { src: params.src } : { org: params.org ?? '', source: params.source ?? '' };
}

export async function findProduct(ctx: Context, path: ProductPath): Promise<ProductInOrg | null> {
  const live = queries(ctx).selectFrom('products').selectAll().where('deleted_at', 'is', null);
  if ('prod' in path) {
    const product = await live.where('id', '=', toProductId(path.prod)).executeTakeFirst();
    const org = product && (await findOrg(ctx, product.org_id));
    return product && org ? { product, org } : null;
  }
  const org = await findOrg(ctx, path.org);
  if (!org) return null;
  const inOrg = live.where('org_id', '=', org.id);
  const value = toProductId(path.product);
  const product = await inOrg.where(idPrefixOf(value) === 'prod' ? 'id' : 'slug', '=', value).executeTakeFirst();
  return product ? { product, org } : null;
}

export async function resolveProduct(ctx: Context, path: ProductPath, where?: Where): Promise<ProductInOrg> {
  const found = await findProduct(ctx, path);
  const hidden = found !== null && (found.product.is_hidden === 1 || found.org.is_hidden === 1);
  if (!found || (hidden && !seesHidden(ctx.caller))) {
    if ('org' in path) await resolveOrg(ctx, path.org, where);
    throw notFound('product', 'prod' in path ? path.prod : path.product, where);
  }
  addDependencies(ctx, found.product.id);
  return found;
}

export interface SourceInOrg {
  source: SourceRow;
  org: OrgRow | null;
  product: ProductRow | null;
  visible: boolean;
}

export async function findSource(ctx: Context, path: SourcePath): Promise<SourceInOrg | null> {
  const live = queries(ctx).selectFrom('sources').selectAll().where('deleted_at', 'is', null);
  const scoped = 'src' in path ? orgAndSource(path.src) : null;
  if (scoped) return findSource(ctx, scoped);
  if ('src' in path) {
    const source = await live.where('id', '=', path.src).executeTakeFirst();
    return source ? surround(ctx, source) : null;
  }
  const org = await findOrg(ctx, path.org);
  if (!org) return null;
  const column = idPrefixOf(path.source) === 'src' ? 'id' : 'slug';
  const source = await live.where('org_id', '=', org.id).where(column, '=', path.source).executeTakeFirst();
  return source ? surround(ctx, source, org) : null;
}

// `org/source`, as lists print the name of a source; null for a text without a slash.
export function orgAndSource(text: string): { org: string; source: string } | null {
  const at = text.indexOf('/');
  return at === -1 ? null : { org: text.slice(0, at), source: text.slice(at + 1) };
}

async function surround(ctx: Context, source: SourceRow, known?: OrgRow): Promise<SourceInOrg | null> {
  const org = known ?? (source.org_id ? await findOrg(ctx, source.org_id) : null);
  if (source.org_id && !org) return null;
  const product = source.product_id
    ? ((await queries(ctx)
        .selectFrom('products')
        .selectAll()
        .where('id', '=', source.product_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()) ?? null)
    : null;
  return { source, org, product, visible: isVisibleSource(source, org, product) };
}

// For writes that know the id: unlike resolution by path this also finds deleted sources, whose releases must be
// updated too.
export async function sourceById(ctx: Context, sourceId: string): Promise<SourceInOrg | null> {
  const db = queries(ctx);
  const own = db.selectFrom('sources').where('id', '=', sourceId);
  const [source, org = null, product = null] = await together([
    own.selectAll().executeTakeFirst(),
    db.selectFrom('orgs').selectAll().where('id', '=', own.select('org_id')).executeTakeFirst(),
    db.selectFrom('products').selectAll().where('id', '=', own.select('product_id')).executeTakeFirst(),
  ]);
  return source ? { source, org, product, visible: isVisibleSource(source, org, product) } : null;
}

// The source of a path under the lock that every writer of its releases takes, as it is while the lock is held.
export async function lockSource(ctx: WriteContext, path: SourcePath): Promise<SourceInOrg> {
  if (!('src' in path) || orgAndSource(path.src)) {
    const { source } = await resolveSource(ctx, path);
    return lockSourceById(ctx, source.id);
  }
  const place = await readLocked(ctx, path.src);
  if (!place || isGone(place) || !maySee(ctx, place)) throw notFound('source', path.src);
  noteShown(ctx, place);
  return place;
}

export async function lockSourceById(ctx: WriteContext, sourceId: string): Promise<SourceInOrg> {
  const place = await readLocked(ctx, sourceId);
  if (!place || place.source.deleted_at) throw notFound('source', sourceId);
  return place;
}

async function readLocked(ctx: WriteContext, sourceId: string): Promise<SourceInOrg | null> {
  const [, place] = await together([ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`), sourceById(ctx, sourceId)]);
  return place;
}

// Not found by its path: it was deleted, or its org was.
function isGone({ source, org }: SourceInOrg): boolean {
  return source.deleted_at !== null || (source.org_id !== null && (org === null || org.deleted_at !== null));
}

export async function sourceWithOwners(ctx: Context, source: SourceRow): Promise<SourceInOrg> {
  const db = queries(ctx);
  const org = source.org_id
    ? ((await db.selectFrom('orgs').selectAll().where('id', '=', source.org_id).executeTakeFirst()) ?? null)
    : null;
  const product = source.product_id
    ? ((await db.selectFrom('products').selectAll().where('id', '=', source.product_id).executeTakeFirst()) ?? null)
    : null;
  return { source, org, product, visible: isVisibleSource(source, org, product) };
}

// A source that a lookup created can be read by id or path, although no list contains it.
export function isUnlisted(source: SourceRow): boolean {
  return source.is_hidden === 1 && source.discovery === 'on_demand';
}

export async function resolveSource(ctx: Context, path: SourcePath, where?: Where): Promise<SourceInOrg> {
  const found = await findSource(ctx, path);
  if (found && maySee(ctx, found)) {
    noteShown(ctx, found);
    return found;
  }
  if ('org' in path) await resolveOrg(ctx, path.org, where);
  throw notFound('source', 'src' in path ? path.src : path.source, where);
}

function maySee(ctx: Context, { source, visible }: SourceInOrg): boolean {
  return visible || isUnlisted(source) || seesHidden(ctx.caller);
}

function noteShown(ctx: Context, { source, visible }: SourceInOrg): void {
  if (!visible) ctx.answer.containsHidden = true;
  addDependencies(ctx, source.id);
}

interface SlugCandidate {
  id: string;
  orgSlug: string | null;
}

export function ambiguousSlug(
  entity: 'source' | 'product',
  slug: string,
  candidates: readonly SlugCandidate[],
): ApiError {
  const sorted = [...candidates].sort((a, b) => compareNullsLast(a.orgSlug, b.orgSlug)).slice(0, 20);
  const named = sorted.map(({ id, orgSlug }) => ({
    orgSlug,
    id,
    ...(entity === 'source' ? { sourceId: id } : { productId: id }),
  }));
  return new ApiError('ambiguous_slug', `several ${entity}s have the slug ${slug}`, {
    entity,
    slug,
    candidates: named,
  });
}

function compareNullsLast(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

// Sources with a bare slug, or the one that `org/source` names; callers decide what none and several mean.
export async function visibleSourcesBySlug(ctx: Context, slug: string): Promise<SourceInOrg[]> {
  const scoped = orgAndSource(slug);
  if (scoped) return [await findSource(ctx, scoped)].filter((found) => found !== null);
  const rows = await queries(ctx)
    .selectFrom('sources')
    .selectAll()
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .execute();
  const surrounded = await Promise.all(rows.map((row) => surround(ctx, row)));
  return surrounded.filter((found): found is SourceInOrg => found !== null);
}

// A source by id or by a slug that must be unique among visible sources (`source` of the latest feed, summaries).
export async function resolveSourceByName(ctx: Context, value: string, parameter: string): Promise<SourceInOrg> {
  if (idPrefixOf(value) === 'src') return resolveSource(ctx, { src: value }, { parameter });
  const visible = (await visibleSourcesBySlug(ctx, value)).filter((found) => found.visible);
  const [first] = visible;
  if (!first) throw notFound('source', value, { parameter });
  if (visible.length > 1) {
    const candidates = visible.map(({ source, org }) => ({ id: source.id, orgSlug: org?.slug ?? null }));
    throw ambiguousSlug('source', value, candidates);
  }
  return first;
}
