// `registry check` in a large project, as a process of its own, with a package registry on the loopback: with empty caches, and
// again with what it kept. Bars are held against processor time of all its threads, which other programs on the machine change
// by a quarter at most; the time on the clock stands beside it.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNpmRegistry } from '../test/support/npm-registry.ts';
import { madePackages, writeProject } from './check-project.ts';
import { type Figure, median } from './figures.ts';

const WARM_RUNS = 3;
const PROGRAM = fileURLToPath(new URL('../bin/registry.mjs', import.meta.url));
// Tells the processor time until the first word on standard error, and that of the whole process with its threads.
const METER = `
import { writeSync } from 'node:fs';
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const write = process.stderr.write;
let first = null;
process.stderr.write = function (...given) { first ??= spent(); return write.apply(this, given); };
process.on('exit', () => writeSync(3, JSON.stringify({ first, all: spent() })));
`;

interface Run {
  // Seconds of the processor, until the first word and in all.
  first: number;
  all: number;
  clock: number;
  report: string;
}

export async function benchCheck(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-bench-check-'));
  const registry = await startNpmRegistry(madePackages());
  try {
    writeProject(join(folder, 'project'));
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
    };
    const cold = await run(join(folder, 'project'), env);
    const warm: Run[] = [];
    while (warm.length < WARM_RUNS) warm.push(await run(join(folder, 'project'), env));
    const differing = warm.filter(({ report }) => report !== cold.report).length;
    const first = median(warm.map((one) => one.first));
    return [
      seconds('check of 1,500 packages and 2,000 files, cold', cold.all, 60, `${cold.clock.toFixed(1)} s on the clock`),
      seconds('the same again', median(warm.map(({ all }) => all)), 5, clocks(warm)),
      seconds('until its first word', first, 0.3, `median of ${WARM_RUNS}`),
      {
        name: 'reports that differ for the same project',
        value: differing,
        unit: '',
        target: '0',
        holds: differing === 0 && cold.report.includes('breaks'),
        detail: `${cold.report.split('\n').length} lines`,
      },
    ];
  } finally {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(name: string, value: number, most: number, detail: string): Figure {
  return { name, value, unit: 's of processor', target: `< ${most}`, holds: value < most, detail };
}

function clocks(runs: readonly Run[]): string {
  return `${runs.map(({ clock }) => clock.toFixed(1)).join(', ')} s on the clock`;
}

async function run(folder: string, env: NodeJS.ProcessEnv): Promise<Run> {
  const began = performance.now();
  const meter = `data:text/javascript,${encodeURIComponent(METER)}`;
  const child = spawn(process.execPath, ['--import', meter, PROGRAM, 'check', '--folder', folder], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const texts = await Promise.all(child.stdio.slice(1).map((stream) => textOf(stream as NodeJS.ReadableStream)));
  const [report = '', told = '', measured = ''] = texts;
  const clock = (performance.now() - began) / 1000;
  if (measured === '') throw new Error(`the check failed: ${told}`);
  return { ...JSON.parse(measured), clock, report };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}
