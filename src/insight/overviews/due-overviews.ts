// Finds orgs and products whose overview is due: it does not exist, is older than newer releases, or quotes a release that has
// changed since.

import { type Context, queries } from '../../context.ts';
import { stalePages } from '../../entities/overviews/stale.ts';
import type { PageRow } from '../../store/schema/insight.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import { isOverviewDue, newReleases } from './due.ts';

export interface OverviewSubject {
  org: OrgRow;
  product: ProductRow | null;
}

export async function dueOverviews(ctx: Context): Promise<OverviewSubject[]> {
  const stale = await stalePages(ctx);
  const staleIds = new Set(stale.map(({ id }) => id));
  // This also covers an org whose last release was withdrawn.
  const staleOrgs = [...new Set(stale.map(({ org_id }) => org_id)), ''];
  const orgs = await queries(ctx)
    .selectFrom('orgs')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .where('auto_generate_content', '=', 1)
    .where((eb) => eb.or([eb('release_count', '>', 0), eb('id', 'in', staleOrgs)]))
    .orderBy('id')
    .execute();
  const products = await productsOf(ctx, new Map(orgs.map((org) => [org.id, org])));
  const subjects = [...orgs.map((org) => ({ org, product: null })), ...products];
  const pages = await pagesByOwner(ctx);
  const due: OverviewSubject[] = [];
  for (const subject of subjects) {
    const page = pages.get(subject.product?.id ?? subject.org.id);
    const news = await newReleases(ctx, subject, page);
    if (
      (page && staleIds.has(page.id)) ||
      isOverviewDue({ org: subject.org, page, newReleases: news, now: ctx.clock() })
    ) {
      due.push(subject);
    }
  }
  return due;
}

async function productsOf(ctx: Context, orgs: ReadonlyMap<string, OrgRow>): Promise<OverviewSubject[]> {
  const products = await queries(ctx)
    .selectFrom('products')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .orderBy('id')
    .execute();
  return products.flatMap((product) => {
    const org = orgs.get(product.org_id);
    return org ? [{ org, product }] : [];
  });
}

type PageState = Pick<PageRow, 'id' | 'generated_at' | 'updated_at'>;

async function pagesByOwner(ctx: Context): Promise<Map<string, PageState>> {
  const rows = await queries(ctx)
    .selectFrom('pages')
    .select(['id', 'org_id', 'product_id', 'generated_at', 'updated_at'])
    .where('scope', 'in', ['org', 'product'])
    .execute();
  return new Map(rows.map((row) => [row.product_id ?? row.org_id, row]));
}
