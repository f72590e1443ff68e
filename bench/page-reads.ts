// Pages with the cache off: against the calls of the API that answer the same data, and on a small and a large registry.
import { type Figure, median } from './figures.ts';
import { type Running, startService } from './service.ts';

const MOST_OF_CALLS = 3;
const MAX_GROWTH = 1.5;
const WARM_UP = 30;
const ROUNDS = 150;

interface SampleEntity {
  org: string;
  release: string;
}

interface PageCase {
  name: string;
  page(entity: SampleEntity): string;
  // What the page shows, as the API answers it.
  calls(entity: SampleEntity): string[];
}

const CASES: readonly PageCase[] = [
  {
    name: 'home',
    page: () => '/',
    calls: () => ['/v1/stats', '/v1/releases/latest?count=100', '/v1/collections?limit=20', '/v1/orgs?limit=50'],
  },
  {
    name: 'org',
    page: ({ org }) => `/${org}`,
    calls: ({ org }) => ['', '/releases?limit=30', '/heatmap', '/collections'].map((part) => `/v1/orgs/${org}${part}`),
  },
  {
    name: 'release',
    page: ({ release }) => `/release/${release}`,
    calls: ({ org, release }) => [
      `/v1/releases/${release}`,
      `/v1/orgs/${org}/releases?limit=6`,
      `/v1/related/releases?release=${release}`,
    ],
  },
];

export async function benchPageReads(small: string, large: string): Promise<Figure[]> {
  const env = { REGISTRY_CACHE: 'off' };
  const [one, other] = [await startService(small, env), await startService(large, env)];
  try {
    const [smallSample, largeSample] = [await sampleOf(one), await sampleOf(other)];
    const figures: Figure[] = [];
    for (const { name, page, calls } of CASES) {
      const times = { page: [] as number[], calls: [] as number[], large: [] as number[] };
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
        const entity = at(smallSample, round);
        const spent = {
          page: await timed(one, [page(entity)]),
          calls: await timed(one, calls(entity)),
          large: await timed(other, [page(at(largeSample, round))]),
        };
        if (round < WARM_UP) continue;
        for (const kind of ['page', 'calls', 'large'] as const) times[kind].push(spent[kind]);
      }
      const [ours, theirs, grown] = [median(times.page), median(times.calls), median(times.large)];
      figures.push(
        {
          name: `uncached page: ${name}`,
          value: ours / theirs,
          unit: 'of the calls with its data',
          target: `≤ ${MOST_OF_CALLS}`,
          holds: ours / theirs <= MOST_OF_CALLS,
          detail: `${ours.toFixed(2)} against ${theirs.toFixed(2)} ms`,
        },
        {
          name: `uncached page: ${name}, growth`,
          value: grown / ours,
          unit: 'large against small',
          target: `≤ ${MAX_GROWTH}`,
          holds: grown / ours <= MAX_GROWTH,
          detail: `${ours.toFixed(2)} → ${grown.toFixed(2)} ms`,
        },
      );
    }
    return figures;
  } finally {
    await one.stop();
    await other.stop();
  }
}

function at(sample: readonly SampleEntity[], round: number): SampleEntity {
  const entity = sample[round % sample.length];
  if (!entity) throw new Error('the registry is empty');
  return entity;
}

async function sampleOf({ url }: Running): Promise<SampleEntity[]> {
  const answer = await fetch(`${url}/v1/releases/latest?count=40`);
  const { releases } = (await answer.json()) as { releases: { id: string; org: { slug: string } }[] };
  return releases.map(({ id, org }) => ({ org: org.slug, release: id }));
}

async function timed({ url }: Running, paths: readonly string[]): Promise<number> {
  const started = performance.now();
  for (const path of paths) {
    const response = await fetch(url + path, { headers: { 'Accept-Encoding': 'identity' } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url}${path}: ${response.status}`);
  }
  return performance.now() - started;
}
