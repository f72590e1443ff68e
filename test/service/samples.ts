// One real call for every documented operation. An operation without a sample fails the contract test.
import type { Service } from '../support/service.ts';
import { NO_WEBHOOKS, type WebhookWorld } from './webhook-world.ts';

// Entities that the calls use; writes have their own, so that no call affects another.
export interface World {
  org: string;
  orgId: string;
  product: string;
  productId: string;
  source: string;
  sourceId: string;
  github: { org: string; source: string; sourceId: string };
  agentId: string;
  // A page on the loopback that reads like a changelog.
  page: string;
  release: string;
  otherRelease: string;
  collection: string;
  tag: string;
  domain: string;
  coordinate: string;
  packageName: { ecosystem: string; name: string };
  feedback: string[];
  recommendation: string[];
  token: string;
  oauthClients: string[];
  spare: {
    orgId: string;
    deletedOrgId: string;
    productId: string;
    deletedProductId: string;
    sourceId: string;
    deletedSourceId: string;
  };
  spareReleases: string[];
  packageId: string;
  webhooks: WebhookWorld;
  account: AccountWorld;
  reports: Report[];
}

interface Report {
  id: string;
  deletionToken: string;
}

export interface AccountWorld {
  spareKeys: string[];
  feedToken: string;
  stackToken: string;
}

// For tests that have no account.
const NO_ACCOUNT: AccountWorld = { spareKeys: [], feedToken: 'relf_x', stackToken: 'relf_x' };

export interface Sample {
  params?: Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

type Make = (world: World) => Sample;

const overviewBody = { content: 'Two releases this month.', releaseCount: 2 };
const summaryBody = { type: 'rolling', summary: 'Quiet weeks.', releaseCount: 0 };
let unique = 0;
function fresh(prefix: string): string {
  unique += 1;
  return `${prefix}-${unique}`;
}
const releaseBody = () => ({ version: '9.9.9', title: fresh('Release'), content: 'Body', guid: fresh('guid') });

export const STACK_BODY = { packages: [{ ecosystem: 'npm', package: 'left-pad', version: '1.0.0' }] };

const REPORT_BODY = { text: '{"dependencies":{"acme-disk":"1.0.0"}}' };

export const WAITING_HOST = 'api.slow.example';
export const READING_ID = 'rdg_AAAAAAAAAAAAAAAAAAAAAA';

// By `METHOD path`. Paths under an org use the sample of the bare path.
export const SAMPLES: Record<string, Make> = {
  'GET /admin/evidence': () => ({}),
  'GET /admin/blocklist': () => ({ query: 'limit=5' }),
  'POST /admin/blocklist': () => ({ body: { pattern: `https://${fresh('bad')}.example/x` } }),
  'DELETE /admin/blocklist/{pattern}': () => ({ params: { pattern: encodeURIComponent('https://blocked.example/x') } }),
  'POST /collections': () => ({ body: { name: fresh('Collection'), isFeatured: true } }),
  'PATCH /collections/{col}': () => ({ body: { description: 'Changed' } }),
  'DELETE /collections/{col}': () => ({ params: { col: 'to-delete' } }),
  'PUT /collections/{col}/members': (w) => ({ params: { col: 'to-fill' }, body: { members: [{ orgId: w.orgId }] } }),
  'POST /collections/{col}/members': (w) => ({ params: { col: 'to-fill' }, body: { productId: w.productId } }),
  'DELETE /collections/{col}/members/{org}': (w) => ({ params: { col: 'to-empty', org: w.orgId } }),
  'DELETE /collections/{col}/members/products/{prod}': (w) => ({ params: { col: 'to-empty', prod: w.productId } }),
  'GET /related/releases': (w) => ({ query: `release=${w.release}&limit=3` }),
  'GET /related/sources': (w) => ({ query: `source=${w.sourceId}&scope=org` }),
  'POST /feedback': () => ({ body: { message: 'The feed is lovely.' } }),
  'POST /recommendations': () => ({ body: { url: `${fresh('please')}.example/changelog` } }),
  'PATCH /feedback/{id}': (w) => ({ params: { id: w.feedback[0] ?? '' }, body: { status: 'triaged' } }),
  'DELETE /feedback/{id}': (w) => ({ params: { id: w.feedback[1] ?? '' } }),
  'PATCH /recommendations/{id}': (w) => ({ params: { id: w.recommendation[0] ?? '' }, body: { archived: true } }),
  'DELETE /recommendations/{id}': (w) => ({ params: { id: w.recommendation[1] ?? '' } }),
  'PUT /orgs/{org}/tags': () => ({ body: { tags: ['New tag'] } }),
  'DELETE /orgs/{org}/tags': () => ({ body: { tags: ['New tag'] } }),
  'POST /orgs/{org}/aliases': () => ({ body: { domain: `${fresh('alias')}.example` } }),
  'DELETE /orgs/{org}/aliases/{domain}': (w) => ({ params: { org: w.spare.orgId, domain: 'spare-alias.example' } }),
  'PUT /products/{prod}/tags': () => ({ body: { tags: ['New tag'] } }),
  'DELETE /products/{prod}/tags': () => ({ body: { tags: ['New tag'] } }),
  'POST /products/{prod}/aliases': () => ({ body: { domain: `${fresh('alias')}.example` } }),
  'DELETE /products/{prod}/aliases/{domain}': (w) => ({
    params: { prod: w.spare.productId, domain: 'product-alias.example' },
  }),
  'DELETE /orgs/{org}/products/{product}/aliases/{domain}': (w) => ({
    params: { org: w.spare.orgId, product: w.spare.productId, domain: 'second-alias.example' },
  }),
  'POST /admin/sources/{src}/accept': (w) => ({ params: { src: w.github.sourceId } }),
  'PUT /admin/package-registries': () => ({
    body: { scope: '@sample', url: 'https://npm.sample.example', token: 'npm_0123456789abcdef0123' },
  }),
  'DELETE /admin/package-registries/{scope}': () => ({ params: { scope: '@sample' } }),
  'POST /admin/packages/read': () => ({ body: { ecosystem: 'npm', name: 'sample' } }),
  'DELETE /admin/hosts/{host}/wait': () => ({ params: { host: WAITING_HOST } }),
  'POST /admin/logs/fetch': (w) => ({
    body: { sourceId: w.sourceId, releasesFound: 3, releasesInserted: 0, status: 'no_change' },
  }),
  'POST /admin/logs/usage': () => ({ body: { operation: 'summary', model: 'm', inputTokens: 10, outputTokens: 2 } }),
  'GET /lookups/by-domain': (w) => ({ query: `domain=${w.domain}` }),
  'GET /lookups/source-by-slug': (w) => ({ query: `slug=${w.github.source}` }),
  'GET /lookups/product-by-slug': (w) => ({ query: `slug=${w.product}` }),
  'GET /lookups/source-by-coordinate': (w) => ({ query: `coordinate=${w.coordinate}` }),
  'GET /lookups/package': ({ packageName: { ecosystem, name } }) => ({
    query: `ecosystem=${ecosystem}&name=${encodeURIComponent(name)}`,
  }),
  'GET /readings/{id}': () => ({ params: { id: READING_ID } }),
  'GET /readings/{id}/events': () => ({ params: { id: READING_ID } }),
  'POST /reports': () => ({ body: REPORT_BODY }),
  'POST /publish': (w) => ({ body: { source: w.spare.sourceId, version: '9.9.8', content: 'Body', dryRun: true } }),
  'POST /changelog/lint': () => ({ body: { content: '# Changelog\n\n## 1.0.0 - 2026-01-02\n\n- First.\n' } }),
  'GET /reports/{id}': ({ reports: [kept] }) => ({ params: { id: kept?.id ?? '' } }),
  'GET /reports/{id}/progress': ({ reports: [kept] }) => ({ params: { id: kept?.id ?? '' } }),
  'DELETE /reports/{id}': ({ reports: [, spare] }) => ({
    params: { id: spare?.id ?? '' },
    headers: { 'X-Deletion-Token': spare?.deletionToken ?? '' },
  }),
  'GET /packages/{ecosystem}/{name}/compare': (w) => ({ params: w.packageName, query: 'from=1.0.0&to=1.1.0' }),
  'GET /packages/{ecosystem}/{scope}/{name}/compare': () => ({
    params: { ecosystem: 'npm', scope: '@acme', name: 'disk' },
    query: 'from=1.0.0&to=1.1.0',
  }),
  'GET /whats-changed': ({ packageName: { ecosystem, name } }) => ({
    query: `ecosystem=${ecosystem}&package=${encodeURIComponent(name)}&from=0.0.1&to=latest`,
  }),
  'POST /whats-changed/batch': (w) => ({
    body: {
      items: [
        { package: w.github.source, from: '0.0.1', to: 'latest' },
        { package: 'nobody-has-this', from: '1.0.0', to: '2.0.0' },
        { package: w.packageName.name, ecosystem: w.packageName.ecosystem, from: '2.0.0', to: '1.0.0' },
      ],
    },
  }),
  'POST /orgs': () => ({ body: { name: fresh('Org') } }),
  'POST /orgs/stub-from-domain': () => ({ body: { domain: 'unreached.example', dryRun: true } }),
  'POST /orgs/{org}/promote': () => ({ body: { dryRun: true } }),
  'POST /orgs/{org}/sync-well-known': () => ({ body: { dryRun: true } }),
  'POST /lookups': () => ({ body: { provider: 'github', coordinate: 'nobody/nothing' } }),
  'GET /evaluate': (w) => ({ query: `url=${encodeURIComponent(w.page)}` }),
  'POST /sources/{src}/changelog/probe': (w) => ({
    params: { src: w.github.sourceId, org: w.github.org, source: w.github.source },
  }),
  'POST /orgs/stub': () => ({ body: { name: fresh('Stub'), releases: [{ feed: 'https://stub.example/feed.xml' }] } }),
  'PATCH /orgs/{org}': () => ({ body: { description: 'Changed' } }),
  'DELETE /orgs/{org}': (w) => ({ params: { org: w.spare.orgId } }),
  'POST /orgs/{org}/restore': (w) => ({ params: { org: w.spare.deletedOrgId } }),
  'POST /orgs/{org}/accounts': () => ({ body: { platform: 'mastodon', handle: fresh('@acme') } }),
  'DELETE /orgs/{org}/accounts/{platform}/{handle}': (w) => ({
    params: { org: w.spare.orgId, platform: 'github', handle: 'spare-handle' },
  }),
  'POST /orgs/{org}/ignored-urls': () => ({ body: { url: 'https://acme.example/ignored' } }),
  'DELETE /orgs/{org}/ignored-urls/{url}': () => ({
    params: { url: encodeURIComponent('https://acme.example/ignored') },
  }),
  'GET /orgs/{org}/recent-releases': () => ({ query: 'since=90d&limit=3' }),
  'GET /orgs/{org}/resolve/{slug}': (w) => ({ params: { slug: w.source } }),
  'POST /orgs/{org}/overview': () => ({ body: overviewBody }),
  'POST /products/{prod}/overview': () => ({ body: overviewBody }),
  'PATCH /orgs/{org}/playbook/notes': () => ({ body: { notes: 'Read the feed, not the page.' } }),
  'GET /bots/renovate/api/mc/json/{datasource}/{package}/{from}/{to}': () => ({
    params: { datasource: 'npm', package: 'acme-disk', from: '1.0.0', to: '1.1.0' },
  }),
  'GET /bots/renovate/{ecosystem}/{package}': () => ({ params: { ecosystem: 'npm', package: 'acme-disk' } }),
  'GET /bots/renovate/{ecosystem}/{scope}/{package}': () => ({
    params: { ecosystem: 'npm', scope: '@acme', package: 'disk' },
  }),
  'GET /packages/{ecosystem}/{name}': () => ({ params: { ecosystem: 'npm', name: 'acme-disk' } }),
  'GET /packages/{ecosystem}/{scope}/{name}': () => ({ params: { ecosystem: 'npm', scope: '@acme', name: 'disk' } }),
  'GET /packages/{ecosystem}/{name}/versions': () => ({ params: { ecosystem: 'npm', name: 'acme-disk' } }),
  'GET /packages/{ecosystem}/{scope}/{name}/versions': () => ({
    params: { ecosystem: 'npm', scope: '@acme', name: 'disk' },
  }),
  'PUT /packages': (w) => ({ body: { ecosystem: 'npm', name: fresh('pkg'), sourceId: w.sourceId } }),
  'DELETE /packages/{pkg}': (w) => ({ params: { pkg: w.packageId } }),
  'POST /products': (w) => ({ body: { name: fresh('Product'), orgId: w.orgId } }),
  'PATCH /products/{prod}': () => ({ body: { description: 'Changed' } }),
  'DELETE /products/{prod}': (w) => ({ params: { prod: w.spare.productId } }),
  'DELETE /orgs/{org}/products/{product}': () => ({ params: { product: 'to-delete' } }),
  'POST /products/{prod}/restore': (w) => ({ params: { prod: w.spare.deletedProductId } }),
  'POST /sources/{src}/releases/batch': () => ({ body: { releases: [releaseBody()] } }),
  'POST /sources/{src}/releases': () => ({ body: releaseBody() }),
  'PATCH /releases/{rel}': () => ({ body: { summary: 'Changed' } }),
  'DELETE /releases/batch': (w) => ({ body: { releaseIds: [w.spareReleases[0]] } }),
  'DELETE /releases/{rel}': (w) => ({ params: { rel: w.spareReleases[1] ?? '' } }),
  'POST /releases/batch-suppress': (w) => ({ body: { releaseIds: [w.spareReleases[2]], suppressed: true } }),
  'POST /releases/{rel}/suppress': (w) => ({ params: { rel: w.spareReleases[3] ?? '' }, body: { reason: 'wrong' } }),
  'POST /releases/{rel}/unsuppress': (w) => ({ params: { rel: w.spareReleases[3] ?? '' } }),
  'POST /releases/{rel}/coverage': (w) => ({ body: { coverageIds: [w.spareReleases[4]] } }),
  'DELETE /releases/{rel}/coverage': (w) => ({ params: { rel: w.spareReleases[5] ?? '' } }),
  'GET /search': () => ({ query: 'q=acme&limit=5' }),
  'GET /ask': () => ({ query: 'q=acme+1.0' }),
  'DELETE /admin/starter': () => ({}),
  'GET /search/releases': () => ({ query: 'q=thing&limit=5' }),
  'PUT /site-notice': () => ({
    body: { active: true, message: 'Hello', placement: 'home', color: '#112233', dismissible: true },
  }),
  'POST /sources': (w) => ({
    body: { name: fresh('Source'), url: `https://${fresh('s')}.example/feed`, orgId: w.orgId },
  }),
  'PATCH /sources/{src}': () => ({ body: { fetchPriority: 'low' } }),
  'PATCH /sources/{src}/metadata': () => ({ body: { note: 'unknown keys are kept' } }),
  'DELETE /sources/{src}': (w) => ({ params: { src: w.spare.sourceId } }),
  'DELETE /orgs/{org}/sources/{source}': () => ({ params: { source: 'to-delete' } }),
  'POST /sources/{src}/restore': (w) => ({ params: { src: w.spare.deletedSourceId } }),
  // Without a model an agent source is only flagged, so that no request leaves the machine.
  'POST /sources/{src}/fetch': (w) => ({ params: { src: w.agentId, source: 'acme-agent' } }),
  'POST /sources/{src}/content-hash': () => ({ body: { contentHash: 'abcdef0123456789' } }),
  'GET /sources/{src}/recent-releases': () => ({ query: 'cutoff=90d' }),
  'GET /sources/{src}/changelog': (w) => ({ params: { src: w.github.sourceId }, query: 'tokens=2000' }),
  'GET /orgs/{org}/sources/{source}/changelog': (w) => ({
    params: { org: w.github.org, source: w.github.source },
    query: 'limit=500',
  }),
  'GET /summaries': (w) => ({ query: `sourceId=${w.sourceId}` }),
  'POST /sources/{src}/summaries': () => ({ body: summaryBody }),
  'GET /categories/{slug}': () => ({ params: { slug: 'ai' } }),
  'GET /categories/{slug}/releases': () => ({ params: { slug: 'ai' } }),
  'PATCH /categories/{slug}': () => ({ params: { slug: 'crm' }, body: { description: 'Customers' } }),
  'POST /tags': () => ({ body: { name: fresh('Tag') } }),
  'PATCH /tags/{slug}': () => ({ params: { slug: 'to-rename' }, body: { name: 'Renamed' } }),
  'DELETE /tags/{slug}': () => ({ params: { slug: 'to-delete' } }),
  'POST /admin/oauth/clients': () => ({ body: { name: 'App', redirectUris: ['https://app.example/callback'] } }),
  'GET /admin/oauth/clients/{id}': (w) => ({ params: { id: w.oauthClients[0] ?? '' } }),
  'PATCH /admin/oauth/clients/{id}': (w) => ({ params: { id: w.oauthClients[0] ?? '' }, body: { trusted: true } }),
  'POST /admin/oauth/clients/{id}/rotate-secret': (w) => ({ params: { id: w.oauthClients[0] ?? '' } }),
  'DELETE /admin/oauth/clients/{id}': (w) => ({ params: { id: w.oauthClients[1] ?? '' } }),
  'POST /tokens': () => ({ body: { name: 'ci', scopes: ['write'] } }),
  'GET /tokens/{id}': (w) => ({ params: { id: w.token } }),
  'PATCH /tokens/{id}': (w) => ({ params: { id: w.token }, body: { name: 'renamed' } }),
  'POST /tokens/{id}/revoke': (w) => ({ params: { id: w.token } }),
  'POST /me/follows': (w) => ({ body: { targetType: 'org', targetId: w.orgId } }),
  'DELETE /me/follows/{type}/{id}': (w) => ({ params: { type: 'org', id: w.orgId } }),
  'GET /feed/{token}': ({ account }) => ({ params: { token: account.feedToken } }),
  'POST /me/feed/token': () => ({ body: {} }),
  'DELETE /me/feed/token': () => ({}),
  'POST /me/api-keys': () => ({ body: { name: 'laptop' } }),
  'DELETE /me/api-keys/{id}': ({ account }) => ({ params: { id: account.spareKeys[0] ?? '' } }),
  'POST /api-keys': () => ({ body: { name: 'phone' } }),
  'DELETE /api-keys/{id}': ({ account }) => ({ params: { id: account.spareKeys[1] ?? '' } }),
  'GET /me/digest': () => ({}),
  'PUT /me/digest': () => ({ body: { cadence: 'off', hour: 7, zone: 'Europe/Lisbon' } }),
  'GET /me/stacks/{name}': () => ({ params: { name: 'kept' } }),
  'PUT /me/stacks/{name}': () => ({ params: { name: fresh('stack') }, body: STACK_BODY }),
  'DELETE /me/stacks/{name}': () => ({ params: { name: 'spare' } }),
  'GET /me/stacks/{name}/report': () => ({ params: { name: 'kept' } }),
  'GET /me/stacks/{name}/progress': () => ({ params: { name: 'kept' } }),
  'PUT /me/stacks/{name}/marks': () => ({
    params: { name: 'kept' },
    body: { ecosystem: 'npm', package: 'left-pad', mark: 'ignored', reason: 'Later' },
  }),
  'POST /me/stacks/{name}/seen': () => ({ params: { name: 'kept' }, body: {} }),
  'GET /me/stacks/{name}/feed': () => ({ params: { name: 'kept' } }),
  'POST /me/stacks/{name}/feed': () => ({ params: { name: 'spare-feed' }, body: {} }),
  'DELETE /me/stacks/{name}/feed': () => ({ params: { name: 'spare-feed' } }),
  'GET /feed/stack/{token}': ({ account }) => ({ params: { token: account.stackToken } }),
  'POST /me/webhooks': (w) => ({ body: { url: 'https://hooks.example/in', orgSlug: w.org } }),
  'GET /me/webhooks/{id}': ({ webhooks: { own } }) => ({ params: { id: own.id } }),
  'PATCH /me/webhooks/{id}': ({ webhooks: { own } }) => ({ params: { id: own.id }, body: { releaseType: 'feature' } }),
  'DELETE /me/webhooks/{id}': ({ webhooks: { own } }) => ({ params: { id: own.spareId } }),
  'POST /me/webhooks/{id}/rotate-secret': ({ webhooks: { own } }) => ({ params: { id: own.id } }),
  'POST /me/webhooks/{id}/test': ({ webhooks: { own } }) => ({ params: { id: own.id } }),
  'GET /me/webhooks/{id}/deliveries': ({ webhooks: { own } }) => ({ params: { id: own.id }, query: 'failed=true' }),
  'POST /me/webhooks/{id}/deliveries/{deliveryId}/replay': ({ webhooks: { own } }) => ({ params: { ...own } }),
  'POST /me/webhooks/{id}/replay': ({ webhooks: { own } }) => ({ params: { id: own.id }, body: { since: '7d' } }),
  'POST /webhooks': (w) => ({ body: { url: 'https://hooks.example/in', orgId: w.orgId } }),
  'GET /webhooks/{id}': ({ webhooks: { operator } }) => ({ params: { id: operator.id } }),
  'PATCH /webhooks/{id}': ({ webhooks: { operator } }) => ({ params: { id: operator.id }, body: { enabled: true } }),
  'POST /webhooks/{id}/rotate-secret': ({ webhooks: { operator } }) => ({ params: { id: operator.id } }),
  'POST /webhooks/{id}/test': ({ webhooks: { operator } }) => ({ params: { id: operator.id } }),
  'GET /webhooks/{id}/deliveries': ({ webhooks: { operator } }) => ({ params: { id: operator.id } }),
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': ({ webhooks: { operator } }) => ({
    params: { id: operator.id, deliveryId: operator.deliveryId },
  }),
  'POST /webhooks/{id}/replay': ({ webhooks: { operator } }) => ({
    params: { id: operator.id },
    body: { since: '7d', only: 'failed' },
  }),
  'POST /webhooks/dlq/{deliveryId}/replay': ({ webhooks: { operator } }) => ({
    params: { deliveryId: operator.deadId },
  }),
  'DELETE /webhooks/dlq/{deliveryId}': ({ webhooks: { operator } }) => ({
    params: { deliveryId: operator.spareDeadId },
  }),
};

// Operations that delete what later samples need come last.
export const LAST = [
  'POST /me/feed/token',
  'DELETE /me/feed/token',
  'DELETE /sources/{src}/releases',
  'DELETE /orgs/{org}/sources/{source}/releases',
  'DELETE /orgs/{org}',
  'DELETE /webhooks/dlq/{deliveryId}',
  'POST /webhooks/dlq/{deliveryId}/replay',
];

export function defaultParams(world: World): Record<string, string> {
  return {
    org: world.org,
    prod: world.productId,
    product: world.product,
    src: world.sourceId,
    source: world.source,
    rel: world.release,
    col: world.collection,
    slug: world.tag,
    group: 'releases',
    schema: 'Error',
  };
}

// Reads whose sample is the bare call.
export function isPlainRead(operation: string): boolean {
  return operation.startsWith('GET ') || operation.startsWith('DELETE ');
}

async function made(service: Service, path: string, body: unknown): Promise<Record<string, string>> {
  const answer = await service.root.post(`/v1${path}`, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
}

export async function makeWorld(service: Service, outside = 'http://127.0.0.1:9'): Promise<World> {
  const { root } = service;
  const org = await made(service, '/orgs', {
    name: 'Acme Works',
    slug: 'acme-works',
    domain: 'acme-works.example',
    tags: ['Storage'],
  });
  const product = await made(service, '/products', { name: 'Acme Disk', slug: 'acme-disk', orgId: org.id });
  await made(service, '/products', { name: 'To delete', slug: 'to-delete', orgId: org.id });
  const source = await made(service, '/sources', {
    name: 'Acme Disk feed',
    slug: 'acme-disk-feed',
    url: 'https://acme-works.example/feed',
    orgId: org.id,
    productId: product.id,
  });
  await made(service, '/sources', {
    name: 'To delete',
    slug: 'to-delete',
    url: 'https://acme-works.example/gone',
    orgId: org.id,
  });
  const agent = await made(service, '/sources', {
    name: 'Acme agent',
    slug: 'acme-agent',
    type: 'agent',
    url: 'https://acme-works.example/news',
    orgId: org.id,
  });
  const rows = Array.from({ length: 12 }, (_, index) => ({
    version: `1.${index}.0`,
    content: `- Added thing ${index}`,
    url: `https://acme-works.example/1.${index}.0`,
    publishedAt: `2026-02-${String(index + 1).padStart(2, '0')}`,
    media: index === 3 ? [{ type: 'image', url: 'https://acme-works.example/a.png', alt: 'A' }] : [],
  }));
  const batch = await root.post(`/v1/sources/${source.id}/releases/batch`, { releases: rows });
  const ids: string[] = batch.body.insertedIds;
  await root.post(`/v1/releases/${ids[1]}/coverage`, { coverageIds: [ids[7]] });
  const collection = await made(service, '/collections', { name: 'Storage', slug: 'storage-things' });
  await made(service, `/collections/${collection.slug}/members`, { orgId: org.id });
  for (const slug of ['to-delete', 'to-fill', 'to-empty']) await made(service, '/collections', { name: slug, slug });
  await made(service, '/collections/to-empty/members', { orgId: org.id });
  await made(service, '/collections/to-empty/members', { productId: product.id });
  for (const name of ['To rename', 'To delete']) await made(service, '/tags', { name });
  await root.post('/v1/admin/blocklist', { pattern: 'https://blocked.example/x' });
  const entry = await root.put('/v1/packages', { ecosystem: 'npm', name: 'acme-disk', sourceId: source.id });
  await root.put('/v1/packages', { ecosystem: 'npm', name: '@acme/disk', sourceId: source.id });
  const extra = await root.put('/v1/packages', { ecosystem: 'pypi', name: 'acme-disk', sourceId: source.id });
  const feedback = [];
  const recommendation = [];
  for (const word of ['one', 'two']) {
    feedback.push((await service.anonymous.post('/v1/feedback', { message: `Feedback ${word}` })).body.id);
    recommendation.push((await service.anonymous.post('/v1/recommendations', { url: `${word}.example` })).body.id);
  }
  const token = await made(service, '/tokens', { name: 'sample', scopes: ['read'] });
  const oauthClients: string[] = [];
  for (const name of ['App one', 'App two']) {
    const client = await made(service, '/admin/oauth/clients', { name, redirectUris: ['https://app.example/cb'] });
    oauthClients.push(String(client.clientId));
  }
  const github = await githubSource(service);
  const { name: packageName } = entry.body;
  return {
    org: String(org.slug),
    orgId: String(org.id),
    product: 'acme-disk',
    productId: String(product.id),
    source: 'acme-disk-feed',
    sourceId: String(source.id),
    github,
    agentId: String(agent.id),
    page: `${outside}/changelog`,
    release: ids[0] ?? '',
    otherRelease: ids[1] ?? '',
    collection: 'storage-things',
    tag: 'storage',
    domain: 'acme-works.example',
    coordinate: github.coordinate,
    packageName: { ecosystem: 'npm', name: packageName },
    feedback,
    recommendation,
    token: String(token.id),
    oauthClients,
    spare: await makeSpare(service),
    spareReleases: [ids[2], ids[3], ids[4], ids[5], ids[6], ids[7]].map(String),
    packageId: extra.body.id,
    webhooks: NO_WEBHOOKS,
    account: NO_ACCOUNT,
    reports: [(await root.post('/v1/reports', REPORT_BODY)).body, (await root.post('/v1/reports', REPORT_BODY)).body],
  };
}

// A source with a stored changelog file, from the demo data.
async function githubSource(service: Service) {
  const { body } = await service.anonymous.get('/v1/sources?type=github&hasChangelog=true&limit=1');
  const [item] = body.items;
  const { githubUrl } = JSON.parse(item.metadata);
  const coordinate = String(githubUrl).replace('https://github.com/', '');
  return { org: item.orgSlug, source: item.slug, sourceId: item.id, coordinate };
}

async function makeSpare(service: Service): Promise<World['spare']> {
  const { root } = service;
  const org = await made(service, '/orgs', {
    name: 'Spare',
    aliases: ['spare-alias.example'],
    accounts: [{ platform: 'github', handle: 'spare-handle' }],
  });
  const gone = await made(service, '/orgs', { name: 'Gone' });
  const product = await made(service, '/products', {
    name: 'Spare product',
    orgId: org.id,
    aliases: ['product-alias.example', 'second-alias.example'],
  });
  const goneProduct = await made(service, '/products', { name: 'Gone product', orgId: org.id });
  const source = await made(service, '/sources', {
    name: 'Spare source',
    url: 'https://spare.example/a',
    orgId: org.id,
  });
  const goneSource = await made(service, '/sources', {
    name: 'Gone source',
    url: 'https://spare.example/b',
    orgId: org.id,
  });
  await root.delete(`/v1/orgs/${gone.id}`);
  await root.delete(`/v1/products/${goneProduct.id}`);
  await root.delete(`/v1/sources/${goneSource.id}`);
  return {
    orgId: String(org.id),
    deletedOrgId: String(gone.id),
    productId: String(product.id),
    deletedProductId: String(goneProduct.id),
    sourceId: String(source.id),
    deletedSourceId: String(goneSource.id),
  };
}
