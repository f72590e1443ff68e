// A small registry with every kind of entity, its public URLs, and the writes that can change their responses.
import assert from 'node:assert/strict';
import type { Context } from '../../src/context.ts';
import { resolveOrg, resolveProduct, resolveSource } from '../../src/entities/resolve.ts';
import { storeGeneratedOverview } from '../../src/insight/overviews/write.ts';
import { writeSummaries } from '../../src/insight/summaries/write-summaries.ts';
import type { Answer } from '../support/client.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import type { Service } from '../support/service.ts';

export interface CacheWorld {
  orgs: string[];
  products: string[];
  sources: string[];
  releases: string[];
  collections: string[];
  // Pages of some of these, in all their formats.
  pages: string[];
  // Incremented with every write, so that each one changes something.
  step: number;
}

export interface Writer {
  ctx: Context;
  service: Service;
}

// Two sources of the first org, one of the second, and one without an org.
export async function makeCacheWorld({ ctx, service: { root } }: Writer): Promise<CacheWorld> {
  const world: CacheWorld = { orgs: [], products: [], sources: [], releases: [], collections: [], pages: [], step: 0 };
  for (const name of ['Acme', 'Globex']) {
    const org = await createOrg(ctx, { name, domain: `${name.toLowerCase()}.example`, category: 'cloud' });
    const product = await createProduct(ctx, org.id);
    const source = await createSource(ctx, { orgId: org.id, productId: product.id });
    world.orgs.push(org.id);
    world.products.push(product.id);
    world.sources.push(source.id);
    const forms = ['', '.json', '.md', '.atom', '/overview', `/${source.slug}`, `/${product.slug}`];
    if (world.orgs.length === 1) world.pages.push('/', ...forms.map((form) => `/${org.slug}${form}`));
  }
  world.sources.push((await createSource(ctx, { orgId: world.orgs[0] })).id, (await createSource(ctx)).id);
  for (const [at, source] of [...world.sources, world.sources[0] ?? ''].entries()) {
    const row = releaseRow(`1.${at}.0`, { url: `https://${at}.example/` });
    world.releases.push(...(await postReleases(ctx, source, [row])).insertedIds);
  }
  for (const [at, member] of [{ orgId: world.orgs[0] }, { productId: world.products[1] }].entries()) {
    const made = await root.post('/v1/collections', { name: `Collection ${at}` });
    world.collections.push(made.body.id);
    world.pages.push(`/collections/${made.body.slug}`);
    const added = await root.post(`/v1/collections/${made.body.id}/members`, member);
    assert.equal(added.status, 201, added.text);
  }
  return world;
}

// Public URLs about the entities, and those about the whole registry.
export function addressesOf(world: CacheWorld): string[] {
  const below = (path: string, ids: readonly string[], suffixes: readonly string[]) =>
    ids.flatMap((id) => suffixes.map((suffix) => `/v1/${path}/${id}${suffix}`));
  return [
    ...['orgs', 'stats', 'releases/latest', 'search?q=thing'].map((path) => `/v1/${path}`),
    ...below('orgs', world.orgs, ['', '/releases']),
    ...below('orgs', world.orgs.slice(0, 1), ['/products', '/heatmap', '/manifest']),
    ...below('products', world.products, ['']),
    ...below('sources', world.sources, ['', '/activity']),
    ...below('releases', world.releases.slice(-5), ['', '/coverage']),
    ...below('releases', world.releases.slice(0, 1), ['', '/revisions']),
    ...below('collections', world.collections, ['', '/releases']),
    ...world.pages,
    ...world.releases.slice(-2).map((id) => `/release/${id}`),
  ];
}

// What each write affects, so that a test can also check what it leaves cached: the entities of one org, or everything.
interface CacheWrite {
  reaches: 'org' | 'everything' | 'nothing';
  write(writer: Writer, world: CacheWorld, pick: number): Promise<unknown>;
}

const at = (list: readonly string[], pick: number) => list[pick % list.length] ?? '';

function change(reaches: CacheWrite['reaches'], write: (input: Parameters<CacheWrite['write']>) => Promise<unknown>) {
  return { reaches, write: (...input) => write(input) } satisfies CacheWrite;
}

// A call of the API as the operator.
function call(
  reaches: CacheWrite['reaches'],
  request: (world: CacheWorld, pick: number) => [method: string, path: string, body?: unknown],
): CacheWrite {
  return change(reaches, async ([{ service }, world, pick]) => {
    const [method, path, body] = request(world, pick);
    return service.root.request(method, `/v1${path}`, body);
  });
}

const release = (world: CacheWorld, pick: number) => `/releases/${at(world.releases, pick)}`;
const source = (world: CacheWorld, pick: number) => `/sources/${at(world.sources, pick)}`;
const product = (world: CacheWorld, pick: number) => `/products/${at(world.products, pick)}`;
const org = (world: CacheWorld, pick: number) => `/orgs/${at(world.orgs, pick)}`;
const collection = (world: CacheWorld, pick: number) => `/collections/${at(world.collections, pick)}`;

const cited = (world: CacheWorld, pick: number) => ({
  content: `Overview ${world.step}`,
  releaseCount: 1,
  citations: [{ sourceUrl: 'https://cited.example/', releaseId: at(world.releases, pick), startIndex: 0, endIndex: 8 }],
});

const generated = (world: CacheWorld) => ({
  at: '2026-01-05T00:00:00.000Z',
  content: `Generated ${world.step}`,
  releaseCount: 1,
  lastContributingReleaseAt: null,
  origin: 'rules' as const,
  citations: [],
});

export const CACHE_WRITES: Readonly<Record<string, CacheWrite>> = {
  'a new release': change('org', async ([{ ctx }, world, pick]) => {
    const version = `2.${world.step}.0`;
    const row = releaseRow(version, { url: `https://new.example/${version}`, publishedAt: '2026-01-04T00:00:00.000Z' });
    const { insertedIds } = await postReleases(ctx, at(world.sources, pick), [row]);
    world.releases.push(...insertedIds);
  }),
  'an edit': call('org', (world, pick) => ['PATCH', release(world, pick), { title: `Edited ${world.step}` }]),
  'a suppression': call('org', (world, pick) => ['POST', `${release(world, pick)}/suppress`, { reason: 'spam' }]),
  'the end of a suppression': call('org', (world, pick) => ['POST', `${release(world, pick)}/unsuppress`]),
  'a coverage link': call('org', (world, pick) => [
    'POST',
    `${release(world, pick)}/coverage`,
    { coverageIds: [at(world.releases, pick + 2)], decidedBy: 'human:editor' },
  ]),
  'the end of a coverage link': call('org', (world, pick) => ['DELETE', `${release(world, pick + 2)}/coverage`]),
  'a report of a fetch': call('org', (world, pick) => [
    'POST',
    '/admin/logs/fetch',
    { sourceId: at(world.sources, pick), releasesFound: world.step, releasesInserted: 0, status: 'no_change' },
  ]),
  'a summary': call('org', (world, pick) => [
    'POST',
    `${source(world, pick)}/summaries`,
    { type: 'rolling', windowDays: 30, summary: `Summary ${world.step}`, releaseCount: 1 },
  ]),
  'generated summaries': change('org', async ([{ ctx }, world, pick]) =>
    writeSummaries(ctx, await resolveSource(ctx, { src: at(world.sources, pick + 2) })),
  ),
  'an overview of an org': call('org', (world, pick) => ['POST', `${org(world, pick)}/overview`, cited(world, pick)]),
  'an overview that cites another org': call('org', (world, pick) => [
    'POST',
    `${org(world, pick)}/overview`,
    cited(world, pick + 3),
  ]),
  'the suppression of a release that another org cites': call('org', (world, pick) => [
    'POST',
    `${release(world, pick + 3)}/suppress`,
    { reason: 'spam' },
  ]),
  'the return of a release that another org cites': call('org', (world, pick) => [
    'POST',
    `${release(world, pick + 3)}/unsuppress`,
  ]),
  'a generated overview of an org': change('org', async ([{ ctx }, world, pick]) =>
    storeGeneratedOverview(ctx, { org: await resolveOrg(ctx, at(world.orgs, pick)) }, generated(world)),
  ),
  'a generated overview of a product': change('org', async ([{ ctx }, world, pick]) =>
    storeGeneratedOverview(ctx, await resolveProduct(ctx, { prod: at(world.products, pick) }), generated(world)),
  ),
  'the end of an overview': call('everything', (world, pick) => ['DELETE', `${org(world, pick)}/overview`]),
  'a deleted release': change('everything', async ([{ service }, world, pick]) => {
    const [gone] = world.releases.splice(pick % world.releases.length, 1);
    return service.root.delete(`/v1/releases/${gone}`);
  }),
  'all releases of a source out of sight': call('org', (world, pick) => ['DELETE', `${source(world, pick)}/releases`]),
  'a new name of an org': call('everything', (world, pick) => [
    'PATCH',
    org(world, pick),
    { name: `Org named ${world.step}` },
  ]),
  'another address of an org': call('everything', (world, pick) => [
    'PATCH',
    org(world, pick),
    { slug: `moved-${world.step}` },
  ]),
  'a hidden org': call('everything', (world, pick) => ['PATCH', org(world, pick), { isHidden: true }]),
  'a shown org': call('everything', (world, pick) => ['PATCH', org(world, pick), { isHidden: false }]),
  'a notice of an org': call('everything', (world, pick) => [
    'PATCH',
    org(world, pick),
    { notice: { message: `Notice ${world.step}` } },
  ]),
  'an account of an org': call('everything', (world, pick) => [
    'POST',
    `${org(world, pick)}/accounts`,
    { platform: 'github', handle: `handle-${world.step}` },
  ]),
  'a tag of an org': call('everything', (world, pick) => [
    'PUT',
    `${org(world, pick)}/tags`,
    { tags: [`tag-${world.step}`], mode: 'replace' },
  ]),
  'an alias of an org': call('everything', (world, pick) => [
    'POST',
    `${org(world, pick)}/aliases`,
    { domain: `alias-${world.step}.example` },
  ]),
  'a hidden product': call('everything', (world, pick) => ['PATCH', product(world, pick), { isHidden: true }]),
  'a shown product': call('everything', (world, pick) => [
    'PATCH',
    product(world, pick),
    { isHidden: false, name: `Product named ${world.step}` },
  ]),
  'a hidden source': call('everything', (world, pick) => ['PATCH', source(world, pick), { isHidden: true }]),
  'a shown source': call('everything', (world, pick) => [
    'PATCH',
    source(world, pick),
    { isHidden: false, name: `Source named ${world.step}` },
  ]),
  'a source of another org': call('everything', (world, pick) => [
    'PATCH',
    source(world, pick),
    { orgId: at(world.orgs, pick + world.step), productId: null },
  ]),
  'a source of another product': call('everything', (world, pick) => [
    'PATCH',
    source(world, pick),
    { orgId: at(world.orgs, pick), productId: at(world.products, pick) },
  ]),
  'a deleted source': call('everything', (world, pick) => ['DELETE', source(world, pick)]),
  'a restored source': call('everything', (world, pick) => ['POST', `${source(world, pick)}/restore`]),
  'another name of a collection': call('everything', (world, pick) => [
    'PATCH',
    collection(world, pick),
    { name: `Collection named ${world.step}` },
  ]),
  'other members of a collection': call('everything', (world, pick) => [
    'PUT',
    `${collection(world, pick)}/members`,
    { members: [{ orgId: at(world.orgs, pick) }, { productId: at(world.products, pick + 1) }] },
  ]),
  'a description of a category': call('everything', (world) => [
    'PATCH',
    '/categories/cloud',
    { description: `Category ${world.step}` },
  ]),
  'a notice of the site': call('everything', (world) => [
    'PUT',
    '/site-notice',
    { message: `Site notice ${world.step}`, active: true, placement: 'home', color: '#1d4ed8', dismissible: true },
  ]),
  'feedback of a reader': call('nothing', () => ['POST', '/feedback', { type: 'bug', message: 'It is all wrong.' }]),
  'a new token': call('nothing', (world) => ['POST', '/tokens', { name: `Token ${world.step}`, scopes: ['read'] }]),
};

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'status' in value && 'text' in value;
}
