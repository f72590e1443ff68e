// Upgrade answers on a small and a large registry with the cache off: narrow and wide ranges, names that nobody tracks,
// and lockfiles of a hundred packages.
import type { Figure } from './figures.ts';
import { type Running, startService } from './service.ts';

const SINGLE_MS = 25;
const BATCH_MS = 250;
const WARM_UP = 50;
const SINGLES = 600;
const BATCHES = 60;
const BATCH_ITEMS = 100;

interface Tracked {
  slug: string;
  id: string;
  latestVersion: string | null;
}

interface Question {
  package: string;
  from: string;
  to: string;
  ecosystem?: string;
}

export async function benchWhatsChanged(small: string, large: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, folder] of [
    ['small', small],
    ['large', large],
  ] as const) {
    const service = await startService(folder, { REGISTRY_CACHE: 'off' });
    try {
      figures.push(...(await measure(name, service)));
    } finally {
      await service.stop();
    }
  }
  return figures;
}

async function measure(name: string, { url }: Running): Promise<Figure[]> {
  const sources = await trackedSources(url);
  const single = await rounds(SINGLES, (round) => askOne(url, question(sources, round)));
  const batch = await rounds(BATCHES, (round) => askMany(url, sources, round));
  return [
    figure(`whats-changed, ${name}`, single, SINGLE_MS),
    figure(`whats-changed, batch of ${BATCH_ITEMS}, ${name}`, batch, BATCH_MS),
  ];
}

async function rounds(count: number, ask: (round: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + count; round += 1) {
    const started = performance.now();
    await ask(round);
    if (round >= WARM_UP) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

function figure(name: string, sorted: readonly number[], limit: number): Figure {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const detail = `p50 ${at(0.5).toFixed(2)}, p99 ${at(0.99).toFixed(2)} ms over ${sorted.length} calls`;
  return { name, value: at(0.95), unit: 'ms p95', target: `≤ ${limit}`, holds: at(0.95) <= limit, detail };
}

// One in five names nobody tracks, one in five asks for everything, the others for a step or two.
function question(sources: readonly Tracked[], round: number): Question {
  const { slug, id, latestVersion } = sources[(round * 7) % sources.length] as Tracked;
  if (round % 5 === 0) return { package: `untracked-${round}`, ecosystem: 'npm', from: '1.0.0', to: '2.0.0' };
  if (round % 5 === 1) return { package: id, from: '0.0.1', to: 'latest' };
  const [major = '1', minor = '0'] = (latestVersion ?? '1.0').replace(/^v/, '').split('.');
  const from = `${major}.${Math.max(0, Number(minor) - (round % 4))}.0`;
  return { package: round % 2 === 0 ? id : slug, from, to: 'latest' };
}

async function askOne(url: string, requested: Question): Promise<void> {
  const response = await fetch(`${url}/v1/whats-changed?${new URLSearchParams({ ...requested }).toString()}`);
  await read(response);
}

async function askMany(url: string, sources: readonly Tracked[], round: number): Promise<void> {
  const items = Array.from({ length: BATCH_ITEMS }, (_, index) => question(sources, round * BATCH_ITEMS + index));
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ items });
  await read(await fetch(`${url}/v1/whats-changed/batch`, { method: 'POST', headers, body }));
}

async function read(response: Response): Promise<void> {
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.url}: ${response.status}`);
}

async function trackedSources(url: string): Promise<Tracked[]> {
  const { items } = (await (await fetch(`${url}/v1/sources?limit=500`)).json()) as { items: Tracked[] };
  return items;
}
