// Hot reads against a bare node:http server that sends the same bytes, in turns, so that both see the same machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Figure, median } from './figures.ts';
import { startBare, startService } from './service.ts';

const ROUNDS = 3;
const SECONDS = 3;
const CONNECTIONS = 16;
const TARGET = 0.8;

export async function benchHotReads(dataDir: string): Promise<Figure[]> {
  const service = await startService(dataDir);
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  try {
    const figures: Figure[] = [];
    for (const [name, path] of await hotPaths(service.url)) {
      const body = Buffer.from(await (await fetch(service.url + path)).arrayBuffer());
      const file = join(folder, 'body');
      writeFileSync(file, body);
      const bare = await startBare(file);
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await requestsPerSecond(service.url + path));
        theirs.push(await requestsPerSecond(bare.url));
      }
      await bare.stop();
      const ratio = median(ours) / median(theirs);
      figures.push({
        name: `hot read: ${name}`,
        value: ratio,
        unit: 'of bare node:http',
        target: `≥ ${TARGET}`,
        holds: ratio >= TARGET,
        detail: `${Math.round(median(ours))} against ${Math.round(median(theirs))} req/s, ${body.length} bytes`,
      });
    }
    return figures;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
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
  ];
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  return result.requests.average;
}
