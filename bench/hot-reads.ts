// Hot reads against a bare node:http server that sends the same bytes, in turns, so that both see the same machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { type Figure, median } from './figures.ts';
import { startBare, startService } from './service.ts';

const ROUNDS = 3;
const SECONDS = 3;
const CONNECTIONS = 16;
const TARGET = 0.8;
// Ten seconds after its start a service loads once what its start leaves out.
const WARM_UP_MS = 13_000;

export async function benchHotReads(dataDir: string): Promise<Figure[]> {
  const service = await startService(dataDir);
  await sleep(WARM_UP_MS);
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  try {
    const figures: Figure[] = [];
    for (const [name, path] of await hotPaths(service.url)) {
      const response = await fetch(service.url + path, { headers: { 'Accept-Encoding': 'identity' } });
      const body = Buffer.from(await response.arrayBuffer());
      const [bodyFile, headerFile] = [join(folder, 'body'), join(folder, 'headers')];
      writeFileSync(bodyFile, body);
      writeFileSync(headerFile, JSON.stringify(ownHeaders(response.headers)));
      const same = await startBare(bodyFile, headerFile);
      const bodyOnly = await startBare(bodyFile);
      const rates: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [place, url] of [service.url + path, same.url, bodyOnly.url].entries()) {
          rates[place]?.push(await requestsPerSecond(url));
        }
      }
      await same.stop();
      await bodyOnly.stop();
      const [ours, theirs, plain] = rates.map(median) as [number, number, number];
      figures.push({
        name: `hot read: ${name}`,
        value: ours / theirs,
        unit: 'of bare node:http',
        target: `≥ ${TARGET}`,
        holds: ours / theirs >= TARGET,
        detail: `${Math.round(ours)} against ${Math.round(theirs)} req/s, ${body.length} bytes; ${(ours / plain).toFixed(2)} of one that sends no headers of ours`,
      });
    }
    return figures;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

// Without those that node adds by itself.
function ownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)));
}

async function hotPaths(url: string): Promise<[string, string][]> {
  const { releases } = (await (await fetch(`${url}/v1/releases/latest`)).json()) as {
    releases: { id: string; org: { slug: string } }[];
  };
  const [first] = releases;
  if (!first) throw new Error('the registry is empty');
  return [
    ['latest', '/v1/releases/latest'],
    ['org feed', `/v1/orgs/${first.org.slug}/releases`],
    ['org detail', `/v1/orgs/${first.org.slug}`],
    ['release', `/v1/releases/${first.id}`],
    ['home page', '/'],
    ['org page', `/${first.org.slug}`],
    ['release page', `/release/${first.id}`],
  ];
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  return result.requests.average;
}
