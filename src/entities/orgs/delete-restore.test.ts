import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { readFeed } from '../../releases/feeds/feed.ts';
import { linkCoverage } from '../../releases/write/coverage.ts';
import { deleteSource } from '../sources/delete.ts';
import { deleteOrg } from './delete.ts';
import { orgDependents } from './dependents.ts';
import { orgDetail } from './detail.ts';
import { restoreOrg } from './restore.ts';

forEachEngine('deleting and restoring orgs', (engine) => {
  const clock = movableClock('2026-03-01T00:00:00.000Z');
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp({ clock }).then(({ ctx }) => as(ctx, 'admin'));
    return opened;
  };
  const makeOrg = async (ctx: Context, key: string) => {
    const org = await createOrg(ctx, {
      domain: `${key}.example`,
      aliases: [`${key}-alias.example`],
      accounts: [{ platform: 'github', handle: key }],
    });
    const product = await createProduct(ctx, org.id, { aliases: [`${key}-product.example`] });
    const kept = await createSource(ctx, { orgId: org.id, productId: product.id });
    const gone = await createSource(ctx, { orgId: org.id });
    await postReleases(ctx, kept.id, [releaseRow('1.0.0')]);
    await deleteSource(ctx, { path: { src: gone.id }, hard: false });
    clock.move(1000);
    return { org, product, kept, gone };
  };
  const feedSize = async (ctx: Context, orgId: string) =>
    (await readFeed(ctx, { branches: [{ column: 'org_id', value: orgId }], filter: {}, page: { limit: 10 } })).releases
      .length;

  it('takes everything below the org out of sight and brings exactly that back', async () => {
    const ctx = await open();
    const { org, product, kept } = await makeOrg(ctx, 'whole');
    const before = await orgDetail(as(ctx, null), { org: org.id });

    const deletion = await deleteOrg(ctx, { org: org.slug, hard: false });

    assert.deepEqual(deletion, { deleted: true, deletedAt: clock().toISOString() });
    assert.equal(await feedSize(ctx, org.id), 0);
    for (const identifier of [org.id, org.slug, 'whole.example', 'whole-alias.example']) {
      assert.equal((await refused(orgDetail(ctx, { org: identifier })))?.code, 'not_found');
    }
    clock.move(1000);
    const restored = await restoreOrg(ctx, { org: org.id });
    assert.deepEqual([restored.deletedAt, restored.aliases], [null, ['whole-alias.example']]);
    const after = await orgDetail(as(ctx, null), { org: org.id });
    assert.deepEqual({ ...after, updatedAt: '' }, { ...before, updatedAt: '' });
    assert.deepEqual(
      [after.products.map(({ id }) => id), after.sources.map(({ id }) => id)],
      [[product.id], [kept.id]],
    );
    assert.equal(await feedSize(ctx, org.id), 1);
  });

  it('restores a live org without a trace', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx, 'live');

    assert.equal((await restoreOrg(ctx, { org: org.id })).updatedAt, org.updatedAt);
  });

  const takers: [string, Parameters<typeof createOrg>[1], string][] = [
    ['slug', {}, 'slug'],
    ['domain', { domain: 'taken-domain.example', slug: 'taken-domain-other' }, 'domain'],
    ['alias', { domain: 'taken-alias-alias.example', slug: 'taken-alias-other' }, 'aliases'],
    ['account', { accounts: [{ platform: 'github', handle: 'taken-account' }], slug: 'taken-other' }, 'accounts'],
  ];
  for (const [label, input, field] of takers) {
    it(`refuses to restore while the ${label} is taken`, async () => {
      const ctx = await open();
      const { org } = await makeOrg(ctx, `taken-${label}`);
      await deleteOrg(ctx, { org: org.id, hard: false });
      const other = await createOrg(ctx, { slug: org.slug, ...input });

      const refusal = await refused(restoreOrg(ctx, { org: org.id }));

      assert.equal(refusal?.code, 'conflict');
      assert.deepEqual({ ...(refusal?.details as object), value: '' }, { field, value: '', existingId: other.id });
    });
  }

  it('needs an id to restore or to erase, and the admin scope to erase', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx, 'byid');

    assert.equal((await refused(restoreOrg(ctx, { org: org.slug })))?.code, 'bad_request');
    assert.equal((await refused(restoreOrg(ctx, { org: 'org_unknown' })))?.code, 'not_found');
    assert.equal((await refused(deleteOrg(ctx, { org: org.slug, hard: true })))?.code, 'bad_request');
    assert.deepEqual(await refused(deleteOrg(as(ctx, 'write'), { org: org.id, hard: true })), {
      code: 'insufficient_scope',
      details: { required: 'admin' },
    });
  });

  it('erases a deleted org with everything on it, and frees what its releases covered', async () => {
    const ctx = await open();
    const { org, kept } = await makeOrg(ctx, 'erased');
    const elsewhere = await createSource(ctx, {});
    const canonical = await postReleases(ctx, kept.id, [releaseRow('2.0.0')]);
    const covering = await postReleases(ctx, elsewhere.id, [releaseRow('2.0.0', { title: 'Also 2.0' })]);
    await linkCoverage(ctx, canonical.insertedIds[0] ?? '', {
      coverageIds: covering.insertedIds,
      decidedBy: 'human:api',
    });
    const shown = async () =>
      (
        await readFeed(ctx, {
          branches: [{ column: 'source_id', value: elsewhere.id }],
          filter: {},
          page: { limit: 5 },
        })
      ).releases.length;
    assert.equal(await shown(), 0);
    await deleteOrg(ctx, { org: org.id, hard: false });

    assert.deepEqual(await deleteOrg(ctx, { org: org.id, hard: true }), { deleted: true, hard: true });

    assert.equal(await shown(), 1);
    assert.equal((await refused(restoreOrg(ctx, { org: org.id })))?.code, 'not_found');
    assert.equal((await refused(deleteOrg(ctx, { org: org.id, hard: true })))?.code, 'not_found');
    const left = await ctx.store.read.selectFrom('sources').select('id').where('org_id', '=', org.id).execute();
    assert.deepEqual(left, []);
  });

  it('counts what a final deletion would take along', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx, 'counted');

    const { counts, org: named } = await orgDependents(ctx, { org: 'counted.example' });

    assert.equal(named.id, org.id);
    assert.deepEqual(counts, {
      products: 1,
      sources: 2,
      releases: 1,
      fetchLog: 0,
      changelogFiles: 0,
      summaries: 0,
      locations: 0,
      collections: 0,
      webhooks: 0,
      follows: 0,
    });
  });

  it('is deleted by one of 20 callers', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx, 'racing');

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refused(deleteOrg(ctx, { org: org.id, hard: false }))),
    );

    assert.equal(outcomes.filter((refusal) => refusal === null).length, 1);
    assert.equal(outcomes.filter((refusal) => refusal?.code === 'not_found').length, 19);
  });
});
