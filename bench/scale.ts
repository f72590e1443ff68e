// What a release costs in bytes, memory and time at several sizes: the table of docs/scale.md. It has no target, because the
// same figures with a target are in the other parts.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './figures.ts';
import { generatedRegistry } from './registries.ts';
import { measure, prepare, warmUp } from './search.ts';
import { type Running, readJson, startService } from './service.ts';

const READS = 300;
// By then a service has loaded what its start leaves out.
const SETTLED_MS = 13_000;

// Which part of a release a table or index of the database belongs to.
const PARTS: [name: string, matches: RegExp][] = [
  ['rows with their notes', /^releases$/],
  ['indexes of releases', /^(?:releases_|sqlite_autoindex_releases)/],
  ['full text', /_fts/],
  ['words and names', /^(?:search_words|entity_names)/],
  ['figures by day', /^(?:release_days|sqlite_autoindex_release_days)/],
  ['everything else', /^/],
];

type Column = Record<string, string>;

export async function printScale(sizes: readonly number[]): Promise<void> {
  const columns: Column[] = [];
  for (const size of sizes) columns.push(await measured(size));
  const [first = {}] = columns;
  console.log(`| | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`);
  console.log(`| --- | ${sizes.map(() => '---:').join(' | ')} |`);
  for (const name of Object.keys(first)) {
    console.log(`| ${name} | ${columns.map((column) => column[name] ?? '').join(' | ')} |`);
  }
}

async function measured(size: number): Promise<Column> {
  const folder = await generatedRegistry(size);
  const queries = await prepare({ REGISTRY_DATA_DIR: folder });
  const file = join(folder, 'registry.db');
  const service = await startService(folder, { REGISTRY_CACHE: 'off', REGISTRY_EMBEDDER: 'off' });
  try {
    await sleep(SETTLED_MS);
    const idle = memoryOf(service);
    const reads = await readTimes(service);
    await warmUp(service, 'lexical', queries);
    const search = await measure(service, 'lexical', queries);
    return {
      'database file': bytesText(statSync(file).size),
      ...partsOf(file, size),
      'start to first answer': `${(service.startMs / 1000).toFixed(2)} s`,
      'memory after the start (own; with mapped files)': idle,
      'memory after searches (own; with mapped files)': memoryOf(service),
      ...reads,
      'search by words, p50; p95': `${search.p50.toFixed(1)}; ${search.p95.toFixed(1)} ms`,
      'processor time of a search': search.processorMs === null ? 'unknown' : `${search.processorMs.toFixed(1)} ms`,
    };
  } finally {
    await service.stop();
  }
}

function partsOf(file: string, releases: number): Column {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name').all();
  database.close();
  const sums = new Map(PARTS.map(([name]) => [name, 0]));
  for (const { name, bytes } of rows) {
    const part = PARTS.find(([, matches]) => matches.test(String(name)))?.[0] ?? '';
    sums.set(part, (sums.get(part) ?? 0) + Number(bytes));
  }
  const perRelease = (bytes: number) => `${Math.round(bytes / releases).toLocaleString('en')} bytes`;
  return Object.fromEntries([...sums].map(([name, bytes]) => [`a release: ${name}`, perRelease(bytes)]));
}

async function readTimes({ url }: Running): Promise<Column> {
  const { releases } = (await readJson(`${url}/v1/releases/latest`)) as {
    releases: { id: string; org: { slug: string } }[];
  };
  const [first] = releases;
  if (!first) throw new Error('the registry is empty');
  const paths = {
    'latest releases, uncached, p50': '/v1/releases/latest',
    'releases of an org, uncached, p50': `/v1/orgs/${first.org.slug}/releases`,
    'one release, uncached, p50': `/v1/releases/${first.id}`,
  };
  const column: Column = {};
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const started = performance.now();
      await (await fetch(url + path)).arrayBuffer();
      times.push(performance.now() - started);
    }
    column[name] = `${median(times).toFixed(1)} ms`;
  }
  return column;
}

// Memory of its own cannot be given back by the kernel; that of files can.
function memoryOf({ pid }: Running): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  const text = (name: string) => Math.round(kilobytes(name) / 1024);
  return `${text('RssAnon')}; ${text('VmRSS')} MB`;
}

function bytesText(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
