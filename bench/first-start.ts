// `npm start` on an empty folder: from the start of the process to a home page that shows releases.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median } from './figures.ts';
import { startSample } from './service.ts';

const TARGET_MS = 10_000;
const STARTS = 3;

export async function benchFirstStart(): Promise<Figure> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'registry-first-start-'));
    const began = performance.now();
    const service = await startSample(folder);
    const home = await (await fetch(service.url, { headers: { Accept: 'text/html' } })).text();
    times.push(performance.now() - began);
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    if (!home.includes('data-release-id=')) throw new Error('the home page shows no release');
  }
  return {
    name: 'first start to a filled home page',
    value: median(times) / 1000,
    unit: 's',
    target: '< 10',
    holds: median(times) < TARGET_MS,
    detail: `the packages of the program itself; median of ${STARTS} starts`,
  };
}
