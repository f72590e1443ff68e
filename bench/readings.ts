// What a question orders, against a registry on the loopback that answers in 20 ms: how long until its parts are told, until a
// lockfile of 400 packages is known, and what is left for others meanwhile. Values are ratios to the same work alone.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ReadingAnswer } from '../src/contract/reading.ts';
import type { ListProgress, ReportAnswer } from '../src/contract/report.ts';
import { compareApi } from '../src/domain/evidence/compare.ts';
import { readPackage } from '../src/domain/evidence/read-package.ts';
import { type Figure, median } from './figures.ts';
import { startServing } from './service.ts';

const QUESTIONS = 40;
const SIZES = [20, 50, 100, 300, 1000];
const LOCKED = 400;
const FIRST_ROWS = 20;
const READERS = 4;
const WINDOW_MS = 3000;

// The aims, for two cores with nothing else to do.
const MOST_MS = { listing: 500, median: 2500, slowest: 8000, told: 1000, first: 5000, all: 120_000 };
const LEAST_KEPT = 0.9;

export async function benchReadings(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const registry = fork(fileURLToPath(new URL('./slow-registry.ts', import.meta.url)));
  const [{ port }] = await once(registry, 'message');
  const origin = `http://127.0.0.1:${port}`;
  const service = await startServing(folder, {
    REGISTRY_EMBEDDER: 'off',
    REGISTRY_EGRESS_ALLOW: '127.0.0.1',
    REGISTRY_NPM_URL: origin,
    REGISTRY_HOST_DELAY_MS: '0',
  });
  try {
    return [...(await benchQuestions(origin, service.url)), ...(await benchLockfile(origin, service.url))];
  } finally {
    await service.stop();
    registry.disconnect();
    rmSync(folder, { recursive: true });
  }
}

// One after the other, as one person asks.
async function benchQuestions(origin: string, url: string): Promise<Figure[]> {
  const alone = { listing: [] as number[], comparison: [] as number[] };
  const told = { listing: [] as number[], comparison: [] as number[], late: [] as number[] };
  for (let at = 0; at < QUESTIONS; at += 1) {
    const name = `asked-${at}-${SIZES[at % SIZES.length]}`;
    // The registry packs its archives for the first who asks.
    await workAlone(origin, name);
    const own = await workAlone(origin, name);
    const asked = await askUntilCompared(url, name);
    alone.listing.push(own.listing);
    alone.comparison.push(own.all);
    told.listing.push(asked.listing);
    told.comparison.push(asked.comparison);
    told.late.push(asked.late);
  }
  const own = { listing: median(alone.listing), comparison: median(alone.comparison), slow: slowest(alone.comparison) };
  const detail = `${QUESTIONS} packages of ${SIZES.join(', ')} names`;
  return [
    ratio('listing told', median(told.listing), { alone: own.listing, aim: MOST_MS.listing, detail }),
    ratio('comparison told, median', median(told.comparison), { alone: own.comparison, aim: MOST_MS.median, detail }),
    ratio('comparison told, p95', slowest(told.comparison), { alone: own.slow, aim: MOST_MS.slowest, detail }),
    {
      name: 'open page hears of a part',
      value: slowest(told.late),
      unit: 'ms p95 later',
      target: `≤ ${MOST_MS.told}`,
      holds: slowest(told.late) <= MOST_MS.told,
      detail: 'server-sent events against asking all the time',
    },
  ];
}

interface Ratio {
  alone: number;
  aim: number;
  detail: string;
}

// The aim is a time on a quiet machine; beside other work the multiple of the same work alone is what can be compared.
function ratio(name: string, ms: number, { alone, aim, detail }: Ratio): Figure {
  return {
    name,
    value: ms / alone,
    unit: 'times the work alone',
    target: `≤ ${aim} ms`,
    holds: ms <= aim,
    detail: `${Math.round(ms)} ms against ${Math.round(alone)}; ${detail}`,
  };
}

function slowest(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
}

async function workAlone(origin: string, name: string): Promise<{ listing: number; all: number }> {
  const started = performance.now();
  await answerTo(`${origin}/${name}`);
  const listing = performance.now() - started;
  const [old, next] = [await packageAlone(origin, name, '1.0.0'), await packageAlone(origin, name, '2.0.0')];
  compareApi(old, next);
  return { listing, all: performance.now() - started };
}

async function packageAlone(origin: string, name: string, version: string) {
  const response = await ask(`${origin}/${name}/-/${version}.tgz`);
  const { files } = await readPackage(new Uint8Array(await response.arrayBuffer()));
  if (!files) throw new Error(`${name} ${version} cannot be read`);
  return files;
}

async function askUntilCompared(url: string, name: string) {
  const started = performance.now();
  const since = () => performance.now() - started;
  const query = new URLSearchParams({ package: name, ecosystem: 'npm', from: '1.0.0', to: '2.0.0' });
  const { reading } = (await answerTo(`${url}/v1/whats-changed?${query}`)) as { reading?: { id: string } };
  if (!reading) throw new Error(`nothing is read for ${name}`);
  const events = partsOfStream(`${url}/v1/readings/${reading.id}/events`, since);
  const seen = new Map<string, number>();
  for (;;) {
    const { parts, endedAt } = (await answerTo(`${url}/v1/readings/${reading.id}`)) as ReadingAnswer;
    for (const { part, state } of parts) {
      if (state !== 'waiting' && state !== 'running' && !seen.has(part)) seen.set(part, since());
    }
    if (endedAt !== null) break;
    await sleep(10);
  }
  const late = (await events).flatMap(([part, at]) => Math.max(0, at - (seen.get(part) ?? at)));
  return { listing: seen.get('listing') ?? 0, comparison: seen.get('comparison') ?? 0, late: Math.max(...late) };
}

// When each part was first told of as ended.
async function partsOfStream(address: string, since: () => number): Promise<[string, number][]> {
  const response = await ask(address, { headers: { Accept: 'text/event-stream' } });
  const ended = new Map<string, number>();
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (const [, data = ''] of text.matchAll(/^data: (\{"id".+\})\n/gm)) {
      for (const { part, state } of (JSON.parse(data) as ReadingAnswer).parts) {
        if (state !== 'waiting' && state !== 'running' && !ended.has(part)) ended.set(part, since());
      }
    }
  }
  return [...ended];
}

async function benchLockfile(origin: string, url: string): Promise<Figure[]> {
  const names = Array.from({ length: LOCKED }, (_, at) => `locked-${at}-20`);
  const own: number[] = [];
  for (const name of names.slice(0, FIRST_ROWS)) own.push((await workAlone(origin, name)).all);
  const alone = median(own);
  const quiet = await readsOf(url, async () => sleep(WINDOW_MS));
  const started = performance.now();
  const entries = names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]);
  const root = { dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) };
  const text = JSON.stringify({ lockfileVersion: 3, packages: { '': root, ...Object.fromEntries(entries) } });
  const body = JSON.stringify({ text });
  const headers = { 'Content-Type': 'application/json' };
  const made = await ask(`${url}/v1/reports`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  let [first, all] = [Number.NaN, Number.NaN];
  let last: ListProgress | null = null;
  const busy = await readsOf(url, async () => {
    while (Number.isNaN(all) && performance.now() - started < 2 * MOST_MS.all) {
      const { progress } = (await answerTo(`${url}/v1/reports/${id}`)) as ReportAnswer;
      last = progress;
      const passed = performance.now() - started;
      if (Number.isNaN(first) && progress.known >= FIRST_ROWS) first = passed;
      if (progress.known === progress.of || progress.refused > 0) all = passed;
      await sleep(250);
    }
  });
  const kept = busy / quiet;
  const detail = `${LOCKED} packages; at the end ${JSON.stringify(last)}`;
  return [
    ratio(`first ${FIRST_ROWS} rows of a lockfile`, first, { alone: alone * FIRST_ROWS, aim: MOST_MS.first, detail }),
    ratio('all rows of a lockfile', all, { alone: alone * LOCKED, aim: MOST_MS.all, detail }),
    {
      name: 'cached reads while a lockfile fills',
      value: kept,
      unit: 'of their rate',
      target: `≥ ${LEAST_KEPT}`,
      holds: kept >= LEAST_KEPT,
      detail: `${Math.round(quiet)} and ${Math.round(busy)} a second by ${READERS} readers of this process, who share the cores`,
    },
  ];
}

// A connection that the other side is just closing is no answer.
async function ask(address: string, request: RequestInit = {}): Promise<Response> {
  return fetch(address, request).catch(() => fetch(address, request));
}

async function answerTo(address: string): Promise<unknown> {
  return (await ask(address)).json();
}

// How many cached answers a second a few readers get while something is done.
async function readsOf(url: string, work: () => Promise<unknown>): Promise<number> {
  let [count, isOver] = [0, false];
  const read = async () => {
    while (!isOver) {
      await (await ask(`${url}/v1/releases/latest`)).arrayBuffer();
      count += 1;
      // Each reader asks a hundred times a second at most, so that a busy client is not what is measured.
      await sleep(10);
    }
  };
  const started = performance.now();
  const readers = Array.from({ length: READERS }, read);
  await work();
  isOver = true;
  await Promise.all(readers);
  return count / ((performance.now() - started) / 1000);
}
