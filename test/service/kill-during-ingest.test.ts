// A process that dies in the middle of a batch leaves all of it or nothing.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { NODE_FLAGS, testProgram } from '../support/program.ts';

const WRITER = testProgram('test/service/batch-writer.ts');
const BATCH = 100;
const KILLS = 2;

forEachEngine('SIGKILL during batch ingest', (engine) => {
  it('leaves whole batches only, with their full-text rows, figures and events', async () => {
    const database = await engine.openTestDatabase();
    const app = await engine.openTestApp({ database });
    const { ctx } = app;
    const { id: src } = await createSource(ctx);

    for (let round = 0; round < KILLS; round += 1) {
      const child = spawn(process.execPath, [...NODE_FLAGS, WRITER, src, String(round), String(BATCH)], {
        env: { ...process.env, ...database, REGISTRY_LOG_LEVEL: 'silent' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      // The writer reports each committed batch; it is killed in the one after the second.
      let reported = 0;
      for await (const chunk of child.stdout) {
        reported += String(chunk).split('\n').length - 1;
        if (reported >= 2) break;
      }
      child.kill('SIGKILL');
      await once(child, 'exit');
    }

    const rows = await ctx.store.read.selectFrom('releases').select(['id', 'guid', 'indexed']).execute();
    const batches = new Map<string, number>();
    for (const row of rows) {
      const batch = row.guid?.split('/')[0] ?? '';
      batches.set(batch, (batches.get(batch) ?? 0) + 1);
    }
    assert.ok(batches.size >= KILLS * 2, `at least two batches of each round were committed, saw ${batches.size}`);
    for (const [batch, size] of batches) assert.equal(size, BATCH, `batch ${batch} is whole`);
    const figures = await ctx.store.read.selectFrom('source_figures').select('release_count').executeTakeFirst();
    const events = await ctx.store.read.selectFrom('events').select('seq').orderBy('seq').execute();
    assert.equal(figures?.release_count, rows.length);
    assert.deepEqual(
      events.map((event) => event.seq),
      rows.map((_, index) => index + 1),
      'one event a release, without gaps',
    );
    assert.equal(await indexedRows(ctx), rows.length);
  });
});

async function indexedRows(
  ctx: Awaited<ReturnType<Parameters<Parameters<typeof forEachEngine>[1]>[0]['openTestApp']>>['ctx'],
): Promise<number> {
  const keys = await ctx.ports.fullText.match(ctx, {
    q: 'batchword',
    scope: {},
    dates: 'dated',
    includePrereleases: true,
    includeCoverage: true,
    minKey: 0,
    maxKey: Number.MAX_SAFE_INTEGER,
    limit: 100_000,
  });
  return keys.length;
}
