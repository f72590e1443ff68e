// Fills an empty registry with the demo data through the service's own write functions, all of it or nothing.

import type { Context, WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { createCollection } from '../entities/collections/write.ts';
import { replaceMembers } from '../entities/collections/write-members.ts';
import { createOrg } from '../entities/orgs/create.ts';
import { ignoreUrl } from '../entities/orgs/ignored-urls.ts';
import { insertLocations } from '../entities/orgs/locations.ts';
import { writePlaybookNotes } from '../entities/overviews/playbook.ts';
import { putPackage } from '../entities/packages/put.ts';
import { createProduct } from '../entities/products/create.ts';
import { updateProduct } from '../entities/products/update.ts';
import { type FillOptions, fillEmpty, type Step } from '../entities/registry/fill-empty.ts';
import { putSiteNotice } from '../entities/registry/site-notice.ts';
import { resolveSource } from '../entities/resolve.ts';
import { createSource } from '../entities/sources/create.ts';
import { changeCategory } from '../entities/taxonomy/change-category.ts';
import { writeOverviewOf } from '../insight/overviews/write-overview.ts';
import { writeSummaries } from '../insight/summaries/write-summaries.ts';
import { storeChangelogFile } from '../releases/changelog-files/store-file.ts';
import { linkCoverage } from '../releases/write/coverage.ts';
import { draftFromInput } from '../releases/write/write-batch.ts';
import { writeDrafts } from '../releases/write/write-drafts.ts';
import { toJson } from '../store/json-text.ts';
import { changelogFilesOf, fetchLogOf, stateOf } from './activity.ts';
import { DAY_MS, type DemoOrg, type DemoRegistry, type DemoSource, iso, readDemoRegistry } from './registry.ts';

// True when the data was loaded; a registry that holds anything is left alone.
export function loadDemo(ctx: Context, options: FillOptions & { registry?: DemoRegistry } = {}): Promise<boolean> {
  const prepare = () => options.registry ?? readDemoRegistry({ now: ctx.clock() });
  return fillEmpty(ctx, options, { prepare, load: loadRegistry });
}

interface Loaded {
  today: number;
  // Of orgs by slug, of products by both slugs, of sources by key, of releases by key and version.
  ids: Map<string, string>;
  // Releases that a person linked to the one they tell about.
  posts: { id: string; covers: string }[];
}

async function loadRegistry(ctx: WriteContext, registry: DemoRegistry, step: Step): Promise<void> {
  const { orgs, sources, today } = registry;
  const loaded: Loaded = { today, ids: new Map(), posts: [] };
  const total = sources.reduce((sum, source) => sum + source.releases.length, 0);
  let done = 0;
  for (const org of orgs) {
    await loadOrg(ctx, org, loaded);
    await step(done, total);
  }
  for (const source of sources) {
    await loadSource(ctx, source, loaded);
    done += source.releases.length;
    await step(done, total);
  }
  for (const org of orgs) await loadLocations(ctx, org, loaded);
  await linkPosts(ctx, loaded);
  await loadCuration(ctx, registry, loaded);
  await writeTexts(ctx);
}

// Writes as if the clock stood at that time, so that the history of the demo registry looks lived in.
function at<C extends Context>(ctx: C, time: string): C {
  return { ...ctx, clock: () => new Date(time) };
}

async function loadOrg(ctx: WriteContext, org: DemoOrg, { ids, today }: Loaded): Promise<void> {
  const { products = [], playbook, ignoredUrls = [], locations: _, addedAt, ...columns } = org;
  const { status = 'tracked', discovery = 'curated', notice, ...creation } = columns;
  const then = at(ctx, addedAt);
  // Nothing of the demo exists outside, so nothing of it is fetched.
  const { id } = await createOrg(then, { ...creation, autoGenerateContent: !org.isHidden, fetchPaused: true });
  ids.set(org.slug, id);
  for (const { notice, ...product } of products) {
    const { id: prod, slug } = await createProduct(then, { ...product, orgId: id });
    ids.set(`${org.slug} ${slug}`, prod);
    if (notice) await updateProduct(then, { path: { prod }, change: { notice } });
  }
  if (playbook) await writePlaybookNotes(then, { org: id, notes: playbook });
  for (const ignored of ignoredUrls) await ignoreUrl(at(ctx, iso(today - 20 * DAY_MS)), { org: id, ...ignored });
  await ctx.tx
    .updateTable('orgs')
    .set({ status, discovery, overview_cadence_days: org.featured ? 3 : null, notice: notice ? toJson(notice) : null })
    .where('id', '=', id)
    .execute();
}

async function loadSource(ctx: WriteContext, source: DemoSource, { ids, posts, today }: Loaded): Promise<void> {
  const { key, place, notice, stars, health, releases, changelogs, packages, addedAt, ...creation } = source;
  // Orgs are paused as a whole, sources without one by themselves.
  const fetchPriority = source.orgSlug === undefined ? 'paused' : source.fetchPriority;
  const { id } = await createSource(at(ctx, addedAt), { ...creation, fetchPriority });
  ids.set(key, id);
  const log = fetchLogOf(source, today);
  await ctx.tx
    .updateTable('sources')
    .set({ ...stateOf(source, log, today), notice: notice ? toJson(notice) : null })
    .where('id', '=', id)
    .execute();
  const sourceInOrg = await resolveSource(ctx, { src: id });
  const drafts = releases.map(({ fetchedAt, covers, ...row }) => ({ ...draftFromInput(row), firstSeenAt: fetchedAt }));
  const { items } = await writeDrafts(ctx, { sourceInOrg, drafts, writtenBy: 'import' });
  for (const [row, { id }] of items.entries()) {
    const { version, covers } = releases[row] ?? {};
    if (id && version) ids.set(`${key} ${version}`, id);
    if (id && covers) posts.push({ id, covers });
  }
  for (const [index, file] of changelogFilesOf(source, today).entries()) {
    await storeChangelogFile(ctx, { sourceId: id, canonical: index === 0, ...file });
  }
  const rows = log.map((row) => ({ ...row, id: newId('fl', ctx.randomBytes), source_id: id }));
  if (rows.length > 0) await ctx.tx.insertInto('fetch_log').values(rows).execute();
}

// Comes after the sources that read the locations.
async function loadLocations(ctx: WriteContext, { slug, locations, addedAt }: DemoOrg, { ids }: Loaded): Promise<void> {
  const rows = locations?.map(({ locator, basis, product, source }) => ({
    locator,
    basis,
    productId: ids.get(`${slug} ${product}`) ?? null,
    sourceId: ids.get(`${slug}/${source}`),
  }));
  if (rows) await insertLocations(at(ctx, addedAt), ids.get(slug) ?? '', rows);
}

// Packages that only follow another are found by the rules.
async function linkPosts(ctx: WriteContext, { ids, posts }: Loaded): Promise<void> {
  for (const { id, covers } of posts) {
    const to = ids.get(covers);
    const reason = `version:${covers.split(' ')[1]}`;
    if (to) await linkCoverage(ctx, to, { coverageIds: [id], reason, decidedBy: 'human:curator' });
  }
}

async function loadCuration(ctx: WriteContext, registry: DemoRegistry, { ids }: Loaded): Promise<void> {
  for (const [place, { members, ...collection }] of registry.collections.entries()) {
    const then = at(ctx, iso(registry.today - (200 - place * 20) * DAY_MS));
    await createCollection(then, collection);
    await replaceMembers(then, { collection: collection.slug, field: 'members', entries: members });
  }
  for (const { key, packages = [] } of registry.sources) {
    for (const { part, by: origin = 'ingest', ...named } of packages) {
      const packagePart = part ? named.name : undefined;
      await putPackage(ctx, { ...named, packagePart, origin, sourceId: ids.get(key) ?? '' });
    }
  }
  for (const { slug, ...change } of registry.categories) await changeCategory(ctx, { category: slug, change });
  await putSiteNotice(ctx, registry.notice);
}

// Overviews and summaries of the featured orgs; the worker writes the others and the older months.
async function writeTexts(ctx: WriteContext): Promise<void> {
  const orgs = await ctx.tx.selectFrom('orgs').selectAll().where('featured', '=', 1).execute();
  for (const org of orgs) {
    await writeOverviewOf(ctx, { org, product: null }, null);
    const products = await ctx.tx.selectFrom('products').selectAll().where('org_id', '=', org.id).execute();
    for (const product of products) await writeOverviewOf(ctx, { org, product }, null);
    const sources = await ctx.tx.selectFrom('sources').select('id').where('org_id', '=', org.id).execute();
    for (const { id } of sources) await writeSummaries(ctx, await resolveSource(ctx, { src: id }), { months: 1 });
  }
}
