import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { createEmbeddingTasks } from '../../src/worker/embedding.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { type EmbeddingsService, startEmbeddings } from '../support/embeddings.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';

async function vectors(ctx: Context): Promise<Record<string, number>> {
  const rows = await ctx.store.read.selectFrom('vectors').select('kind').execute();
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, group]) => [kind, group.length]).sort(),
  );
}

forEachEngine('the embedding worker', (engine) => {
  let service: EmbeddingsService;
  before(async () => {
    service = await startEmbeddings();
  });
  after(() => service.close());

  async function filled(env: Record<string, string>) {
    const { ctx } = await engine.openTestApp({ env });
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    await postReleases(ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    return { ctx, worker: createWorker(ctx, { tasks: createEmbeddingTasks() }) };
  }

  it('gives vectors to what waits, and says so on the rows', async () => {
    const { ctx, worker } = await filled(service.env);
    await worker.drain();

    assert.deepEqual(await vectors(ctx), { entity: 2, release: 2 });
    for (const table of ['releases', 'orgs', 'sources'] as const) {
      const rows = await ctx.store.read.selectFrom(table).select('embedded_at').execute();
      assert.ok(rows.every((row) => row.embedded_at !== null));
    }
    await worker.stop();
  });

  it('does nothing without an embedder', async () => {
    const { ctx, worker } = await filled({});
    await worker.drain();

    assert.deepEqual(await vectors(ctx), {});
    await worker.stop();
  });
});
