// The labels of orgs and products: tags and domain aliases. A tag is identified by its slug and shown with the name that it
// was first given.
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { type Issue, validationFailed } from '../../contract/errors.ts';
import { foldName } from '../../domain/clean-text.ts';
import { newId } from '../../domain/ids.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import type { EntityRef } from '../../ports.ts';
import { refreshNames } from '../refresh-names.ts';

type LabelOwner = { orgId: string } | { productId: string };

export async function tagNamesOf(ctx: Context, owner: LabelOwner): Promise<string[]> {
  const tags = queries(ctx).selectFrom('tags as t').select('t.name').orderBy('t.name_key').orderBy('t.slug');
  const rows =
    'orgId' in owner
      ? await tags.innerJoin('org_tags as l', 'l.tag_id', 't.id').where('l.org_id', '=', owner.orgId).execute()
      : await tags
          .innerJoin('product_tags as l', 'l.tag_id', 't.id')
          .where('l.product_id', '=', owner.productId)
          .execute();
  return rows.map((row) => row.name);
}

export async function addTags(ctx: WriteContext, owner: LabelOwner, names: readonly string[]): Promise<void> {
  const ids = await ensureTags(ctx, names);
  if (ids.length === 0) return;
  if ('orgId' in owner) {
    const links = ids.map((tag_id) => ({ org_id: owner.orgId, tag_id }));
    await ctx.tx
      .insertInto('org_tags')
      .values(links)
      .onConflict((oc) => oc.doNothing())
      .execute();
  } else {
    const links = ids.map((tag_id) => ({ product_id: owner.productId, tag_id }));
    await ctx.tx
      .insertInto('product_tags')
      .values(links)
      .onConflict((oc) => oc.doNothing())
      .execute();
  }
}

// Unknown names are ignored, because there is nothing to remove.
export async function removeTags(ctx: WriteContext, owner: LabelOwner, names: readonly string[]): Promise<void> {
  const slugs = names.flatMap((name) => deriveSlug(name) ?? []);
  const named = ctx.tx
    .selectFrom('tags')
    .select('id')
    .where('slug', 'in', [...slugs, '']);
  if ('orgId' in owner) {
    await ctx.tx.deleteFrom('org_tags').where('org_id', '=', owner.orgId).where('tag_id', 'in', named).execute();
  } else {
    await ctx.tx
      .deleteFrom('product_tags')
      .where('product_id', '=', owner.productId)
      .where('tag_id', 'in', named)
      .execute();
  }
}

export async function replaceTags(ctx: WriteContext, owner: LabelOwner, names: readonly string[]): Promise<void> {
  if ('orgId' in owner) await ctx.tx.deleteFrom('org_tags').where('org_id', '=', owner.orgId).execute();
  else await ctx.tx.deleteFrom('product_tags').where('product_id', '=', owner.productId).execute();
  await addTags(ctx, owner, names);
}

// This rule concerns only the body, so it is checked before any write.
export function checkTagNames(names: readonly string[] | undefined): void {
  const issues = tagNameIssues(names ?? []);
  if (issues.length > 0) throw validationFailed(issues);
}

export function tagNameIssues(names: readonly string[]): Issue[] {
  return names.flatMap((name, index) =>
    deriveSlug(name) === null ? [{ path: `tags.${index}`, reason: 'must hold a letter or a digit' }] : [],
  );
}

async function ensureTags(ctx: WriteContext, names: readonly string[]): Promise<string[]> {
  const bySlug = new Map<string, string>();
  for (const name of names) {
    const slug = deriveSlug(name);
    if (slug !== null && !bySlug.has(slug)) bySlug.set(slug, name);
  }
  if (bySlug.size === 0) return [];
  const created = [...bySlug].map(([slug, name]) => ({
    id: newId('tag', ctx.randomBytes),
    slug,
    name,
    name_key: foldName(name),
    created_at: now(ctx),
  }));
  // Sorted, so that two transactions with the same new tags cannot deadlock.
  created.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  await ctx.tx
    .insertInto('tags')
    .values(created)
    .onConflict((oc) => oc.column('slug').doNothing())
    .execute();
  const rows = await ctx.tx
    .selectFrom('tags')
    .select('id')
    .where('slug', 'in', [...bySlug.keys()])
    .execute();
  return rows.map((row) => row.id);
}

// A domain belongs to one org, as its own or as an alias; products may share one.

export async function aliasesOf(ctx: Context, owner: LabelOwner): Promise<string[]> {
  const rows = await queries(ctx)
    .selectFrom('domain_aliases')
    .select('domain')
    .where(columnOf(owner), '=', idOf(owner))
    .orderBy('domain')
    .execute();
  return [...new Set(rows.map((row) => row.domain))];
}

export async function insertAliases(ctx: WriteContext, owner: LabelOwner, domains: readonly string[]): Promise<void> {
  const distinct = [...new Set(domains)];
  if (distinct.length === 0) return;
  const rows = distinct.map((domain) => ({
    id: newId('da', ctx.randomBytes),
    domain,
    org_id: 'orgId' in owner ? owner.orgId : null,
    product_id: 'productId' in owner ? owner.productId : null,
    created_at: now(ctx),
    deleted_at: null,
  }));
  await ctx.tx.insertInto('domain_aliases').values(rows).execute();
  await refreshNames(ctx, [entityOf(owner)]);
}

// Aliases that stay keep their row and its creation time.
export async function replaceAliases(ctx: WriteContext, owner: LabelOwner, domains: readonly string[]): Promise<void> {
  const stored = await aliasesOf(ctx, owner);
  await removeAliases(
    ctx,
    owner,
    stored.filter((domain) => !domains.includes(domain)),
  );
  await insertAliases(
    ctx,
    owner,
    domains.filter((domain) => !stored.includes(domain)),
  );
}

// Returns how many rows were deleted.
export async function removeAliases(ctx: WriteContext, owner: LabelOwner, domains: readonly string[]): Promise<number> {
  if (domains.length === 0) return 0;
  const { numDeletedRows } = await ctx.tx
    .deleteFrom('domain_aliases')
    .where(columnOf(owner), '=', idOf(owner))
    .where('domain', 'in', [...domains])
    .executeTakeFirst();
  await refreshNames(ctx, [entityOf(owner)]);
  return Number(numDeletedRows);
}

function entityOf(owner: LabelOwner): EntityRef {
  return { type: 'orgId' in owner ? 'org' : 'product', id: idOf(owner) };
}

function columnOf(owner: LabelOwner): 'org_id' | 'product_id' {
  return 'orgId' in owner ? 'org_id' : 'product_id';
}

function idOf(owner: LabelOwner): string {
  return 'orgId' in owner ? owner.orgId : owner.productId;
}
