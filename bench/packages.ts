// Published versions: storing a listing of 1,000 versions, and asking for packages that have not changed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Context, transact } from '../src/context.ts';
import type { PackageListing } from '../src/domain/published-package.ts';
import { scheduleListings } from '../src/ingest/registries/due-packages.ts';
import { storeListing } from '../src/packages/listings/store-listing.ts';
import { insertMany } from '../src/store/insert-many.ts';
import { toJson } from '../src/store/json-text.ts';
import { createFetching } from '../src/worker/fetching.ts';
import { createWorker } from '../src/worker/worker.ts';
import { type Figure, median } from './figures.ts';

const STORE_TARGET_MS = 50;
const VERSIONS = 1000;
const PACKAGES = 100;
// As many as a day has for ten thousand packages, in a tenth.
const UNCHANGED = 1000;
const DAY_TARGET_S = 60;

export async function benchPackages(): Promise<Figure[]> {
  return [...(await benchStoring()), await benchUnchanged()];
}

async function benchStoring(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await ctx.store.migrate();
    const stored: number[] = [];
    for (let index = 0; index < PACKAGES; index += 1) {
      const listing = listingOf(`package-${index}`);
      stored.push(await processorMs(() => transact(ctx, (ctx) => storeListing(ctx, listing))));
    }
    const store = median(stored);
    return [
      {
        name: 'listing stored',
        value: store,
        unit: 'ms of processor time',
        target: `≤ ${STORE_TARGET_MS}`,
        holds: store <= STORE_TARGET_MS,
        detail: `${VERSIONS} versions, SQLite, median of ${PACKAGES}`,
      },
    ];
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function benchUnchanged(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const server = fork(fileURLToPath(new URL('./package-server.ts', import.meta.url)));
  const [{ port }] = await once(server, 'message');
  let at = Date.now();
  const config = readConfig({
    REGISTRY_DATA_DIR: folder,
    REGISTRY_LOG_LEVEL: 'warn',
    REGISTRY_EMBEDDER: 'off',
    REGISTRY_EGRESS_ALLOW: '127.0.0.1',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_NPM_URL: `http://127.0.0.1:${port}`,
  });
  const { ctx, close } = await createApp(config, { clock: () => new Date(at) });
  try {
    await ctx.store.migrate();
    await knowPackages(ctx);
    await readAll(ctx);
    // All of them have been silent for more than a year.
    at += 8 * 86_400_000;
    const spent = await processorMs(() => readAll(ctx));
    const seconds = (spent / 1000) * (10_000 / UNCHANGED);
    return {
      name: 'packages without changes',
      value: seconds,
      unit: 's of a core a day',
      target: `≤ ${DAY_TARGET_S}`,
      holds: seconds <= DAY_TARGET_S,
      detail: `10,000 packages once a day, by measure of ${UNCHANGED}; 304 each, SQLite`,
    };
  } finally {
    server.disconnect();
    await close();
    rmSync(folder, { recursive: true });
  }
}

async function knowPackages(ctx: Context): Promise<void> {
  const rows = Array.from({ length: UNCHANGED }, (_, index) => ({
    id: `npm:bench-${index}`,
    ecosystem: 'npm' as const,
    name: `bench-${index}`,
    spelling: `bench-${index}`,
    registry: null,
    latest: null,
    dist_tags: null,
    repository: null,
    homepage: null,
    facts: null,
    listed_at: null,
    checked_at: null,
    validators: toJson(null),
    outcome: 'never_read' as const,
    reason: null,
    failing_since: null,
    next_read_at: null,
    wanted_at: ctx.clock().toISOString(),
  }));
  await transact(ctx, ({ tx }) => insertMany(tx, 'package_states', rows));
}

// Until nothing is due.
async function readAll(ctx: Context): Promise<void> {
  for (;;) {
    await scheduleListings(ctx);
    await createWorker(ctx, { tasks: createFetching() }).drain();
    const due = ctx.store.read.selectFrom('package_states').select('id').limit(1);
    if ((await due.where('next_read_at', '<=', ctx.clock().toISOString()).execute()).length === 0) return;
  }
}

function listingOf(spelling: string): PackageListing {
  const versions = Array.from({ length: VERSIONS }, (_, index) => {
    const version = `${index >> 7}.${(index >> 3) & 15}.${index & 7}`;
    return {
      version,
      publishedAt: new Date(Date.UTC(2020, 0, 1 + index)).toISOString(),
      withdrawn: false,
      withdrawnReason: null,
      deprecated: index % 10 === 0 ? 'Use the next one.' : null,
      tarballUrl: `https://npm.example/${spelling}/-/${spelling}-${version}.tgz`,
      integrity: `sha512-${'A'.repeat(86)}==`,
    };
  });
  const latest = versions.at(-1)?.version ?? null;
  return { ecosystem: 'npm', spelling, registry: null, latest, repository: null, homepage: null, versions };
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
