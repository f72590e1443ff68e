// Looks up a bare slug. Visible entities come first; a writer also finds a hidden one when no visible one exists.
import { type Context, queries } from '../../context.ts';
import { seesHidden } from '../../contract/caller.ts';
import { notFound } from '../../contract/errors.ts';
import type { ProductLookup, SourceLookup } from '../../contract/lookup.ts';
import { ambiguousSlug, visibleSourcesBySlug } from '../resolve.ts';

interface SlugMatch {
  id: string;
  orgSlug: string | null;
  visible: boolean;
}

export async function lookUpSource(ctx: Context, input: { slug: string }): Promise<SourceLookup> {
  const rows = await visibleSourcesBySlug(ctx, input.slug);
  const found = rows.map(({ source, org, visible }) => ({ id: source.id, orgSlug: org?.slug ?? null, visible }));
  const { id, orgSlug } = theOnly(ctx, { entity: 'source', slug: input.slug, found });
  return { sourceId: id, sourceSlug: input.slug, orgSlug };
}

export async function lookUpProduct(ctx: Context, input: { slug: string }): Promise<ProductLookup> {
  const rows = await queries(ctx)
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.id', 'p.is_hidden', 'o.slug as org_slug', 'o.is_hidden as org_is_hidden'])
    .where('p.slug', '=', input.slug)
    .where('p.deleted_at', 'is', null)
    .where('o.deleted_at', 'is', null)
    .execute();
  const found = rows.map((row) => ({
    id: row.id,
    orgSlug: row.org_slug,
    visible: row.is_hidden === 0 && row.org_is_hidden === 0,
  }));
  const { id, orgSlug } = theOnly(ctx, { entity: 'product', slug: input.slug, found });
  return { productId: id, productSlug: input.slug, orgSlug: orgSlug ?? '' };
}

function theOnly(
  ctx: Context,
  { entity, slug, found }: { entity: 'source' | 'product'; slug: string; found: readonly SlugMatch[] },
): SlugMatch {
  const visible = found.filter((one) => one.visible);
  const candidates = visible.length === 0 && seesHidden(ctx.caller) ? found : visible;
  const [first] = candidates;
  if (!first) throw notFound(entity, slug, { parameter: 'slug' });
  if (candidates.length > 1) throw ambiguousSlug(entity, slug, candidates);
  if (!first.visible) ctx.answer.containsHidden = true;
  return first;
}
