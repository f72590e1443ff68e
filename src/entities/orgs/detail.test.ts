import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { orgDetail as orgDetailShape } from '../../contract/org.ts';
import { resolveSlug } from '../../releases/details/resolve-slug.ts';
import { orgCatalog } from './catalog.ts';
import { orgDetail } from './detail.ts';
import { listOrgProducts } from './products.ts';
import { updateOrg } from './update.ts';

forEachEngine('reading an org', (engine) => {
  const clock = movableClock('2026-03-31T12:00:00.000Z');
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp({ clock }).then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };
  // A visible and a hidden product and source; both sources have releases.
  const makeOrg = async (ctx: Context, key: string) => {
    const org = await createOrg(ctx, {
      name: `Org ${key}`,
      domain: `${key}.example`,
      aliases: [`${key}-alias.example`],
      accounts: [{ platform: 'github', handle: key }],
    });
    const product = await createProduct(ctx, org.id, { name: 'Shown', kind: 'sdk' });
    const unseen = await createProduct(ctx, org.id, { name: 'Unseen', isHidden: true });
    const [shown, plain] = [
      await createSource(ctx, { orgId: org.id, productId: product.id, name: 'B source', isPrimary: true }),
      await createSource(ctx, { orgId: org.id, name: 'a source', kind: 'docs' }),
    ];
    const hidden = await createSource(ctx, { orgId: org.id, isHidden: true });
    const below = await createSource(ctx, { orgId: org.id, productId: unseen.id });
    for (const { id } of [shown, plain, hidden, below]) {
      await postReleases(ctx, id, [releaseRow('1.0.0', { publishedAt: '2026-03-20T00:00:00.000Z' })]);
    }
    return { org, product, unseen, shown, plain, hidden };
  };

  it('finds it by id, slug, domain and alias, and shows what is visible', async () => {
    const ctx = await open();
    const { org, product, shown, plain } = await makeOrg(ctx, 'full');

    const detail = await orgDetail(as(ctx, null), { org: org.slug });

    assert.deepEqual(orgDetailShape.parse(detail), detail);
    for (const identifier of [org.id, 'FULL.example', 'www.full-alias.example']) {
      assert.deepEqual(await orgDetail(as(ctx, null), { org: identifier }), detail);
    }
    const { sourceCount, releaseCount, releasesLast30Days, avgReleasesPerWeek, trackingSince, githubHandle } = detail;
    assert.deepEqual(
      { sourceCount, releaseCount, releasesLast30Days, avgReleasesPerWeek, trackingSince, githubHandle },
      {
        sourceCount: 2,
        releaseCount: 2,
        releasesLast30Days: 2,
        avgReleasesPerWeek: 1.3,
        trackingSince: '2026-03-20T00:00:00.000Z',
        githubHandle: 'full',
      },
    );
    assert.deepEqual(
      detail.sources.map((source) => source.id),
      [plain.id, shown.id],
    );
    assert.deepEqual(
      detail.products.map(({ id, sourceCount, releaseCount }) => ({ id, sourceCount, releaseCount })),
      [{ id: product.id, sourceCount: 1, releaseCount: 1 }],
    );
  });

  it('keeps the playbook for callers with a credential', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx, 'private');
    const playbookFor = async (scope: 'read' | null) => (await orgDetail(as(ctx, scope), { org: org.id })).playbook;

    assert.equal(await playbookFor(null), null);
    const playbook = await playbookFor('read');
    assert.match(playbook?.content ?? '', /\*\*a source\*\*.*never fetched/);
    const { releaseCount, latestDate } = await orgDetail(as(ctx, 'read'), { org: org.id }).then(
      ({ sources, ...detail }) => ({
        releaseCount: detail.releaseCount,
        latestDate: sources
          .map((source) => source.latestDate)
          .sort()
          .at(-1),
      }),
    );
    assert.deepEqual([playbook?.releaseCount, playbook?.lastContributingReleaseAt], [releaseCount, latestDate]);
    assert.ok((playbook?.generatedAt ?? '') >= (playbook?.updatedAt ?? ''));
    assert.equal((await playbookFor('read'))?.generatedAt, playbook?.generatedAt);
  });

  it('is not there while hidden, except for writers, who see it as if it were not', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx, 'veiled');
    const before = await orgDetail(as(ctx, 'write'), { org: org.id });
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });
    const writer = as(ctx, 'write');

    const after = await orgDetail(writer, { org: org.id });

    assert.equal(writer.answer.containsHidden, true);
    assert.equal((await refused(orgDetail(as(ctx, 'read'), { org: org.id })))?.code, 'not_found');
    assert.deepEqual(
      [after.isHidden, after.sourceCount, after.releaseCount, after.releasesLast30Days, after.sources.length],
      [true, before.sourceCount, before.releaseCount, before.releasesLast30Days, 2],
    );
  });

  it('lists products and sources in one catalog, and products alone', async () => {
    const ctx = await open();
    const { org, product, shown, plain } = await makeOrg(ctx, 'catalog');
    const entries = async (input: Partial<Parameters<typeof orgCatalog>[1]>) =>
      (await orgCatalog(as(ctx, null), { org: org.id, limit: 100, ...input })).items.map((item) => item.id);

    assert.deepEqual(await entries({}), [product.id, plain.id, shown.id]);
    assert.deepEqual(await entries({ limit: 1 }), [product.id, plain.id]);
    assert.deepEqual(await entries({ entryType: 'source' }), [plain.id, shown.id]);
    assert.deepEqual(await entries({ kind: 'sdk' }), [product.id, shown.id]);
    assert.deepEqual(await entries({ kind: 'docs', entryType: 'product' }), []);
    const page = await listOrgProducts(as(ctx, null), { org: org.id, page: 1, limit: 500 });
    assert.deepEqual([page.items.map(({ id }) => id), page.pagination.totalItems], [[product.id], 1]);
  });

  it('tells what a slug means: product first, then source, hidden ones to writers', async () => {
    const ctx = await open();
    const { org, product, unseen, shown, hidden } = await makeOrg(ctx, 'slugs');
    await createSource(ctx, { orgId: org.id, slug: product.slug });
    const resolve = async (slug: string, scope: 'write' | null = null) => {
      const found = await resolveSlug(as(ctx, scope), { org: org.slug, slug });
      return found.kind === 'product' ? found.product.id : found.source.id;
    };

    assert.equal(await resolve(product.slug), product.id);
    assert.equal(await resolve(`prd_${product.id.slice(5)}`), product.id);
    assert.equal(await resolve(shown.slug), shown.id);
    assert.equal(await resolve(shown.id), shown.id);
    for (const { slug, id } of [unseen, hidden]) {
      assert.equal((await refused(resolve(slug)))?.code, 'not_found');
      assert.equal(await resolve(slug, 'write'), id);
    }
    assert.equal((await refused(resolve('nothing')))?.code, 'not_found');
  });
});
