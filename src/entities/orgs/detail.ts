import { type Context, now } from '../../context.ts';
import type { OrgDetail } from '../../contract/org.ts';
import type { SourceItem } from '../../contract/source.ts';
import { pick } from '../../domain/records.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { together } from '../../store/pipeline.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import { averagePerWeek, firstOfLast, PACE_DAYS, recentCount } from '../activity/counts.ts';
import { openOrg } from '../open.ts';
import { composePlaybook } from '../overviews/playbook.ts';
import { findOverview } from '../overviews/read.ts';
import { productFields } from '../products/product-fields.ts';
import { countedSourceItems } from '../sources/source-fields.ts';
import { aliasesOf, tagNamesOf } from '../taxonomy/entity-labels.ts';
import { accountsOf } from './accounts.ts';
import { locationRows, toLocation } from './locations.ts';
import { loadOrgFigures, orgCore, orgFields } from './org-fields.ts';
import { visibleProducts } from './products.ts';

export async function orgDetail(ctx: Context, input: { org: string }): Promise<OrgDetail> {
  const org = await openOrg(ctx, input.org);
  const owner = { orgId: org.id };
  const [products, sources, accounts, figures, locations, tags, aliases, overview] = await together([
    visibleProducts(ctx, org.id),
    countedSourceItems(ctx, owner),
    accountsOf(ctx, org.id),
    figuresOf(ctx, org),
    locationRows(ctx, org.id),
    tagNamesOf(ctx, owner),
    aliasesOf(ctx, owner),
    findOverview(ctx, { org }),
  ]);
  const visible = new Set([...products, ...sources].map((entity) => entity.id));
  const fields = orgFields(org);
  return {
    ...orgCore(org),
    ...pick(fields, 'isHidden', 'autoGenerateContent', 'featured', 'fetchPaused', 'overviewCadenceDays', 'discovery'),
    ...pick(fields, 'status', 'createdAt', 'updatedAt', 'notice'),
    ...figures,
    githubHandle: accounts.find((account) => account.platform === 'github')?.handle ?? null,
    locations: locations.map((row) => toLocation(row, visible)),
    tags,
    aliases,
    accounts,
    products: products.map((product) => toOrgProduct(product, sources)),
    sources,
    overview,
    // Only callers with a credential may read the playbook.
    playbook: ctx.caller.scope === null ? null : await composePlaybook(ctx, org, sources),
  };
}

async function figuresOf(ctx: Context, org: OrgRow) {
  const today = utcDay(now(ctx));
  const loaded = await loadOrgFigures(ctx, { orgIds: [org.id], from: firstOfLast(PACE_DAYS, today) });
  const figures = loaded.get(org.id);
  const counts = figures?.days ?? new Map<string, number>();
  const firstDate = figures?.firstDate ?? null;
  return {
    sourceCount: figures?.sourceCount ?? 0,
    releaseCount: figures?.releaseCount ?? 0,
    releasesLast30Days: recentCount(counts, today),
    avgReleasesPerWeek: averagePerWeek({ counts, firstDate, today }),
    lastFetchedAt: figures?.lastFetchedAt ?? null,
    lastPolledAt: figures?.lastPolledAt ?? null,
    trackingSince: firstDate ?? org.created_at,
  };
}

function toOrgProduct(product: ProductRow, sources: readonly SourceItem[]): OrgDetail['products'][number] {
  const own = sources.filter((source) => source.productId === product.id);
  const fields = productFields(product);
  return {
    ...pick(fields, 'id', 'slug', 'name', 'url', 'description'),
    sourceCount: own.length,
    ...pick(fields, 'kind', 'createdAt'),
    releaseCount: own.reduce((sum, source) => sum + source.releaseCount, 0),
    ...pick(fields, 'avatarUrl', 'category'),
  };
}
