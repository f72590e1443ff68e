// The same searches on the second engine, on a server that lives for the measurement alone. Its registries are small:
// what counts is that four times the releases do not make four times the time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { generateRegistry } from '../src/cli/generate-registry.ts';
import { readConfig } from '../src/config.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import type { Figure } from './figures.ts';
import { LEXICAL, measure, prepare, WARM_UP, warmUp } from './search.ts';
import { startService } from './service.ts';

// Both above the rows that a search looks at, so that what remains is growth of the corpus alone.
const SMALL = 25_000;
const LARGE = 100_000;
const GROWTH = 1.5;
// Far below what two cores carry beside the load and the server: a queue would grow faster than what is measured.
const PER_SECOND = 5;
const QUERIES = 250;

export async function benchSearchPostgres(): Promise<Figure[]> {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  try {
    const [small, large] = [await searched(server.url, folder, SMALL), await searched(server.url, folder, LARGE)];
    const detail = (times: typeof small) =>
      [times.p50, times.p95, times.p99].map((time) => time.toFixed(1)).join(' / ');
    return [
      {
        name: 'lexical search on PostgreSQL, growth',
        value: large.p95 / small.p95,
        unit: `p95 at ${LARGE} against ${SMALL}`,
        target: `≤ ${GROWTH}`,
        holds: large.p95 / small.p95 <= GROWTH,
        detail: `p50 / p95 / p99: ${detail(large)} ms against ${detail(small)} ms, ${PER_SECOND} a second`,
      },
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function searched(adminUrl: string, folder: string, releases: number) {
  const database = await createDatabase(adminUrl);
  const env = { REGISTRY_DATABASE_URL: database.url, REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' };
  const { ctx, close } = await createApp(readConfig(env));
  await generateRegistry(ctx, { releases });
  await close();
  const queries = await prepare(env);
  const service = await startService(folder, { ...env, REGISTRY_CACHE: 'off' });
  try {
    await warmUp(service, LEXICAL.name, queries);
    return await measure(service, LEXICAL.name, queries.slice(0, WARM_UP + QUERIES), PER_SECOND);
  } finally {
    await service.stop();
    await database.drop();
  }
}
