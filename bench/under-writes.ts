// Thousands of pages and calls read at random, with and without a release a second: what a commit does not change stays
// cached. The rounds take turns, so that both see the same machine.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Figure, median } from './figures.ts';
import { type Running, startService } from './service.ts';

const ADDRESSES = 5000;
const ROUNDS = 3;
const SECONDS = 6;
const CONNECTIONS = 16;
const TARGET = 0.5;
const ROOT_KEY = 'bench-root-key-0123456789-0123456789-abcdef';

export async function benchUnderWrites(generated: string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  // The generated registry is used again, so the releases go into a copy.
  cpSync(generated, folder, { recursive: true });
  const service = await startService(folder, { REGISTRY_ROOT_KEY: ROOT_KEY });
  try {
    const { addresses, sources } = await addressesOf(service);
    const rates = { quiet: [] as number[], written: [] as number[] };
    let written = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await warm(service, addresses);
      rates.quiet.push(await readAtRandom(service, addresses));
      await warm(service, addresses);
      const writer = setInterval(() => {
        written += 1;
        void write(service, { source: sources[(written * 7) % sources.length] ?? '', number: written });
      }, 1000);
      rates.written.push(await readAtRandom(service, addresses));
      clearInterval(writer);
    }
    const [quiet, busy] = [median(rates.quiet), median(rates.written)];
    return [
      {
        name: `random reads of ${addresses.length} addresses, one release a second`,
        value: busy / quiet,
        unit: 'of the rate without writes',
        target: `≥ ${TARGET}`,
        holds: busy / quiet >= TARGET && addresses.length === ADDRESSES,
        detail: `${Math.round(busy)} against ${Math.round(quiet)} req/s, ${written} releases`,
      },
    ];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

interface OrgAnswer {
  slug: string;
  sources: { id: string; slug: string }[];
}

interface FeedAnswer {
  releases: { id: string }[];
  pagination: { nextCursor: string | null };
}

// Home and lists, every org and source as page and as call, and releases until there are enough.
async function addressesOf(service: Running): Promise<{ addresses: string[]; sources: string[] }> {
  const { items } = await json<{ items: { slug: string }[] }>(service, '/v1/orgs?limit=200');
  const addresses = ['/', '/catalog', '/v1/releases/latest', '/v1/stats', '/v1/orgs?limit=50'];
  const sources: string[] = [];
  for (const { slug } of items) {
    const org = await json<OrgAnswer>(service, `/v1/orgs/${slug}`);
    addresses.push(`/${slug}`, `/v1/orgs/${slug}`, `/v1/orgs/${slug}/releases`);
    for (const source of org.sources) {
      sources.push(source.id);
      addresses.push(`/v1/sources/${source.id}`);
    }
  }
  let cursor: string | null = '';
  while (addresses.length < ADDRESSES && cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const feed: FeedAnswer = await json<FeedAnswer>(service, `/v1/releases/latest?count=100${from}`);
    for (const { id } of feed.releases) addresses.push(`/release/${id}`, `/v1/releases/${id}`);
    cursor = feed.pagination.nextCursor;
  }
  return { addresses: addresses.slice(0, ADDRESSES), sources };
}

async function json<T>({ url }: Running, path: string): Promise<T> {
  const response = await fetch(url + path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

async function warm({ url }: Running, addresses: readonly string[]): Promise<void> {
  const left = [...addresses];
  const reader = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      await (await fetch(url + path, { headers: { 'Accept-Encoding': 'identity' } })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 4 }, reader));
}

async function readAtRandom({ url }: Running, addresses: readonly string[]): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          path: addresses[Math.floor(Math.random() * addresses.length)] ?? '/',
        }),
      },
    ],
  });
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} refusals`);
  return result.requests.average;
}

async function write({ url }: Running, { source, number }: { source: string; number: number }): Promise<void> {
  const version = `900.${number}.0`;
  const response = await fetch(`${url}/v1/sources/${source}/releases`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ROOT_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      version,
      title: version,
      content: `### Added\n- Thing ${number}`,
      url: `https://bench.example/${version}`,
      publishedAt: new Date().toISOString(),
    }),
  });
  await response.arrayBuffer();
  if (response.status >= 300) throw new Error(`a release was refused with ${response.status}`);
}
