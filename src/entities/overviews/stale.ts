// Generated overviews whose cited releases have changed.
import { type Context, queries, transact } from '../../context.ts';
import type { OverviewOwner } from './read.ts';

interface StalePage {
  id: string;
  org_id: string;
  product_id: string | null;
}

// A generated page is stale when a release that it cites was edited, withdrawn or deleted since.
export function stalePages(ctx: Context): Promise<StalePage[]> {
  return queries(ctx)
    .selectFrom('pages as p')
    .innerJoin('page_citations as c', 'c.page_id', 'p.id')
    .leftJoin('releases as r', 'r.id', 'c.release_id')
    .select(['p.id', 'p.org_id', 'p.product_id'])
    .distinct()
    .where('p.origin', 'in', ['rules', 'model'])
    .where((eb) =>
      eb.or([eb('r.id', 'is', null), eb('r.listing', '!=', 2), eb('r.updated_at', '>', eb.ref('p.generated_at'))]),
    )
    .execute();
}

// When an owner has nothing left to write about, its stale pages are deleted; pages whose citations still hold stay.
export async function dropStaleOverview(ctx: Context, { org, product }: OverviewOwner): Promise<void> {
  const stale = (await stalePages(ctx)).filter((page) =>
    product ? page.product_id === product.id : page.org_id === org.id && page.product_id === null,
  );
  await deletePages(
    ctx,
    stale.map(({ id }) => id),
  );
}

// For an org that has disabled generated content only the operator's pages stay.
export async function dropUnwantedOverviews(ctx: Context): Promise<number> {
  const unwanted = await queries(ctx)
    .selectFrom('pages as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select('p.id')
    .where('p.origin', 'in', ['rules', 'model'])
    .where('o.auto_generate_content', '=', 0)
    .execute();
  await deletePages(
    ctx,
    unwanted.map(({ id }) => id),
  );
  return unwanted.length;
}

async function deletePages(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('pages').where('id', 'in', ids).where('origin', 'in', ['rules', 'model']).execute(),
    'derived',
  );
}
