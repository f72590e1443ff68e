// Batch ingest in one process: releases a second with derived texts and full-text rows, and memory from early to end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { generateRegistry } from '../src/demo/generate.ts';
import type { Figure } from './figures.ts';

const TARGET = 2000;
const MEMORY_TARGET = 1.5;

export async function benchIngest(releases: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await ctx.store.migrate();
    let early = 0;
    const started = performance.now();
    await generateRegistry(ctx, {
      releases,
      onProgress: (done) => {
        if (early === 0 && done >= releases / 5) early = process.memoryUsage().rss;
      },
    });
    const rate = releases / ((performance.now() - started) / 1000);
    const late = process.memoryUsage().rss;
    const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
    return [
      {
        name: 'batch ingest',
        value: rate,
        unit: 'releases/s',
        target: `≥ ${TARGET}`,
        holds: rate >= TARGET,
        detail: `${releases} releases with full-text rows, SQLite, one process`,
      },
      {
        name: 'memory during ingest',
        value: late / early,
        unit: 'end against a fifth of the way',
        target: `≤ ${MEMORY_TARGET}`,
        holds: late / early <= MEMORY_TARGET,
        detail: `${megabytes(early)} → ${megabytes(late)}`,
      },
    ];
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}
