import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import type { CollectionRow } from '../../store/schema.ts';

export async function findCollection(ctx: Context, identifier: string): Promise<CollectionRow | null> {
  const column = idPrefixOf(identifier) === 'col' ? 'id' : 'slug';
  const row = await queries(ctx)
    .selectFrom('collections')
    .selectAll()
    .where(column, '=', identifier)
    .executeTakeFirst();
  return row ?? null;
}

export async function resolveCollection(ctx: Context, identifier: string): Promise<CollectionRow> {
  const found = await findCollection(ctx, identifier);
  if (!found) throw notFound('collection', identifier);
  return found;
}
