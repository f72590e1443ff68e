import { type Context, queries } from '../../context.ts';
import type { OrgDependents } from '../../contract/org-input.ts';
import { resolveOrg } from '../resolve.ts';

// Counts every row that a hard deletion of the org would remove, soft-deleted ones included.
export async function orgDependents(ctx: Context, input: { org: string }): Promise<OrgDependents> {
  const { id, slug, name } = await resolveOrg(ctx, input.org);
  const db = queries(ctx);
  const sources = db.selectFrom('sources').select('id').where('org_id', '=', id);
  const products = db.selectFrom('products').select('id').where('org_id', '=', id);
  const countOf = async (query: { executeTakeFirst(): Promise<{ total: number | string | bigint } | undefined> }) =>
    Number((await query.executeTakeFirst())?.total ?? 0);
  const rowsIn = (table: 'products' | 'sources' | 'release_locations' | 'webhook_subscriptions') =>
    countOf(
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('total'))
        .where('org_id', '=', id),
    );
  const rowsBelow = (table: 'releases' | 'fetch_log' | 'changelog_files' | 'summaries') =>
    countOf(
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('total'))
        .where('source_id', 'in', sources),
    );
  const collections = db
    .selectFrom('collection_members')
    .select(({ fn }) => fn.count('collection_id').distinct().as('total'))
    .where((eb) => eb.or([eb('org_id', '=', id), eb('product_id', 'in', products)]));
  const follows = db
    .selectFrom('follows')
    .select(({ fn }) => fn.countAll().as('total'))
    .where((eb) =>
      eb.or([
        eb.and([eb('target_type', '=', 'org'), eb('target_id', '=', id)]),
        eb.and([eb('target_type', '=', 'product'), eb('target_id', 'in', products)]),
      ]),
    );
  return {
    org: { id, slug, name },
    counts: {
      products: await rowsIn('products'),
      sources: await rowsIn('sources'),
      releases: await rowsBelow('releases'),
      fetchLog: await rowsBelow('fetch_log'),
      changelogFiles: await rowsBelow('changelog_files'),
      summaries: await rowsBelow('summaries'),
      locations: await rowsIn('release_locations'),
      collections: await countOf(collections),
      webhooks: await rowsIn('webhook_subscriptions'),
      follows: await countOf(follows),
    },
  };
}
