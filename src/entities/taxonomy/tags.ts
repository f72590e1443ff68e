import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import type { TagDetail, TagListItem } from '../../contract/taxonomy.ts';
import { foldName } from '../../domain/clean-text.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import type { TagRow } from '../../store/schema/taxonomy.ts';
import { taxonomyEntries } from './category-text.ts';

// The tags of visible orgs and products, by name.
export async function listTags(ctx: Context, input: { page: number; limit: number }): Promise<Page<TagListItem>> {
  const tags = queries(ctx)
    .selectFrom('tags as t')
    .where(({ or, exists }) => or([exists(taggedOrgs(ctx)), exists(taggedProducts(ctx))]));
  const counted = await tags.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const items = await tags
    .select(['t.slug', 't.name'])
    .select(sql<number>`(SELECT COUNT(*) FROM ${taggedOrgs(ctx)} AS tagged)`.as('orgCount'))
    .select(sql<number>`(SELECT COUNT(*) FROM ${taggedProducts(ctx)} AS tagged)`.as('productCount'))
    .orderBy('t.name_key')
    .orderBy('t.slug')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const pagination = paginate({ ...input, returned: items.length, total: Number(counted?.total ?? 0) });
  return { items, pagination };
}

function taggedOrgs(ctx: Context) {
  return queries(ctx)
    .selectFrom('org_tags as l')
    .innerJoin('orgs as o', 'o.id', 'l.org_id')
    .select('o.id')
    .where(sql`l.tag_id`, '=', sql`t.id`)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0);
}

function taggedProducts(ctx: Context) {
  return queries(ctx)
    .selectFrom('product_tags as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select('p.id')
    .where(sql`l.tag_id`, '=', sql`t.id`)
    .where('p.deleted_at', 'is', null)
    .where('p.is_hidden', '=', 0)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0);
}

export async function tagDetail(ctx: Context, slug: string): Promise<TagDetail> {
  const tag = (await tagByName(ctx, slug)) ?? (await resolveTag(ctx, slug));
  return { slug: tag.slug, name: tag.name, ...(await taxonomyEntries(ctx, { tagId: tag.id })) };
}

// Lists of an org or a product show the names of its tags, so a name leads to the tag as well; a slug wins.
async function tagByName(ctx: Context, name: string): Promise<TagRow | null> {
  const rows = await queries(ctx)
    .selectFrom('tags')
    .selectAll()
    .where(({ eb, or }) =>
      or([eb('slug', 'in', [name, deriveSlug(name) ?? name]), eb('name_key', '=', foldName(name))]),
    )
    .execute();
  return (
    rows.find(({ slug }) => slug === name) ?? rows.find((row) => row.name_key === foldName(name)) ?? rows[0] ?? null
  );
}

export async function resolveTag(ctx: Context, slug: string): Promise<TagRow> {
  const tag = await queries(ctx).selectFrom('tags').selectAll().where('slug', '=', slug).executeTakeFirst();
  if (!tag) throw notFound('tag', slug);
  return tag;
}
