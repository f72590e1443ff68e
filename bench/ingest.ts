// Batch ingest in one process: releases a second with derived texts and full-text rows, and memory from early to end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { writeReleases } from '../src/catalog/releases/write-batch.ts';
import { createSource } from '../src/catalog/sources/create.ts';
import { bulkReleases } from '../src/cli/generate-rows.ts';
import { readConfig } from '../src/config.ts';
import type { Figure } from './figures.ts';

const TARGET = 2000;
const MEMORY_TARGET = 1.25;
const BATCH = 500;
const WARM_UP = 4;

// The texts are made before the clock starts: what is measured is the write path, from posted rows to the commit.
export async function benchIngest(releases: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await ctx.store.migrate();
    const batches = Math.ceil(releases / BATCH);
    const heaps: number[] = [];
    let spent = 0;
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
      const started = performance.now();
      await writeReleases(ctx, { path: { src: id }, rows, silent: true });
      if (batch >= WARM_UP) spent += performance.now() - started;
      heaps.push(process.memoryUsage().rss);
    }
    const rate = (batches * BATCH) / (spent / 1000);
    // Caches fill first; after that it must not grow any more.
    const quarter = Math.ceil(heaps.length / 4);
    const early = Math.max(...heaps.slice(quarter, 2 * quarter));
    const late = Math.max(...heaps.slice(-quarter));
    const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
    return [
      {
        name: 'batch ingest',
        value: rate,
        unit: 'releases/s',
        target: `≥ ${TARGET}`,
        holds: rate >= TARGET,
        detail: `${batches} batches of ${BATCH} with full-text rows, SQLite, one process`,
      },
      {
        name: 'memory during ingest',
        value: late / early,
        unit: 'last quarter against second',
        target: `≤ ${MEMORY_TARGET}`,
        holds: late / early <= MEMORY_TARGET,
        detail: `${megabytes(early)} → ${megabytes(late)} resident at most`,
      },
    ];
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}
