import { type Expression, type SqlBool, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { CollectionListItem } from '../../contract/collection.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { foldName } from '../../domain/clean-text.ts';
import { containsFolded } from '../visible.ts';
import { collectionListItems } from './collection-fields.ts';

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
