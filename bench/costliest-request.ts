// Every public GET at its worst parameters, read from the OpenAPI document so that none is forgotten: no single request
// of a stranger may hold a process for long.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figures.ts';
import { type Running, startService } from './service.ts';

const TARGET_MS = 25;
const WARM_UP = 5;
const ROUNDS = 9;
const MEMBERS = 500;

// Filters that nothing fits, so that whoever walks a feed finds no place to stop.
const NOTHING = 'source_type=video&kind=docs&type=rollup&breaking=major&minImportance=5';
const RARE = 'breaking=major&minImportance=5';
const FEED = [
  'limit=100&include_coverage=true&include_prereleases=true',
  'q=the&limit=100',
  'q=zzqqxx',
  'since=1970-01-01',
];
const FILTERED = [
  ...FEED,
  NOTHING,
  RARE,
  'kind=docs',
  'type=rollup',
  'exclude=github,feed,scrape',
  'q=the&kind=docs',
  `since=7d&${NOTHING}`,
];
const SEARCHED = [
  'q=the',
  'q=the+for+in&limit=100&offset=900',
  'q=the&offset=1000',
  `q=the&${NOTHING}`,
  'q=a*',
  'q=zzqqxx',
];

// What a path is asked with; a path that is not here has no parameters that could cost more.
const WORST: Record<string, readonly string[]> = {
  '/v1/orgs/{org}/activity': ['', 'from=1970-01-01&to=9999-12-31'],
  '/v1/products/{prod}/activity': ['', 'from=1970-01-01&to=9999-12-31'],
  '/v1/sources/{src}/activity': ['', 'from=1970-01-01&to=9999-12-31'],
  '/v1/collections': ['q=e'],
  '/v1/collections/{col}/releases': [...FILTERED, 'orgs=nobody'],
  '/v1/lookups/by-domain': ['domain=nobody.example'],
  '/v1/lookups/source-by-slug': ['slug=nobody'],
  '/v1/lookups/product-by-slug': ['slug=nobody'],
  '/v1/lookups/source-by-coordinate': ['coordinate=nobody/nothing'],
  '/v1/lookups/package': ['ecosystem=npm&name=nobody'],
  '/v1/orgs': [
    'limit=50&page=20',
    'limit=50&q=e',
    'q=zzqqxx',
    'limit=50&includeEmpty=true&category=ai',
    'featured=true',
  ],
  '/v1/orgs/{org}/accounts': ['', 'platform=github'],
  '/v1/orgs/{org}/releases': FILTERED,
  '/v1/orgs/{org}/recent-releases': ['since=1970-01-01&limit=100'],
  '/v1/packages': ['', 'name=nobody'],
  '/v1/products': ['limit=50&q=e', 'category=ai'],
  '/v1/products/{prod}': FEED,
  '/v1/related/releases': ['release={rel}&limit=20', 'release={rel}&scope=org'],
  '/v1/related/sources': ['source={src}&limit=20'],
  '/v1/sources/{src}/releases': FEED,
  '/v1/releases/latest': [...FILTERED.filter((query) => !query.startsWith('q=')), 'org={org}', 'until=1971-01-01'],
  '/v1/search': SEARCHED,
  '/v1/search/releases': SEARCHED,
  '/v1/sources': [
    'limit=50&sort=latest_date&dir=desc',
    'limit=50&q=e',
    'q=zzqqxx',
    'stale=true&limit=50',
    'limit=50&offset=3000',
  ],
  '/v1/sources/{src}': [...FEED, 'page=10', 'page=100000&pageSize=100'],
  '/v1/sources/{src}/recent-releases': ['cutoff=1970-01-01&limit=100', 'cutoff=1970-01-01'],
  '/v1/sources/{src}/known-releases': ['limit=500'],
  '/v1/stats': ['', 'days=3650'],
  '/v1/summaries': ['sourceId={src}'],
  '/v1/categories/{slug}/releases': [...FILTERED, 'orgs=nobody'],
  '/v1/whats-changed': ['package={source}&from=0.0.1&to=latest', 'package=nobody&from=1.0.0&to=latest'],
};

// Streams do not end, private feeds have an address that nobody can guess, and files that were never fetched are absent.
const LEFT_OUT = /^\/v1\/(?:releases\/stream|feed\/|.*\/changelog$)/;

interface Asked {
  url: string;
  ms: number;
}

export async function benchCostliestRequest(large: string): Promise<Figure[]> {
  const service = await startService(large, { REGISTRY_CACHE: 'off', REGISTRY_RATE_PUBLIC: '0' });
  try {
    const names = await worstEntities(service, readFileSync(join(large, 'root.key'), 'utf8').trim());
    const asked: Asked[] = [];
    for (const path of await publicPaths(service)) {
      for (const query of queriesOf(path))
        asked.push(await askOften(service, fill(`${path}${query && `?${query}`}`, names)));
    }
    asked.sort((a, b) => b.ms - a.ms);
    const costliest = asked[0] as Asked;
    return [
      {
        name: 'costliest public request',
        value: costliest.ms / TARGET_MS,
        unit: `of ${TARGET_MS} ms`,
        target: '≤ 1',
        holds: costliest.ms <= TARGET_MS,
        detail: `of ${asked.length}: ${asked
          .slice(0, 5)
          .map(({ url, ms }) => `${url} ${ms.toFixed(1)} ms`)
          .join(', ')}`,
      },
    ];
  } finally {
    await service.stop();
  }
}

interface Document {
  paths: Record<string, { get?: { security?: object[] } }>;
}

async function publicPaths({ url }: Running): Promise<string[]> {
  const { paths } = (await read(`${url}/v1/openapi.json`)) as Document;
  return Object.entries(paths)
    .filter(([path, { get }]) => get && !isGated(get.security) && !LEFT_OUT.test(path))
    .map(([path]) => path);
}

function isGated(security: readonly object[] = []): boolean {
  return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
}

// The path below an org asks the same as the bare one.
function queriesOf(path: string): readonly string[] {
  const bare = path
    .replace('/orgs/{org}/sources/{source}', '/sources/{src}')
    .replace('/orgs/{org}/products/{product}', '/products/{prod}');
  return WORST[path] ?? WORST[bare] ?? [''];
}

// A source or product is asked for below the org that has it.
function fill(template: string, names: Record<string, string>): string {
  const owned = template.replace(/\{org\}\/(sources|products)\/\{/, '{home}/$1/{');
  return owned.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'nobody');
}

// What the service works for one answer, on all of its threads: unlike the time until it comes, this does not depend on
// what else the machine does. The median leaves out the answer during which the process tidied its memory.
async function askOften({ url, pid }: Running, path: string): Promise<Asked> {
  for (let round = 0; round < WARM_UP; round += 1) await ask(url + path);
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = processorMs(pid);
    await ask(url + path);
    costs.push(processorMs(pid) - before);
  }
  costs.sort((a, b) => a - b);
  return { url: path, ms: costs[ROUNDS >> 1] ?? 0 };
}

async function ask(url: string): Promise<void> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${url}: ${response.status}`);
}

// In nanoseconds of each thread, where the kernel counts them.
function processorMs(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return total / 1e6;
}

// The largest of each kind; a product and a collection of many members are made where there are none.
async function worstEntities({ url }: Running, key: string): Promise<Record<string, string>> {
  const write = async (method: string, path: string, body: unknown) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok && response.status !== 409) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer as { id?: string };
  };
  type Sources = { items: { id: string; slug: string; orgSlug: string }[] };
  type Orgs = { items: { slug: string; releaseCount: number; category: string }[] };
  const sources = (await read(`${url}/v1/sources?sort=release_count&dir=desc&limit=1`)) as Sources;
  const orgs = ((await read(`${url}/v1/orgs?limit=500`)) as Orgs).items;
  const largest = orgs.toSorted((a, b) => b.releaseCount - a.releaseCount)[0];
  const source = sources.items[0];
  if (!source || !largest) throw new Error('the registry is empty');
  await write('POST', '/v1/collections', { name: 'Everything', slug: 'everything' });
  const members = orgs.slice(0, MEMBERS).map(({ slug }) => ({ orgSlug: slug }));
  await write('PUT', '/v1/collections/everything/members', { members });
  await write('POST', '/v1/products', { name: 'Largest', slug: 'largest', orgSlug: source.orgSlug });
  const products = (await read(`${url}/v1/products?orgId=${source.orgSlug}`)) as { items: { id: string }[] };
  const product = products.items[0]?.id ?? '';
  await write('PATCH', `/v1/sources/${source.id}`, { productId: product });
  const { releases } = (await read(`${url}/v1/releases/latest?count=1`)) as { releases: { id: string }[] };
  return {
    org: largest.slug,
    home: source.orgSlug,
    slug: largest.category,
    src: source.id,
    source: source.slug,
    prod: product,
    product: 'largest',
    col: 'everything',
    rel: releases[0]?.id ?? '',
  };
}

async function read(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}
