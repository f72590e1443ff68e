// Which files of ours run for one request that a warm service answers: how much of the program a reader has to know to
// follow it. `npm run files` prints the figures, `npm run files -- search` the files of one request.
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { loadDemo } from '../src/demo/load.ts';
import { smallDemo } from '../test/support/demo.ts';
import { type Service, startService } from '../test/support/service.ts';

const RELEASES = 300;
const ROUNDS = 4;

type Request = (service: Service, round: number) => Promise<{ status: number; text: string }>;

interface Asked {
  // How many files may run.
  most: number;
  cached?: true;
  request: Request;
}

const read =
  (path: string, headers: Record<string, string> = {}): Request =>
  ({ anonymous }) =>
    anonymous.get(path, headers);

const REQUESTS: Record<string, Asked> = {
  batch: {
    most: 95,
    request: ({ root }, round) =>
      root.post('/v1/orgs/basaltine/sources/basaltine/releases/batch', {
        releases: [1, 2, 3].map((patch) => ({
          title: `9.${round}.${patch}`,
          version: `9.${round}.${patch}`,
          content: '### Added\n- A scrubber for buckets\n\n### Removed\n- The old gateway',
          url: `https://basaltine.example/9.${round}.${patch}`,
          publishedAt: new Date().toISOString(),
        })),
      }),
  },
  search: { most: 75, request: read('/v1/search?q=slow+connections') },
  'whats-changed': {
    most: 50,
    request: read('/v1/whats-changed?ecosystem=npm&package=mossrail&from=0.72.0&to=0.73.1'),
  },
  'org-page': { most: 70, request: read('/basaltine', { Accept: 'text/html' }) },
  cached: { most: 10, cached: true, request: read('/v1/releases/latest') },
};

interface Ran {
  name: string;
  most: number;
  files: string[];
}

async function filesOf(folder: string, [name, { most, cached, request }]: [string, Asked]): Promise<Ran> {
  const app = await openApp(folder, cached ? 'on' : 'off');
  const asServed = await filesRunBy(name, request, app, 0);
  // What runs on threads of the store is not seen, so it is asked for once more without them.
  const { ctx } = app;
  const store = { ...ctx.store, search: ctx.store.read };
  const here = await filesRunBy(name, request, { ctx: { ...ctx, store }, close: async () => {} }, ROUNDS);
  await app.close();
  return { name, most, files: [...new Set([...asServed, ...here])].sort() };
}

async function filesRunBy(name: string, request: Request, app: App, firstRound: number): Promise<string[]> {
  const service = await startService(app, { verifyAnswers: false });
  const last = firstRound + ROUNDS - 1;
  for (let round = firstRound; round < last; round += 1) await request(service, round);
  await service.settled();
  const files = await coveredBy(async () => {
    const { status, text } = await request(service, last);
    if (status >= 300) throw new Error(`${name} was answered ${status}: ${text}`);
  });
  await service.close();
  return files;
}

function openApp(folder: string, cache: 'on' | 'off'): Promise<App> {
  return createApp(
    readConfig({
      REGISTRY_CACHE: cache,
      REGISTRY_DATA_DIR: folder,
      REGISTRY_EMBEDDER: 'off',
      REGISTRY_LOG_LEVEL: 'silent',
      REGISTRY_ROOT_KEY: 'key-of-the-measurement-0123456789-abcdef',
      REGISTRY_SECRET: '5e'.repeat(32),
    }),
  );
}

async function fill(folder: string): Promise<void> {
  const app = await openApp(folder, 'off');
  await app.ctx.store.migrate();
  await loadDemo(app.ctx, { registry: smallDemo(RELEASES) });
  await app.close();
}

const SOURCES = new URL('../src/', import.meta.url).href;

// Files with a function that ran. The top level of a module, which has run at the start, is no function that counts.
async function coveredBy(work: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url, functions }) => url.startsWith(SOURCES) && functions.some(hasRun))
    .map(({ url }) => url.slice(SOURCES.length))
    .sort();
}

function hasRun({ functionName, ranges }: { functionName: string; ranges: { startOffset: number; count: number }[] }) {
  const isModule = functionName === '' && ranges[0]?.startOffset === 0;
  return !isModule && ranges.some(({ count }) => count > 0);
}

const [, , only] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'registry-files-'));
await fill(folder);
for (const entry of Object.entries(REQUESTS)) {
  if (only && entry[0] !== only) continue;
  const { name, most, files } = await filesOf(folder, entry);
  console.log(`${name}: ${files.length} files (at most ${most})`);
  if (only) console.log(files.join('\n'));
}
rmSync(folder, { recursive: true });
