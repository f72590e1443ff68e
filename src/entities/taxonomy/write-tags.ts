// Writes tags themselves. A tag is identified by the slug of its name, so a new name means a new slug.
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { conflict, validationFailed } from '../../contract/errors.ts';
import type { TagRowShape } from '../../contract/taxonomy.ts';
import { foldName } from '../../domain/clean-text.ts';
import { newId } from '../../domain/ids.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import type { TagRow } from '../../store/schema/taxonomy.ts';
import { recordAudit } from '../audit.ts';
import { resolveTag } from './tags.ts';

// Returns the tag of that name; `created` is true when it is new.
export async function createTag(
  ctx: Context,
  input: { name: string },
): Promise<{ tag: TagRowShape; created: boolean }> {
  const slug = slugOf(input.name);
  return transact(ctx, async (ctx) => {
    const row: TagRow = {
      id: newId('tag', ctx.randomBytes),
      slug,
      name: input.name,
      name_key: foldName(input.name),
      created_at: now(ctx),
    };
    // Orgs and products create tags too, so a unique index decides instead of a lock.
    const inserted = await ctx.tx
      .insertInto('tags')
      .values(row)
      .onConflict((oc) => oc.column('slug').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!inserted) return { tag: shape(await resolveTag(ctx, slug)), created: false };
    const after = shape(inserted);
    await recordAudit(ctx, { action: 'tag.create', targetType: 'tag', targetId: row.id, after });
    return { tag: after, created: true };
  });
}

export async function renameTag(ctx: Context, input: { slug: string; name: string }): Promise<TagRowShape> {
  const slug = slugOf(input.name);
  return transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'tags');
    const stored = await resolveTag(ctx, input.slug);
    if (slug !== stored.slug) await requireFreeSlug(ctx, slug);
    const row = await ctx.tx
      .updateTable('tags')
      .set({ name: input.name, name_key: foldName(input.name), slug })
      .where('id', '=', stored.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const [before, after] = [shape(stored), shape(row)];
    await recordAudit(ctx, { action: 'tag.update', targetType: 'tag', targetId: row.id, before, after });
    return after;
  });
}

export async function deleteTag(ctx: Context, { slug }: { slug: string }): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'tags');
    const stored = await resolveTag(ctx, slug);
    await ctx.tx.deleteFrom('tags').where('id', '=', stored.id).execute();
    await recordAudit(ctx, { action: 'tag.delete', targetType: 'tag', targetId: stored.id, before: shape(stored) });
  });
}

function slugOf(name: string): string {
  const slug = deriveSlug(name);
  if (slug === null) throw validationFailed([{ path: 'name', reason: 'must hold a letter or a digit' }]);
  return slug;
}

async function requireFreeSlug(ctx: WriteContext, slug: string): Promise<void> {
  const taken = await ctx.tx.selectFrom('tags').select('id').where('slug', '=', slug).executeTakeFirst();
  if (taken) throw conflict('slug', slug, taken.id);
}

function shape(row: TagRow): TagRowShape {
  return { id: row.id, name: row.name, slug: row.slug, createdAt: row.created_at };
}
