// Published versions: storing a listing of 1,000 versions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { storeListing } from '../src/catalog/packages/store-listing.ts';
import { readConfig } from '../src/config.ts';
import { transact } from '../src/context.ts';
import type { PackageListing } from '../src/domain/published-package.ts';
import { type Figure, median } from './figures.ts';

const STORE_TARGET_MS = 50;
const VERSIONS = 1000;
const PACKAGES = 100;

export async function benchPackages(): Promise<Figure[]> {
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
