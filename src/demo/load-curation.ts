// What people add to a registry: collections, overviews, summaries, the package map, names of categories, the notice.
import { createCollection } from '../catalog/collections/write.ts';
import { replaceMembers } from '../catalog/collections/write-members.ts';
import { writeOverview } from '../catalog/overviews/write.ts';
import { putPackage } from '../catalog/packages/put.ts';
import { putSiteNotice } from '../catalog/registry/site-notice.ts';
import { upsertSummary } from '../catalog/summaries/upsert.ts';
import { changeCategory } from '../catalog/taxonomy/change-category.ts';
import type { WriteContext } from '../context.ts';
import { at } from './at-time.ts';
import type { DemoIds } from './load.ts';
import type { DemoOverview, DemoRegistry } from './types.ts';

export async function loadCuration(ctx: WriteContext, registry: DemoRegistry, ids: DemoIds): Promise<void> {
  for (const { members, createdAt, description, ...collection } of registry.collections) {
    await createCollection(at(ctx, createdAt), { ...collection, description: description ?? undefined });
    const entries = members.map(({ orgSlug, productSlug }) => ({ orgSlug, productSlug: productSlug ?? undefined }));
    await replaceMembers(at(ctx, createdAt), { collection: collection.slug, field: 'members', entries });
  }
  for (const overview of registry.overviews) await loadOverview(ctx, overview, ids);
  for (const source of registry.sources) {
    const src = ids.sources.get(source.key) ?? '';
    for (const { generatedAt, windowDays, ...summary } of source.summaries) {
      await upsertSummary(at(ctx, generatedAt), {
        path: { src },
        summary: { ...summary, windowDays: windowDays ?? 30 },
      });
    }
  }
  for (const { source, packagePart, ...entry } of registry.packages) {
    const sourceId = ids.sources.get(source) ?? '';
    await putPackage(ctx, { ...entry, sourceId, packagePart: packagePart ?? undefined });
  }
  for (const { slug, ...change } of registry.categories) await changeCategory(ctx, { category: slug, change });
  await putSiteNotice(ctx, registry.siteNotice);
}

async function loadOverview(ctx: WriteContext, overview: DemoOverview, ids: DemoIds): Promise<void> {
  const { orgSlug, productSlug, content, releaseCount, lastContributingReleaseAt, generatedAt } = overview;
  const path = productSlug ? { product: { org: orgSlug, product: productSlug } } : { org: orgSlug };
  const citations = overview.citations.map(({ release, ...citation }) => ({
    ...citation,
    releaseId: ids.releases(release) ?? undefined,
  }));
  await writeOverview(at(ctx, generatedAt), {
    path,
    overview: { content, releaseCount, lastContributingReleaseAt, citations },
  });
}
