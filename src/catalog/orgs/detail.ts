import { type Context, now } from '../../context.ts';
import type { OrgDetail } from '../../contract/org.ts';
import type { SourceItem } from '../../contract/source.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { parseJson } from '../../store/json-text.ts';
import type { OrgRow, ProductRow } from '../../store/schema.ts';
import { countedSources } from '../activity/counted-sources.ts';
import { averagePerWeek, firstOfLast, PACE_DAYS, recentCount } from '../activity/pace.ts';
import { openOrg } from '../open.ts';
import { composePlaybook } from '../overviews/playbook.ts';
import { findOverview } from '../overviews/read.ts';
import { sourceItems } from '../sources/item.ts';
import { accountsOf } from './accounts.ts';
import { aliasesOf } from './entity-aliases.ts';
import { tagNamesOf } from './entity-tags.ts';
import { loadOrgFigures } from './figures.ts';
import { locationRows, toLocation } from './locations.ts';
import { visibleProducts } from './visible-products.ts';

export async function orgDetail(ctx: Context, input: { org: string }): Promise<OrgDetail> {
  const org = await openOrg(ctx, input.org);
  const products = await visibleProducts(ctx, org.id);
  const sources = await sourceItems(ctx, await countedSources(ctx, { orgId: org.id }));
  const visible = new Set([...products, ...sources].map((entity) => entity.id));
  const accounts = await accountsOf(ctx, org.id);
  return {
    ...storedFields(org),
    ...(await figuresOf(ctx, org)),
    githubHandle: accounts.find((account) => account.platform === 'github')?.handle ?? null,
    locations: (await locationRows(ctx, org.id)).map((row) => toLocation(row, visible)),
    tags: await tagNamesOf(ctx, { orgId: org.id }),
    aliases: await aliasesOf(ctx, { orgId: org.id }),
    accounts,
    products: products.map((product) => toOrgProduct(product, sources)),
    sources,
    overview: await findOverview(ctx, { org }),
    // Private: anybody with a credential may read it, nobody else.
    playbook: ctx.caller.scope === null ? null : await composePlaybook(ctx, org, sources),
  };
}

function storedFields(org: OrgRow) {
  return {
    id: org.id,
    slug: org.slug,
    name: org.name,
    domain: org.domain,
    description: org.description,
    category: org.category,
    avatarUrl: org.avatar_url,
    isHidden: org.is_hidden === 1,
    autoGenerateContent: org.auto_generate_content === 1,
    featured: org.featured === 1,
    fetchPaused: org.fetch_paused === 1,
    overviewCadenceDays: org.overview_cadence_days,
    discovery: org.discovery,
    status: org.status,
    createdAt: org.created_at,
    updatedAt: org.updated_at,
    notice: org.notice ? parseJson(org.notice) : null,
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
  return {
    id: product.id,
    slug: product.slug,
    name: product.name,
    url: product.url,
    description: product.description,
    sourceCount: own.length,
    kind: product.kind,
    createdAt: product.created_at,
    releaseCount: own.reduce((sum, source) => sum + source.releaseCount, 0),
    avatarUrl: product.avatar_url,
    category: product.category,
  };
}
