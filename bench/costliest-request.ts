// What every public GET costs at its worst parameters: no single request of a stranger may hold a process for long.
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, median } from './figures.ts';
import { processorMsOf } from './processor-time.ts';
import { withSettledIndex } from './search.ts';
import { type Running, readJson, startService } from './service.ts';
import { worstRequests } from './worst-requests.ts';

// A search may take as long as the slowest hundredth of all searches.
const TARGETS = { request: 25, search: 60 } as const;
const WARM_UP = 3;
const ROUNDS = 9;
const MEMBERS = 500;
const SHOWN = 5;

interface Measured {
  url: string;
  accept: string;
  ms: number;
}

export async function benchCostliestRequest(large: string): Promise<Figure[]> {
  await withSettledIndex({ REGISTRY_DATA_DIR: large }, async () => {});
  const service = await startService(large, { REGISTRY_CACHE: 'off', REGISTRY_RATE_PUBLIC: '0' });
  try {
    await readWhole(join(large, 'registry.db'));
    const names = await worstEntities(service, readFileSync(join(large, 'root.key'), 'utf8').trim());
    const requested = (await worstRequests(service.url)).map(({ template, accept }) => ({
      url: fill(template, names),
      accept,
      ms: 0,
    }));
    // Code is compiled and pages are in memory before the first request is measured, whichever that is.
    for (const request of requested) await ask(service.url, request);
    for (const request of requested) request.ms = await costOf(service, request);
    const isSearch = ({ url }: Measured) => /^(?:\/v1)?\/search\b/.test(url);
    return [
      figureOf(
        'request',
        requested.filter((request) => !isSearch(request)),
      ),
      figureOf('search', requested.filter(isSearch)),
    ];
  } finally {
    await service.stop();
  }
}

function figureOf(kind: keyof typeof TARGETS, requested: readonly Measured[]): Figure {
  const target = TARGETS[kind];
  const costly = requested.toSorted((a, b) => b.ms - a.ms);
  const most = costly[0]?.ms ?? 0;
  const shown = costly.filter(({ ms }, index) => index < SHOWN || ms > target);
  return {
    name: `costliest public ${kind}`,
    value: most / target,
    unit: `of ${target} ms`,
    target: '≤ 1',
    holds: most <= target,
    detail: `of ${requested.length}: ${shown.map(({ url, accept, ms }) => `${url} (${accept}) ${ms.toFixed(1)} ms`).join(', ')}`,
  };
}

// A source or product is asked for below the org that has it.
function fill(template: string, names: Record<string, string>): string {
  const owned = template
    .replace(/\{org\}\/(sources|products)\/\{/, '{home}/$1/{')
    .replace(/^\/\{org\}\/\{(?:slug|source)\}/, '/{home}/{source}');
  return owned.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'nobody');
}

// What the service works for one answer. The median leaves out the answer during which the process tidied its memory.
async function costOf({ url, pid }: Running, request: Measured): Promise<number> {
  for (let round = 0; round < WARM_UP; round += 1) await ask(url, request);
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = processorMsOf(pid);
    await ask(url, request);
    costs.push(processorMsOf(pid) - before);
  }
  return median(costs);
}

async function ask(origin: string, { url, accept }: Measured): Promise<void> {
  const headers = { 'Accept-Encoding': 'identity', Accept: accept };
  const response = await fetch(origin + url, { headers, redirect: 'manual' });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${url}: ${response.status}`);
}

async function readWhole(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 1 << 20 }));
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
  const sources = (await readJson(`${url}/v1/sources?sort=release_count&dir=desc&limit=1`)) as Sources;
  const orgs = ((await readJson(`${url}/v1/orgs?limit=500`)) as Orgs).items;
  const largest = orgs.toSorted((a, b) => b.releaseCount - a.releaseCount)[0];
  const source = sources.items[0];
  if (!source || !largest) throw new Error('the registry is empty');
  await write('POST', '/v1/collections', { name: 'Everything', slug: 'everything' });
  const members = orgs.slice(0, MEMBERS).map(({ slug }) => ({ orgSlug: slug }));
  await write('PUT', '/v1/collections/everything/members', { members });
  await write('POST', '/v1/products', { name: 'Largest', slug: 'largest', orgSlug: source.orgSlug });
  const products = (await readJson(`${url}/v1/products?orgId=${source.orgSlug}`)) as { items: { id: string }[] };
  const product = products.items[0]?.id ?? '';
  await write('PATCH', `/v1/sources/${source.id}`, { productId: product });
  const { releases } = (await readJson(`${url}/v1/releases/latest?count=1`)) as { releases: { id: string }[] };
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
