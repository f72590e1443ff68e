// Writes the members of a collection. Hidden orgs and products may be members; readers do not see them until they are
// visible.
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import {
  MAX_MEMBERS,
  type MemberAdded,
  type MemberEntry,
  type MemberPlacement,
  type MembersWritten,
} from '../../contract/collection-members.ts';
import { ApiError, conflict, notFound, validationFailed } from '../../contract/errors.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import { recordAudit } from '../audit.ts';
import { resolveOrg, resolveProduct } from '../resolve.ts';
import { resolveCollection } from './detail.ts';
import { lockCollections } from './write.ts';

type StoredMember = { kind: 'org'; orgId: string } | { kind: 'product'; productId: string };

export async function replaceMembers(
  ctx: Context,
  input: { collection: string; field: 'members' | 'orgs'; entries: readonly MemberEntry[] },
): Promise<MembersWritten> {
  return transact(ctx, async (ctx) => {
    await lockCollections(ctx);
    const collection = await resolveCollection(ctx, input.collection);
    const placed: MemberPlacement[] = [];
    for (const [index, entry] of input.entries.entries()) {
      const member = await memberOf(ctx, entry, `${input.field}.${index}.`);
      placed.push({ ...member, position: entry.position ?? index });
    }
    refuseDuplicates(placed, input.field);
    const before = await storedMembers(ctx, collection.id);
    await ctx.tx.deleteFrom('collection_members').where('collection_id', '=', collection.id).execute();
    await insertMembers(ctx, collection, placed);
    const members = placed.sort((a, b) => a.position - b.position);
    await noteChange(ctx, collection, { action: 'collection.members.replace', before, after: members });
    return { collectionSlug: collection.slug, members };
  });
}

export async function addMember(ctx: Context, input: { collection: string; entry: MemberEntry }): Promise<MemberAdded> {
  return transact(ctx, async (ctx) => {
    await lockCollections(ctx);
    const collection = await resolveCollection(ctx, input.collection);
    const member = await memberOf(ctx, input.entry, '');
    const stored = await storedMembers(ctx, collection.id);
    const id = idOf(member);
    if (stored.some((other) => idOf(other) === id)) {
      throw conflict(member.kind === 'org' ? 'orgId' : 'productId', id, id);
    }
    if (stored.length >= MAX_MEMBERS) {
      const reason = 'too_many_members';
      throw new ApiError('conflict', `a collection has at most ${MAX_MEMBERS} members`, { reason });
    }
    const last = Math.max(-1, ...stored.map((other) => other.position));
    const placed = { ...member, position: input.entry.position ?? last + 1 };
    await insertMembers(ctx, collection, [placed]);
    await noteChange(ctx, collection, { action: 'collection.members.add', after: placed });
    return { collectionSlug: collection.slug, ...placed };
  });
}

export async function removeMember(
  ctx: Context,
  input: { collection: string } & ({ org: string } | { product: string }),
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockCollections(ctx);
    const collection = await resolveCollection(ctx, input.collection);
    const entry = 'org' in input ? { orgId: input.org } : { productId: input.product };
    const member = await memberOf(ctx, entry, null);
    const column = member.kind === 'org' ? 'org_id' : 'product_id';
    const { numDeletedRows } = await ctx.tx
      .deleteFrom('collection_members')
      .where('collection_id', '=', collection.id)
      .where(column, '=', idOf(member))
      .executeTakeFirst();
    if (Number(numDeletedRows) === 0) throw notFound('member', 'org' in input ? input.org : input.product);
    await noteChange(ctx, collection, { action: 'collection.members.remove', before: member });
  });
}

// `at` is the path of the entry in the body; null for an entity that the URL names.
async function memberOf(ctx: WriteContext, entry: MemberEntry, at: string | null): Promise<StoredMember> {
  const where = (field: keyof MemberEntry) => (at === null ? undefined : { field: `${at}${field}` });
  const org = entry.orgId ?? entry.orgSlug;
  const product = entry.productId ?? entry.productSlug;
  if (product === undefined) {
    const found = await resolveOrg(ctx, org ?? '', where(entry.orgId === undefined ? 'orgSlug' : 'orgId'));
    return { kind: 'org', orgId: found.id };
  }
  const path = org === undefined ? { prod: product } : { org, product };
  const found = await resolveProduct(ctx, path, where(entry.productId === undefined ? 'productSlug' : 'productId'));
  return { kind: 'product', productId: found.product.id };
}

function idOf(member: MemberPlacement | StoredMember): string {
  return ('productId' in member ? member.productId : member.orgId) ?? '';
}

function refuseDuplicates(members: readonly MemberPlacement[], field: string): void {
  const seen = new Map<string, number>();
  for (const [index, member] of members.entries()) {
    const first = seen.get(idOf(member));
    if (first !== undefined) {
      throw validationFailed([{ path: `${field}.${index}`, reason: `names the same member as ${field}.${first}` }]);
    }
    seen.set(idOf(member), index);
  }
}

async function storedMembers(ctx: WriteContext, collectionId: string): Promise<MemberPlacement[]> {
  const rows = await ctx.tx
    .selectFrom('collection_members')
    .select(['org_id', 'product_id', 'position'])
    .where('collection_id', '=', collectionId)
    .orderBy('position')
    .execute();
  return rows.map(({ org_id, product_id, position }) =>
    product_id === null
      ? { kind: 'org', orgId: org_id ?? '', position }
      : { kind: 'product', productId: product_id, position },
  );
}

async function insertMembers(
  ctx: WriteContext,
  collection: CollectionRow,
  members: readonly MemberPlacement[],
): Promise<void> {
  if (members.length === 0) return;
  const rows = members.map((member) => ({
    collection_id: collection.id,
    org_id: member.orgId ?? null,
    product_id: member.productId ?? null,
    position: member.position,
    created_at: now(ctx),
  }));
  await ctx.tx.insertInto('collection_members').values(rows).execute();
}

async function noteChange(
  ctx: WriteContext,
  collection: CollectionRow,
  entry: { action: string; before?: unknown; after?: unknown },
): Promise<void> {
  await ctx.tx
    .updateTable('collections')
    .set({ updated_at: now(ctx) })
    .where('id', '=', collection.id)
    .execute();
  await recordAudit(ctx, { ...entry, targetType: 'collection', targetId: collection.id });
}
