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
import { DAY_MS, type DemoRegistry, type DemoSource, iso, readDemoRegistry } from './registry.ts';

interface DemoOptions extends FillOptions {
  releases?: number;
}

const MONTHS_TOLD = 1;

// True when the data was loaded; a registry that holds anything is left alone.
export function loadDemo(ctx: Context, { releases, ...options }: DemoOptions = {}): Promise<boolean> {
  return fillEmpty(ctx, options, {
    prepare: () => readDemoRegistry({ now: ctx.clock(), releases }),
    load: loadRegistry,
  });
}

async function loadRegistry(ctx: WriteContext, registry: DemoRegistry, step: Step): Promise<void> {
  const total = registry.sources.reduce((sum, source) => sum + source.releases.length, 0);
  let done = 0;
  const { today } = registry;
  const orgs = new Map<string, string>();
  for (const org of registry.orgs) {
    orgs.set(org.slug, await loadOrg(ctx, org, { added: addedAt(registry, org.slug), today }));
    await step(done, total);
  }
  const sources = new Map<string, string>();
  const releases = new Map<string, string | null>();
  for (const [place, source] of registry.sources.entries()) {
    const loaded = await loadSource(ctx, source, { today, place });
    sources.set(source.key, loaded.id);
    for (const [row, { version }] of source.releases.entries()) {
      releases.set(`${source.key} ${version ?? row}`, loaded.releases[row] ?? null);
    }
    done += source.releases.length;
    await step(done, total);
  }
  for (const org of registry.orgs) {
    await loadLocations(at(ctx, addedAt(registry, org.slug)), org, { orgId: orgs.get(org.slug) ?? '', sources });
  }
  for (const source of registry.sources) await linkPosts(ctx, source, releases);
  await loadCuration(ctx, registry, sources);
  await writeTexts(ctx);
}

// An org was added with its oldest source.
function addedAt({ sources, today }: DemoRegistry, org: string): string {
  const [oldest] = sources.flatMap((source) => (source.orgSlug === org ? source.addedAt : [])).sort();
  return oldest ?? iso(today - 30 * DAY_MS);
}

// A post that a person linked to the release it tells about; packages that only follow are found by the rules.
async function linkPosts(ctx: WriteContext, source: DemoSource, releases: ReadonlyMap<string, string | null>) {
  for (const [row, { version, covers }] of source.releases.entries()) {
    if (!covers) continue;
    const [to, from] = [releases.get(covers), releases.get(`${source.key} ${version ?? row}`)];
    const reason = `version:${covers.split(' ')[1]}`;
    if (to && from) await linkCoverage(ctx, to, { coverageIds: [from], reason, decidedBy: 'human:curator' });
  }
}

async function loadCuration(
  ctx: WriteContext,
  { collections, categories, notice, sources: entries, today }: DemoRegistry,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [place, { members, ...collection }] of collections.entries()) {
    const then = at(ctx, iso(today - (200 - place * 20) * DAY_MS));
    await createCollection(then, collection);
    const named = members.map((member) => {
      const [orgSlug = '', productSlug] = member.split('/');
      return { orgSlug, productSlug };
    });
    await replaceMembers(then, { collection: collection.slug, field: 'members', entries: named });
  }
  for (const { key, packages = [] } of entries) {
    for (const { name: entry, part, by = 'ingest' } of packages) {
      const [ecosystem, name = ''] = entry.split(/:(.*)/s) as ['npm' | 'pypi', string];
      const packagePart = part ? name : undefined;
      await putPackage(ctx, { ecosystem, name, packagePart, origin: by, sourceId: sources.get(key) ?? '' });
    }
  }
  for (const { slug, ...change } of categories) await changeCategory(ctx, { category: slug, change });
  await putSiteNotice(ctx, notice);
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
