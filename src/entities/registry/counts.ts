import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { visibleProduct, visibleSource } from '../visible.ts';

interface RegistryCounts {
  orgs: number;
  products: number;
  sources: number;
  releases: number;
}

// The public totals of the registry, from the counters that writes maintain.
export async function registryCounts(ctx: Context): Promise<RegistryCounts> {
  const db = queries(ctx);
  const orgs = await db
    .selectFrom('orgs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .executeTakeFirstOrThrow();
  const products = await db
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(visibleProduct())
    .executeTakeFirstOrThrow();
  const sources = await db
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(({ fn }) => [fn.countAll<number>().as('count'), sql<number>`SUM(f.release_count)`.as('releases')])
    .where(visibleSource())
    .executeTakeFirstOrThrow();
  return {
    orgs: Number(orgs.count),
    products: Number(products.count),
    sources: Number(sources.count),
    releases: Number(sources.releases ?? 0),
  };
}
