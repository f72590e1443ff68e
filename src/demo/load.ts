// Fills an empty registry with the demo data through the service's own write functions, all of it or nothing.
import { createCollection } from '../catalog/collections/write.ts';
import { replaceMembers } from '../catalog/collections/write-members.ts';
import { putPackage } from '../catalog/packages/put.ts';
import { type FillOptions, fillEmpty, type Step } from '../catalog/registry/fill-empty.ts';
import { putSiteNotice } from '../catalog/registry/site-notice.ts';
import { linkCoverage } from '../catalog/releases/coverage.ts';
import { resolveSource } from '../catalog/resolve.ts';
import { changeCategory } from '../catalog/taxonomy/change-category.ts';
import type { Context, WriteContext } from '../context.ts';
import { writeOverviewOf } from '../insight/overviews/write-overview.ts';
import { writeSummaries } from '../insight/summaries/write-summaries.ts';
import { at, loadLocations, loadOrg } from './load-orgs.ts';
import { loadSource } from './load-sources.ts';
import { buildDemoRegistry } from './registry.ts';
import type { DemoRegistry, ReleaseRef } from './types.ts';

interface DemoOptions extends FillOptions {
  releases?: number;
}

const MONTHS_TOLD = 1;

// True when the data was loaded; a registry that holds anything is left alone.
export function loadDemo(ctx: Context, { releases, ...options }: DemoOptions = {}): Promise<boolean> {
  return fillEmpty(ctx, options, {
    prepare: () => buildDemoRegistry({ now: ctx.clock(), ...(releases === undefined ? {} : { releases }) }),
    load: loadRegistry,
  });
}

async function loadRegistry(ctx: WriteContext, registry: DemoRegistry, step: Step): Promise<void> {
  const total = registry.sources.reduce((sum, source) => sum + source.releases.length, 0);
  let done = 0;
  const orgs = new Map<string, string>();
  for (const org of registry.orgs) {
    orgs.set(org.slug, await loadOrg(ctx, org));
    await step(done, total);
  }
  const sources = new Map<string, string>();
  const releases = new Map<string, (string | null)[]>();
  for (const source of registry.sources) {
    const loaded = await loadSource(ctx, source);
    sources.set(source.key, loaded.id);
    releases.set(source.key, loaded.releases);
    done += source.releases.length;
    await step(done, total);
  }
  for (const org of registry.orgs) await loadLocations(ctx, org, { orgId: orgs.get(org.slug) ?? '', sources });
  const releaseId = ({ source, row }: ReleaseRef) => releases.get(source)?.[row];
  for (const { canonical, coverage, ...decision } of registry.coverage) {
    const [to, from] = [releaseId(canonical), releaseId(coverage)];
    if (to && from) await linkCoverage(ctx, to, { coverageIds: [from], ...decision });
  }
  await loadCuration(ctx, registry, sources);
  await writeTexts(ctx);
}

async function loadCuration(
  ctx: WriteContext,
  { collections, packages, categories, siteNotice }: DemoRegistry,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { members, createdAt, ...collection } of collections) {
    const then = at(ctx, createdAt);
    await createCollection(then, collection);
    await replaceMembers(then, { collection: collection.slug, field: 'members', entries: members });
  }
  for (const { source, ...entry } of packages) await putPackage(ctx, { ...entry, sourceId: sources.get(source) ?? '' });
  for (const { slug, ...change } of categories) await changeCategory(ctx, { category: slug, change });
  await putSiteNotice(ctx, siteNotice);
}

// Overviews and summaries of the featured orgs; the worker writes the others and the older months.
async function writeTexts(ctx: WriteContext): Promise<void> {
  const orgs = await ctx.tx.selectFrom('orgs').selectAll().where('featured', '=', 1).execute();
  for (const org of orgs) {
    await writeOverviewOf(ctx, { org, product: null }, null);
    const products = await ctx.tx.selectFrom('products').selectAll().where('org_id', '=', org.id).execute();
    for (const product of products) await writeOverviewOf(ctx, { org, product }, null);
    const sources = await ctx.tx.selectFrom('sources').select('id').where('org_id', '=', org.id).execute();
    for (const { id } of sources) {
      await writeSummaries(ctx, await resolveSource(ctx, { src: id }), { months: MONTHS_TOLD });
    }
  }
}
