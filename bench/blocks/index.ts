// How long a stranger's document or one request blocks the thread that answers requests: the processor time of the longest turn
// of the event loop while a long text is written, corrected, stored as a changelog or rendered, on both engines; while
// sources of every type are fetched, evaluated and looked up; and while requests with long bodies are answered.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Figure } from '../figures.ts';
import { benchFetches, benchStoring } from './fetches.ts';
import { type Outside, startOutside } from './outside.ts';
import { benchRequests } from './requests.ts';
import { benchUpgrades } from './upgrades.ts';
import { benchWrites } from './writes.ts';

export async function benchBlocks(): Promise<Figure[]> {
  const outside = await startOutside();
  // Under another name than the pages, which would be the code host's own.
  const host = outside.url.replace('127.0.0.1', 'localhost');
  const services = Object.fromEntries(
    ['GITHUB_API', 'GITHUB_RAW', 'GITHUB_WEB', 'ITUNES', 'YOUTUBE'].map((name) => [`REGISTRY_${name}_URL`, host]),
  );
  const settings = {
    ...services,
    REGISTRY_EGRESS_ALLOW: '127.0.0.1,localhost',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_LOOKUPS: 'public',
    REGISTRY_TRUSTED_PROXIES: '127.0.0.1',
    REGISTRY_PORT: '0',
  };
  try {
    const figures: Figure[] = [];
    await withApp(settings, async (ctx) => {
      figures.push(...(await benchWrites(ctx, 'SQLite')));
      figures.push(...(await benchFetches(ctx, outside)));
      figures.push(...(await benchRequests(ctx, outside)));
      figures.push(...(await benchUpgrades(ctx, outside, 'SQLite')));
    });
    figures.push(...(await onPostgres(settings, outside)));
    return figures;
  } finally {
    outside.close();
  }
}

async function onPostgres(settings: Record<string, string>, outside: Outside): Promise<Figure[]> {
  const server = await startPostgres();
  try {
    const database = await createDatabase(server.url);
    return await withApp({ ...settings, REGISTRY_DATABASE_URL: database.url }, async (ctx) => [
      ...(await benchWrites(ctx, 'PostgreSQL')),
      ...(await benchStoring(ctx, outside, 'PostgreSQL')),
      ...(await benchUpgrades(ctx, outside, 'PostgreSQL')),
    ]);
  } finally {
    await server.stop();
  }
}

async function withApp<T>(env: Record<string, string>, work: (ctx: Context) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const config = { REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'fatal', REGISTRY_EMBEDDER: 'off', ...env };
  const { ctx, close } = await createApp(readConfig(config));
  try {
    await ctx.store.migrate();
    return await work(ctx);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}
