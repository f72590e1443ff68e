// Writes tags and domain aliases of orgs and products.
import { type Context, transact, type WriteContext } from '../../context.ts';
import { conflict, type Issue, notFound } from '../../contract/errors.ts';
import type { Page } from '../../contract/pagination.ts';
import { isRecord } from '../../domain/records.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import { recordAudit } from '../audit.ts';
import { openOrg } from '../open.ts';
import { lockOrgs, requireFreeDomain } from '../org-claims.ts';
import { pageOfList } from '../page-of-list.ts';
import { type ProductPath, resolveOrg, resolveProduct } from '../resolve.ts';
import { findCategory, UNKNOWN_CATEGORY } from '../taxonomy/category.ts';
import {
  addTags,
  aliasesOf,
  checkTagNames,
  insertAliases,
  removeAliases,
  removeTags,
  replaceTags,
  tagNameIssues,
  tagNamesOf,
} from '../taxonomy/entity-labels.ts';

export type LabelPath = { org: string } | { product: ProductPath };

export async function listOrgTags(
  ctx: Context,
  input: { org: string; page: number; limit: number },
): Promise<Page<string>> {
  const org = await openOrg(ctx, input.org);
  return pageOfList(await tagNamesOf(ctx, { orgId: org.id }), input);
}

type TagWrite = { path: LabelPath; tags: readonly string[]; mode: 'add' | 'replace' | 'remove' };

export async function writeTags(ctx: Context, input: TagWrite): Promise<{ ok: true; tags: string[] }> {
  if (input.mode !== 'remove') checkTagNames(input.tags);
  return transact(ctx, async (ctx) => {
    const { owner, type, id } = await ownerOf(ctx, input.path);
    await ctx.store.dialect.lock(ctx.tx, `tags ${id}`);
    const before = await tagNamesOf(ctx, owner);
    const write = { add: addTags, replace: replaceTags, remove: removeTags }[input.mode];
    await write(ctx, owner, input.tags);
    const tags = await tagNamesOf(ctx, owner);
    if (before.join('\n') !== tags.join('\n')) {
      await recordAudit(ctx, { action: `${type}.tags`, targetType: type, targetId: id, before, after: tags });
    }
    return { ok: true, tags };
  });
}

export async function addAlias(ctx: Context, input: { path: LabelPath; domain: string }): Promise<{ domain: string }> {
  const { domain } = input;
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const { owner, type, id } = await ownerOf(ctx, input.path);
    // Products may share a domain with each other and with an org, but each has it once.
    if ('orgId' in owner) await requireFreeDomain(ctx, domain);
    else if ((await aliasesOf(ctx, owner)).includes(domain)) throw conflict('domain', domain, id);
    await insertAliases(ctx, owner, [domain]);
    await recordAudit(ctx, { action: `${type}.alias.add`, targetType: type, targetId: id, after: { domain } });
    return { domain };
  });
}

export async function removeAlias(ctx: Context, input: { path: LabelPath; domain: string }): Promise<void> {
  const domain = normalizeDomain(input.domain) ?? input.domain;
  await transact(ctx, async (ctx) => {
    const { owner, type, id } = await ownerOf(ctx, input.path);
    if ((await removeAliases(ctx, owner, [domain])) === 0) throw notFound('alias', input.domain);
    await recordAudit(ctx, { action: `${type}.alias.remove`, targetType: type, targetId: id, before: { domain } });
  });
}

async function ownerOf(ctx: WriteContext, path: LabelPath) {
  if ('org' in path) {
    const { id } = await resolveOrg(ctx, path.org);
    return { owner: { orgId: id }, type: 'org', id };
  }
  const { id } = (await resolveProduct(ctx, path.product)).product;
  return { owner: { productId: id }, type: 'product', id };
}

// Checks of the labels in a body that need the database: unknown categories, tags without a slug. The body is unparsed,
// so values of the wrong type are left to its schema.
export async function labelIssues(ctx: Context, body: unknown): Promise<Issue[]> {
  const { category, tags } = isRecord(body) ? body : {};
  const isUnknown = typeof category === 'string' && (await findCategory(ctx, category)) === null;
  const names = Array.isArray(tags) ? tags.map((name) => (typeof name === 'string' ? name : 'of another type')) : [];
  return [...(isUnknown ? [UNKNOWN_CATEGORY] : []), ...tagNameIssues(names)];
}
