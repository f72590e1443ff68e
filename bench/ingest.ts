// Batch ingest in one process on both engines: releases a second with derived texts and full-text rows, processor time, and
// memory from early to end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { bulkReleases } from '../src/cli/generate-rows.ts';
import { readConfig } from '../src/config.ts';
import { createSource } from '../src/entities/sources/create.ts';
import { writeReleases } from '../src/releases/write/write-batch.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import type { Figure } from './figures.ts';

// Releases a second; the server of PostgreSQL runs on the same cores.
const TARGETS = { SQLite: 2000, PostgreSQL: 1500 };
const MEMORY_TARGET = 1.25;
const BATCH = 500;
const WARM_UP = 4;

interface Ingested {
  rate: number;
  // Of one release, on all threads of the process.
  processorMs: number;
  batches: number;
  // Resident memory after each batch.
  memory: number[];
}

export async function benchIngest(releases: number): Promise<Figure[]> {
  const onSqlite = await ingest(releases, {});
  const server = await startPostgres({ durable: true });
  try {
    const { url } = await createDatabase(server.url);
    const onPostgres = await ingest(releases, { REGISTRY_DATABASE_URL: url });
    return [rateFigure('SQLite', onSqlite), memoryFigure(onSqlite), rateFigure('PostgreSQL', onPostgres)];
  } finally {
    await server.stop();
  }
}

// The texts are made before the clock starts: what is measured is the write path, from posted rows to the commit.
async function ingest(releases: number, env: Record<string, string>): Promise<Ingested> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn', ...env }));
  try {
    await ctx.store.migrate();
    const batches = Math.ceil(releases / BATCH);
    const memory: number[] = [];
    let spent = 0;
    let workedMs = 0;
    for (let batch = 0; batch < WARM_UP + batches; batch += 1) {
      const { id } = await createSource(ctx, {
        name: `Bulk ${batch}`,
        url: `https://bulk.example/${batch}`,
        type: 'feed',
      });
      // As they come out of a request body.
      const rows = JSON.parse(
        JSON.stringify(bulkReleases({ sourceIndex: batch, count: BATCH, seed: 1, now: ctx.clock() })),
      );
      const [began, started] = [process.cpuUsage(), performance.now()];
      await writeReleases(ctx, { path: { src: id }, rows, silent: true });
      const [ms, { user, system }] = [performance.now() - started, process.cpuUsage(began)];
      if (batch >= WARM_UP) {
        spent += ms;
        workedMs += (user + system) / 1000;
      }
      memory.push(process.memoryUsage().rss);
    }
    const written = batches * BATCH;
    return { rate: written / (spent / 1000), processorMs: workedMs / written, batches, memory };
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

function rateFigure(engine: keyof typeof TARGETS, { rate, processorMs, batches }: Ingested): Figure {
  return {
    name: engine === 'SQLite' ? 'batch ingest' : `batch ingest, ${engine}`,
    value: rate,
    unit: 'releases/s',
    target: `≥ ${TARGETS[engine]}`,
    holds: rate >= TARGETS[engine],
    detail: `${batches} batches of ${BATCH} with full-text rows, ${engine}, one process; processor time a release ${processorMs.toFixed(3)} ms`,
  };
}

// Caches fill first; after that it must not grow any more.
function memoryFigure({ memory }: Ingested): Figure {
  const quarter = Math.ceil(memory.length / 4);
  const early = Math.max(...memory.slice(quarter, 2 * quarter));
  const late = Math.max(...memory.slice(-quarter));
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return {
    name: 'memory during ingest',
    value: late / early,
    unit: 'last quarter against second',
    target: `≤ ${MEMORY_TARGET}`,
    holds: late / early <= MEMORY_TARGET,
    detail: `${megabytes(early)} → ${megabytes(late)} resident at most`,
  };
}
