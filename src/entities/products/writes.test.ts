import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { productDetail } from '../../releases/details/product.ts';
import { readFeed } from '../../releases/feeds/feed.ts';
import { writeReleases } from '../../releases/write/write-batch.ts';
import { createOrg } from '../orgs/create.ts';
import { deleteOrg } from '../orgs/delete.ts';
import { createSource } from '../sources/create.ts';
import { createProduct } from './create.ts';
import { deleteProduct } from './delete.ts';
import { productRecords } from './product-fields.ts';
import { restoreProduct } from './restore.ts';
import { updateProduct } from './update.ts';

const START = '2026-03-10T12:00:00.000Z';

async function open(engine: TestEngine) {
  const clock = movableClock(START);
  const { ctx } = await engine.openTestApp({ clock });
  const operator: Context = { ...ctx, caller: { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' } };
  const org = await createOrg(operator, { name: 'Acme', slug: 'acme', category: 'cloud' });
  return { ctx: operator, clock, org };
}

// A product with one source and two releases, one of them within the last 30 days.
async function makeEngine(ctx: Context, orgId: string) {
  const product = await createProduct(ctx, { name: 'Engine', orgId, category: 'database', kind: 'platform' });
  const source = await createSource(ctx, {
    name: 'Engine releases',
    url: 'https://acme.example/engine',
    orgId,
    productId: product.id,
  });
  const rows = ['2025-12-01', '2026-03-01'].map((day, index) => ({
    title: `Engine 1.${index}`,
    version: `1.${index}.0`,
    content: '- a change',
    publishedAt: `${day}T00:00:00.000Z`,
  }));
  await writeReleases(ctx, { path: { src: source.id }, rows });
  return { product, source };
}

async function feedOf(ctx: Context, column: 'product_id' | 'effective_category', value: string): Promise<string[]> {
  const feed = await readFeed(ctx, { branches: [{ column, value }], filter: {}, page: { limit: 10 } });
  return feed.releases.map((release) => `${release.version} ${release.groupSlug}`);
}

async function codeOf(work: Promise<unknown>): Promise<{ code: string; details: unknown }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return { code: error.code, details: error.details };
}

forEachEngine('product writes', (engine) => {
  it('one effect and 19 clear conflicts for 20 callers with the same name', async () => {
    const { ctx, org } = await open(engine);

    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => createProduct(ctx, { name: 'Search', orgId: org.id })),
    );

    const made = outcomes.filter((outcome) => outcome.status === 'fulfilled').map((outcome) => outcome.value);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason);
    assert.equal(made.length, 1);
    for (const reason of refused) {
      assert.equal(reason.code, 'conflict');
      assert.deepEqual(reason.details, { field: 'slug', value: 'search', existingId: made[0]?.id });
    }
  });

  it('puts the org in front of a derived slug that is reserved, and refuses an explicit one', async () => {
    const { ctx, org } = await open(engine);

    const derived = await createProduct(ctx, { name: 'Releases', orgId: org.id });
    const explicit = await codeOf(createProduct(ctx, { name: 'Releases', slug: 'releases', orgSlug: 'acme' }));
    const again = await codeOf(createProduct(ctx, { name: 'Releases', orgId: org.id }));

    assert.equal(derived.slug, 'acme-releases');
    assert.deepEqual(explicit, { code: 'slug_reserved', details: { slug: 'releases' } });
    assert.deepEqual(again.details, { field: 'slug', value: 'acme-releases', existingId: derived.id });
  });

  it('warns of a source with the same slug, at creation and at a change of slug', async () => {
    const { ctx, org } = await open(engine);
    const source = await createSource(ctx, { name: 'Search', url: 'https://acme.example/search', orgId: org.id });

    const product = await createProduct(ctx, { name: 'Search', orgId: org.id });
    const moved = await updateProduct(ctx, { path: { prod: product.id }, change: { slug: 'find' } });
    const back = await updateProduct(ctx, { path: { prod: product.id }, change: { slug: 'search' } });

    assert.match(product.warning ?? '', new RegExp(source.id));
    assert.equal(moved.warning, undefined);
    assert.match(back.warning ?? '', new RegExp(source.id));
  });

  it('figures come with the product; hiding takes its releases out of the feeds and showing brings them back', async () => {
    const { ctx, org } = await open(engine);
    const { product } = await makeEngine(ctx, org.id);
    const rows = await ctx.store.read.selectFrom('products').selectAll().execute();

    const [record] = await productRecords(ctx, rows);
    await updateProduct(ctx, { path: { prod: product.id }, change: { isHidden: true } });
    const hidden = await feedOf(ctx, 'product_id', product.id);
    await updateProduct(ctx, { path: { prod: product.id }, change: { isHidden: false } });
    const shown = await feedOf(ctx, 'product_id', product.id);

    assert.deepEqual(
      [record?.sourceCount, record?.releaseCount, record?.latestDate, record?.orgSlug],
      [1, 2, '2026-03-01T00:00:00.000Z', 'acme'],
    );
    assert.deepEqual(hidden, []);
    assert.deepEqual(shown, ['1.1.0 engine', '1.0.0 engine']);
  });

  it('a hidden product shows a writer the figures and releases it would have', async () => {
    const { ctx, org } = await open(engine);
    const { product } = await makeEngine(ctx, org.id);
    await createSource(ctx, {
      name: 'Secret',
      url: 'https://acme.example/s',
      orgId: org.id,
      productId: product.id,
      isHidden: true,
    });
    await updateProduct(ctx, { path: { prod: product.id }, change: { isHidden: true } });
    const [row] = await ctx.store.read.selectFrom('products').selectAll().execute();
    const [orgRow] = await ctx.store.read.selectFrom('orgs').selectAll().execute();
    assert.ok(row && orgRow);

    const detail = await productDetail(ctx, { product: row, org: orgRow }, { filter: {}, page: { limit: 20 } });

    assert.deepEqual([detail.releaseCount, detail.releasesLast30Days, detail.sources.length], [2, 1, 1]);
    assert.deepEqual(
      detail.releases.map((release) => release.version),
      ['1.1.0', '1.0.0'],
    );
  });

  it('a new category re-labels the releases; without one the category of the org counts', async () => {
    const { ctx, org } = await open(engine);
    const { product } = await makeEngine(ctx, org.id);

    const before = await feedOf(ctx, 'effective_category', 'database');
    await updateProduct(ctx, { path: { prod: product.id }, change: { category: 'ai' } });
    const moved = await feedOf(ctx, 'effective_category', 'ai');
    await updateProduct(ctx, { path: { prod: product.id }, change: { category: null } });
    const fallen = await feedOf(ctx, 'effective_category', 'cloud');

    assert.deepEqual([before.length, moved.length, fallen.length], [2, 2, 2]);
    assert.deepEqual(await feedOf(ctx, 'effective_category', 'database'), []);
  });

  it('an unchanged product is not written, and a change of text asks for a new vector', async () => {
    const { ctx, clock, org } = await open(engine);
    const product = await createProduct(ctx, {
      name: 'Engine',
      orgId: org.id,
      tags: ['Fast'],
      aliases: ['engine.dev'],
    });
    await ctx.store.transaction(
      (tx) =>
        tx
          .updateTable('products')
          .set({ embedded_at: START })
          .execute()
          .then(() => undefined),
      'derived',
    );
    clock.move(1000);

    const same = await updateProduct(ctx, {
      path: { prod: product.id },
      change: { name: 'Engine', tags: ['Fast'], aliases: ['engine.dev'] },
    });
    const reported = await updateProduct(ctx, {
      path: { prod: product.id },
      change: { description: 'Runs.', aliases: [] },
    });

    assert.deepEqual([same.updatedAt, same.embeddedAt], [START, START]);
    assert.deepEqual(
      [reported.updatedAt, reported.embeddedAt, reported.aliases],
      ['2026-03-10T12:00:01.000Z', null, []],
    );
    const audit = await ctx.store.read
      .selectFrom('audit_log')
      .select('action')
      .where('target_id', '=', product.id)
      .execute();
    assert.deepEqual(audit.map((row) => row.action).sort(), ['product.create', 'product.update']);
  });

  it('deletion frees slug and sources in one go, and restoring brings both back', async () => {
    const { ctx, org } = await open(engine);
    const { product, source } = await makeEngine(ctx, org.id);
    await updateProduct(ctx, { path: { prod: product.id }, change: { aliases: ['engine.dev'] } });

    const deleted = await deleteProduct(ctx, { path: { org: 'acme', product: 'engine' }, hard: false });
    const alone = await ctx.store.read.selectFrom('releases').select(['product_id', 'effective_category']).execute();
    const again = await codeOf(deleteProduct(ctx, { path: { prod: product.id }, hard: false }));
    const restored = await restoreProduct(ctx, { prod: product.id });

    assert.deepEqual(deleted, { deleted: true, deletedAt: START });
    assert.deepEqual(
      alone.map((row) => `${row.product_id} ${row.effective_category}`),
      ['null cloud', 'null cloud'],
    );
    assert.equal(again.code, 'not_found');
    assert.deepEqual([restored.deletedAt, restored.sourceCount, restored.aliases], [null, 1, ['engine.dev']]);
    assert.deepEqual(await feedOf(ctx, 'product_id', product.id), ['1.1.0 engine', '1.0.0 engine']);
    const stored = await ctx.store.read
      .selectFrom('sources')
      .select('product_id')
      .where('id', '=', source.id)
      .execute();
    assert.equal(stored[0]?.product_id, product.id);
  });

  it('one of 20 callers deletes', async () => {
    const { ctx, org } = await open(engine);
    const { product } = await makeEngine(ctx, org.id);

    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => deleteProduct(ctx, { path: { prod: product.id }, hard: false })),
    );

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason.code);
    assert.deepEqual(refused, Array(19).fill('not_found'));
  });

  it('a source that found another product stays with it', async () => {
    const { ctx, org } = await open(engine);
    const { product, source } = await makeEngine(ctx, org.id);
    const other = await createProduct(ctx, { name: 'Motor', orgId: org.id });
    await deleteProduct(ctx, { path: { prod: product.id }, hard: false });
    await ctx.store.transaction(
      (tx) => tx.updateTable('sources').set({ product_id: other.id }).where('id', '=', source.id).execute(),
      'catalog',
    );

    const restored = await restoreProduct(ctx, { prod: product.id });

    assert.equal(restored.sourceCount, 0);
  });

  it('cannot be restored to a taken slug or a deleted org', async () => {
    const { ctx, org } = await open(engine);
    const { product } = await makeEngine(ctx, org.id);
    await deleteProduct(ctx, { path: { prod: product.id }, hard: false });
    const successor = await createProduct(ctx, { name: 'Engine', orgId: org.id });

    const taken = await codeOf(restoreProduct(ctx, { prod: product.id }));
    await deleteOrg(ctx, { org: 'acme', hard: false });
    const orphaned = await codeOf(restoreProduct(ctx, { prod: product.id }));

    assert.deepEqual(taken, {
      code: 'conflict',
      details: { field: 'slug', value: 'engine', existingId: successor.id },
    });
    assert.deepEqual(orphaned, { code: 'conflict', details: { reason: 'org_deleted' } });
  });

  it('hard deletion needs the admin scope and an id, and reaches what was deleted before', async () => {
    const { ctx, org } = await open(engine);
    const { product } = await makeEngine(ctx, org.id);
    const writer: Context = { ...ctx, caller: { ...ctx.caller, kind: 'token', scope: 'write' } };
    await deleteProduct(ctx, { path: { prod: product.id }, hard: false });

    const scope = await codeOf(deleteProduct(writer, { path: { prod: product.id }, hard: true }));
    const slug = await codeOf(deleteProduct(ctx, { path: { org: 'acme', product: 'engine' }, hard: true }));
    const elsewhere = await codeOf(deleteProduct(ctx, { path: { org: 'other', product: product.id }, hard: true }));
    const gone = await deleteProduct(ctx, { path: { org: 'acme', product: product.id }, hard: true });

    assert.deepEqual([scope.code, scope.details], ['insufficient_scope', { required: 'admin' }]);
    assert.equal(slug.code, 'bad_request');
    assert.equal(elsewhere.code, 'not_found');
    assert.deepEqual(gone, { deleted: true, hard: true });
    assert.equal((await codeOf(restoreProduct(ctx, { prod: product.id }))).code, 'not_found');
    assert.deepEqual(await ctx.store.read.selectFrom('products').select('id').execute(), []);
  });
});
