// Fills an empty registry with the demo data through the service's own write functions, all of it or nothing.
import { setImmediate } from 'node:timers/promises';
import { createCollection } from '../catalog/collections/write.ts';
import { replaceMembers } from '../catalog/collections/write-members.ts';
import { putPackage } from '../catalog/packages/put.ts';
import { putSiteNotice } from '../catalog/registry/site-notice.ts';
import { linkCoverage } from '../catalog/releases/coverage.ts';
import { resolveSource } from '../catalog/resolve.ts';
import { changeCategory } from '../catalog/taxonomy/change-category.ts';
import { type Context, transact, type WriteContext } from '../context.ts';
import { writeOverviewOf } from '../insight/overviews/write-overview.ts';
import { writeSummaries } from '../insight/summaries/write-summaries.ts';
import { computeInline } from '../threads/computed.ts';
import { at, loadLocations, loadOrg } from './load-orgs.ts';
import { loadSource } from './load-sources.ts';
import { buildDemoRegistry } from './registry.ts';
import type { DemoRegistry, ReleaseRef } from './types.ts';

interface DemoOptions {
  releases?: number;
  onProgress?: (done: number, total: number) => void;
  // Ends the load with the reason of the signal; nothing of it stays.
  signal?: AbortSignal;
}

const MONTHS_TOLD = 1;

// True when the data was loaded; a registry that holds anything is left alone.
export async function loadDemo(ctx: Context, options: DemoOptions = {}): Promise<boolean> {
  const { onProgress = () => {}, signal, ...size } = options;
  // Building the data takes a second; a registry that is not empty does not need it.
  if (await isFilled(ctx.store.read)) return false;
  const registry = buildDemoRegistry({ now: ctx.clock(), ...size });
  const load = async (ctx: WriteContext) => {
    await ctx.store.dialect.lock(ctx.tx, 'demo');
    if (await isFilled(ctx.tx)) return false;
    await loadRegistry(ctx, registry, async (done, total) => {
      signal?.throwIfAborted();
      onProgress(done, total);
      // The event loop answers requests and receives signals between two steps.
      await setImmediate();
    });
    signal?.throwIfAborted();
    return true;
  };
  return computeInline(() => transact(ctx, load));
}

async function isFilled(db: Pick<WriteContext['tx'], 'selectFrom'>): Promise<boolean> {
  return (await db.selectFrom('orgs').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function loadRegistry(
  ctx: WriteContext,
  registry: DemoRegistry,
  onProgress: (done: number, total: number) => Promise<void>,
): Promise<void> {
  const total = registry.sources.reduce((sum, source) => sum + source.releases.length, 0);
  let done = 0;
  const orgs = new Map<string, string>();
  for (const org of registry.orgs) {
    orgs.set(org.slug, await loadOrg(ctx, org));
    await onProgress(done, total);
  }
  const sources = new Map<string, string>();
  const releases = new Map<string, (string | null)[]>();
  for (const source of registry.sources) {
    const loaded = await loadSource(ctx, source);
    sources.set(source.key, loaded.id);
    releases.set(source.key, loaded.releases);
    done += source.releases.length;
    await onProgress(done, total);
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
