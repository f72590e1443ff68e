// Hot reads against a bare node:http server that sends the same bytes, in turns, so that both see the same machine.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Figure, median } from './figures.ts';
import type { GeneratedLoad } from './load-generator.ts';
import { undisturbed, watchWork } from './processor-time.ts';
import { type Running, startBare, startService } from './service.ts';

const GENERATOR = fileURLToPath(new URL('./load-generator.ts', import.meta.url));
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
      const loads: [Load[], Load[], Load[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [place, server] of [service, same, bodyOnly].entries()) {
          loads[place]?.push(await undisturbed(() => load(server, server === service ? path : '/')));
        }
      }
      await same.stop();
      await bodyOnly.stop();
      figures.push(figureOf(name, body.length, loads));
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

interface Load {
  perSecond: number;
  // Processor time of the server for one request; null where the kernel does not tell.
  processorUs: number | null;
  // The share of the machine that neither the server nor the load generator used.
  othersShare: number;
}

async function load(server: Running, path: string): Promise<Load> {
  const work = watchWork(server.pid);
  const { perSecond, total, processorMs } = await generateLoad(server.url + path);
  const { ownMs, othersShare } = work?.(processorMs) ?? { ownMs: null, othersShare: 0 };
  return { perSecond, processorUs: ownMs === null ? null : (1000 * ownMs) / total, othersShare };
}

async function generateLoad(url: string): Promise<GeneratedLoad> {
  const args = [GENERATOR, url, String(CONNECTIONS), String(SECONDS)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as GeneratedLoad;
}

function figureOf(name: string, bytes: number, loads: readonly [Load[], Load[], Load[]]): Figure {
  const [ours, theirs, plain] = loads.map((rounds) => median(rounds.map(({ perSecond }) => perSecond))) as [
    number,
    number,
    number,
  ];
  const [ourWork, theirWork] = loads.map((rounds) => medianWork(rounds)) as [string, string];
  const others = Math.round(100 * Math.max(...loads.flat().map(({ othersShare }) => othersShare)));
  return {
    name: `hot read: ${name}`,
    value: ours / theirs,
    unit: 'of bare node:http',
    target: `≥ ${TARGET}`,
    holds: ours / theirs >= TARGET,
    detail: `${Math.round(ours)} against ${Math.round(theirs)} req/s, processor time a request ${ourWork} against ${theirWork} µs, ${bytes} bytes; ${(ours / plain).toFixed(2)} of one that sends no headers of ours; others used up to ${others} % of the machine`,
  };
}

function medianWork(rounds: readonly Load[]): string {
  const known = rounds.flatMap(({ processorUs }) => processorUs ?? []);
  return known.length > 0 ? median(known).toFixed(1) : 'unknown';
}
