import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { embedStatusRoutes } from '../../src/http/routes/search.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { isEmbeddingPending } from '../../src/search/vectors/embed-status.ts';
import { createEmbedding } from '../../src/search/vectors/embedding/pass.ts';
import { type EmbeddingsService, startEmbeddings } from '../support/embeddings.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const BODY = 'A text of some length, so that there is something to compare with what others say about the same thing. ';

forEachEngine('GET /v1/admin/embed/status', (engine) => {
  let embeddings: EmbeddingsService;
  before(async () => {
    embeddings = await startEmbeddings();
  });
  after(() => embeddings.close());

  const nothing = { total: 0, embedded: 0, unembedded: 0, pending: 0, failed: 0 };
  const waiting = (total: number) => ({ ...nothing, total, unembedded: total, pending: total });
  const done = (total: number) => ({ ...nothing, total, embedded: total });

  async function setUp(env: Record<string, string>) {
    const app = await engine.openTestApp({ env });
    const { ctx } = app;
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id);
    const source = await createSource(ctx, { orgId: org.id, productId: product.id });
    const rows = [
      releaseRow('1.0.0', { title: 'Passkeys for everybody in the office', content: BODY }),
      releaseRow('1.1.0', { title: 'Faster builds with a shared cache', content: BODY.repeat(2) }),
      // A release without text never gets a vector, and that is not a failure.
      releaseRow('1.2.0', { title: '1.2.0', content: '' }),
    ];
    await postReleases(ctx, source.id, rows, { silent: true });
    const content = `## 1.1.0\n\n- ${BODY}\n${'- More of it\n'.repeat(90)}## 1.0.0\n\n`;
    const file = { sourceId: source.id, path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example' };
    await transact(ctx, (inner) => storeChangelogFile(inner, { ...file, content, canonical: true }));
    const service = await startService(app, { routes: embedStatusRoutes });
    return { ctx, service };
  }

  async function embedAll(ctx: Context): Promise<void> {
    const embedding = createEmbedding();
    const { signal } = new AbortController();
    while (await embedding.pass(ctx, signal));
  }

  it('tells what has a vector, what waits and what was refused', async () => {
    const { ctx, service } = await setUp(embeddings.env);
    const { root } = service;
    const before = (await root.get('/v1/admin/embed/status')).body;
    assert.deepEqual(
      [before.configured, typeof before.model, before.dimensions === null || before.dimensions > 0],
      [true, 'string', true],
    );
    assert.deepEqual(before.index, { place: 'process', extension: null, filling: false });
    assert.deepEqual(before.releases, waiting(3));
    assert.ok(before.chunks.total > 0);
    assert.deepEqual(before.chunks, waiting(before.chunks.total));
    assert.deepEqual(before.entities, {
      ...waiting(3),
      breakdown: { org: waiting(1), product: waiting(1), source: waiting(1), collection: nothing },
    });

    assert.equal(await isEmbeddingPending(ctx), true);

    await embedAll(ctx);
    assert.equal(await isEmbeddingPending(ctx), false);
    const { body } = await root.get('/v1/admin/embed/status');
    assert.deepEqual(body.releases, { ...nothing, total: 3, embedded: 2, unembedded: 1 });
    assert.deepEqual(body.chunks, done(before.chunks.total));
    assert.deepEqual(body.entities.breakdown, { org: done(1), product: done(1), source: done(1), collection: nothing });
    assert.ok(body.dimensions > 0);

    // A vector that is missing although there is a text was refused.
    await transact(ctx, ({ tx }) =>
      tx.deleteFrom('vectors').where('kind', '=', 'release').where('key', '=', 1).execute(),
    );
    const { releases } = (await root.get('/v1/admin/embed/status')).body;
    assert.deepEqual(releases, { total: 3, embedded: 1, unembedded: 2, pending: 0, failed: 1 });
    await service.close();
  });

  it('is for operators, and says when nothing is configured', async () => {
    const { ctx, service } = await setUp({ REGISTRY_EMBEDDER: 'off' });
    assert.equal(await isEmbeddingPending(ctx), false);
    assert.equal((await service.anonymous.get('/v1/admin/embed/status')).status, 401);
    const { body } = await service.root.get('/v1/admin/embed/status');
    assert.deepEqual([body.configured, body.model, body.dimensions], [false, null, null]);
    assert.deepEqual(body.releases, waiting(3));
    await service.close();
  });
});
