import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { CollectionChange, CollectionCreation, CollectionRowShape } from '../../contract/collection.ts';
import { ApiError, conflict, validationFailed } from '../../contract/errors.ts';
import { foldName } from '../../domain/clean-text.ts';
import { newId } from '../../domain/ids.ts';
import { deriveSlug, isReservedChildSlug } from '../../domain/slugs.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import { recordAudit } from '../audit.ts';
import { refreshNames } from '../refresh-names.ts';
import { collectionFields } from './collection-fields.ts';
import { resolveCollection } from './detail.ts';

const MIN_SLUG_LENGTH = 2;
const MAX_SLUG_LENGTH = 64;

// Collections are few and rarely written, so one lock serializes all their writes.
export async function lockCollections(ctx: WriteContext): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, 'collections');
}

export async function createCollection(ctx: Context, input: CollectionCreation): Promise<CollectionRowShape> {
  const slug = input.slug ?? derivedSlug(input.name);
  return transact(ctx, async (ctx) => {
    await lockCollections(ctx);
    await requireFreeSlug(ctx, slug);
    const row: CollectionRow = {
      id: newId('col', ctx.randomBytes),
      slug,
      name: input.name,
      name_key: foldName(input.name),
      description: input.description || null,
      is_featured: input.isFeatured ? 1 : 0,
      embedded_at: null,
      created_at: now(ctx),
      updated_at: now(ctx),
    };
    await ctx.tx.insertInto('collections').values(row).execute();
    await refreshNames(ctx, [{ type: 'collection', id: row.id }]);
    const after = collectionFields(row);
    await recordAudit(ctx, { action: 'collection.create', targetType: 'collection', targetId: row.id, after });
    return after;
  });
}

export async function changeCollection(
  ctx: Context,
  input: { collection: string; change: CollectionChange },
): Promise<CollectionRowShape> {
  const { change } = input;
  return transact(ctx, async (ctx) => {
    await lockCollections(ctx);
    const stored = await resolveCollection(ctx, input.collection);
    if (change.slug !== undefined) await requireFreeSlug(ctx, change.slug, stored.id);
    const columns = columnsOf(change);
    // The embedding of a collection is made from its texts.
    const textChanged = columns.name !== undefined || columns.description !== undefined;
    const row = await ctx.tx
      .updateTable('collections')
      .set({ ...columns, ...(textChanged ? { embedded_at: null } : {}), updated_at: now(ctx) })
      .where('id', '=', stored.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await refreshNames(ctx, [{ type: 'collection', id: row.id }]);
    const after = collectionFields(row);
    const before = collectionFields(stored);
    await recordAudit(ctx, {
      action: 'collection.update',
      targetType: 'collection',
      targetId: row.id,
      before,
      after,
    });
    return after;
  });
}

function columnsOf({ name, slug, description, isFeatured }: CollectionChange): Partial<CollectionRow> {
  return {
    ...(name === undefined ? {} : { name, name_key: foldName(name) }),
    ...(slug === undefined ? {} : { slug }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(isFeatured === undefined ? {} : { is_featured: isFeatured ? 1 : 0 }),
  };
}

export async function deleteCollection(
  ctx: Context,
  { collection: identifier }: { collection: string },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockCollections(ctx);
    const stored = await resolveCollection(ctx, identifier);
    await ctx.tx.deleteFrom('collections').where('id', '=', stored.id).execute();
    await refreshNames(ctx, [{ type: 'collection', id: stored.id }]);
    const before = collectionFields(stored);
    await recordAudit(ctx, { action: 'collection.delete', targetType: 'collection', targetId: stored.id, before });
  });
}

// This rule concerns only the body, so it is checked before any query.
function derivedSlug(name: string): string {
  const slug = deriveSlug(name, MAX_SLUG_LENGTH);
  if (slug !== null && slug.length >= MIN_SLUG_LENGTH) return slug;
  throw validationFailed([{ path: 'slug', reason: 'is required: the name gives none' }]);
}

async function requireFreeSlug(ctx: WriteContext, slug: string, exceptId = ''): Promise<void> {
  if (isReservedChildSlug(slug)) throw new ApiError('slug_reserved', `the slug ${slug} is reserved`, { slug });
  const taken = await ctx.tx
    .selectFrom('collections')
    .select('id')
    .where('slug', '=', slug)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  if (taken) throw conflict('slug', slug, taken.id);
}
