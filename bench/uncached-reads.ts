// The same reads on a small and a large registry with the cache off: what a page costs must not grow with the registry.
import { type Figure, median } from './figures.ts';
import { type Running, startService } from './service.ts';

const TARGET = 1.5;
const WARM_UP = 60;
const ROUNDS = 300;

type Read = { name: string; path(orgs: readonly string[], round: number): string };

const READS: readonly Read[] = [
  { name: 'latest', path: () => '/v1/releases/latest?count=20' },
  { name: 'org list page', path: () => '/v1/orgs?limit=50' },
  { name: 'org feed', path: (orgs, round) => `/v1/orgs/${orgs[round % orgs.length]}/releases` },
  { name: 'org detail', path: (orgs, round) => `/v1/orgs/${orgs[round % orgs.length]}` },
];

export async function benchUncachedReads(small: string, large: string): Promise<Figure[]> {
  const env = { REGISTRY_CACHE: 'off' };
  const [one, other] = [await startService(small, env), await startService(large, env)];
  try {
    const [smallOrgs, largeOrgs] = [await orgSlugs(one), await orgSlugs(other)];
    const figures: Figure[] = [];
    for (const { name, path } of READS) {
      const times: [number[], number[]] = [[], []];
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
        const a = await timed(one.url + path(smallOrgs, round));
        const b = await timed(other.url + path(largeOrgs, round));
        if (round < WARM_UP) continue;
        times[0].push(a);
        times[1].push(b);
      }
      const ratio = median(times[1]) / median(times[0]);
      figures.push({
        name: `uncached: ${name}`,
        value: ratio,
        unit: 'large against small',
        target: `≤ ${TARGET}`,
        holds: ratio <= TARGET,
        detail: `${median(times[0]).toFixed(2)} → ${median(times[1]).toFixed(2)} ms`,
      });
    }
    return figures;
  } finally {
    await one.stop();
    await other.stop();
  }
}

// The same number of orgs from both, so that what is rotated through is equally warm.
async function orgSlugs({ url }: Running): Promise<string[]> {
  const { items } = (await (await fetch(`${url}/v1/orgs?limit=40`)).json()) as { items: { slug: string }[] };
  return items.map((item) => item.slug);
}

async function timed(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - started;
}
