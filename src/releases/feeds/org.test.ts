import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { updateOrg } from '../../entities/orgs/update.ts';
import { updateProduct } from '../../entities/products/update.ts';
import { feedMarkdown } from '../markdown/release.ts';
import { type OrgFeedInput, orgFeed, recentOrgReleases } from './org.ts';

forEachEngine('orgFeed', (engine) => {
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine
      .openTestApp({ clock: () => new Date('2026-03-31T12:00:00.000Z') })
      .then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };
  const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;
  const makeOrg = async (ctx: Context) => {
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id, { kind: 'sdk' });
    const inProduct = await createSource(ctx, { orgId: org.id, productId: product.id });
    const plain = await createSource(ctx, { orgId: org.id, type: 'scrape' });
    const hidden = await createSource(ctx, { orgId: org.id, isHidden: true });
    await postReleases(ctx, inProduct.id, [
      releaseRow('1.0.0', { publishedAt: day(1) }),
      releaseRow('1.2.0', { publishedAt: day(12), importance: 5 }),
    ]);
    await postReleases(ctx, plain.id, [
      releaseRow('1.1.0', { publishedAt: day(5) }),
      releaseRow('2.0.0-beta.1', { publishedAt: day(20) }),
    ]);
    await postReleases(ctx, plain.id, [releaseRow('0.1.0', { publishedAt: undefined })], { silent: true });
    await postReleases(ctx, hidden.id, [releaseRow('9.0.0', { publishedAt: day(30) })]);
    return { org, product };
  };
  const versions = async (ctx: Context, input: Partial<OrgFeedInput> & { org: string }) =>
    (await orgFeed(ctx, { filter: {}, page: { limit: 20 }, ...input })).releases.map((item) => item.version);

  it('spans the visible sources, newest first, undated last, in pages without gaps', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);
    const reader = as(ctx, null);
    const walked: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await orgFeed(reader, { org: org.slug, filter: {}, page: { limit: 1, cursor } });
      walked.push(...page.releases.map((item) => item.version));
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor);

    assert.deepEqual(walked, ['1.2.0', '1.1.0', '1.0.0', '0.1.0']);
    assert.deepEqual(await versions(reader, { org: org.id, filter: { includePrereleases: true } }), [
      '2.0.0-beta.1',
      ...walked,
    ]);
  });

  it('filters by product, type of source, kind, importance and window', async () => {
    const ctx = await open();
    const { org, product } = await makeOrg(ctx);
    const filtered = (filter: OrgFeedInput['filter']) => versions(as(ctx, null), { org: org.id, filter });

    assert.deepEqual(await versions(as(ctx, null), { org: org.id, product: product.slug }), ['1.2.0', '1.0.0']);
    assert.deepEqual(await filtered({ sourceTypes: ['scrape'] }), ['1.1.0', '0.1.0']);
    assert.deepEqual(await filtered({ excludeTypes: ['scrape'] }), ['1.2.0', '1.0.0']);
    assert.deepEqual(await filtered({ kind: 'sdk' }), ['1.2.0', '1.0.0']);
    assert.deepEqual(await filtered({ minImportance: 5 }), ['1.2.0']);
    assert.deepEqual(await filtered({ since: day(5), until: day(5) }), ['1.1.0']);
  });

  it('tells a broken cursor, then a missing org, then a missing product', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);
    const code = async (input: Partial<OrgFeedInput> & { org: string }) => (await refused(versions(ctx, input)))?.code;

    assert.equal(await code({ org: 'nobody', page: { limit: 1, cursor: 'broken' } }), 'invalid_cursor');
    assert.equal(await code({ org: 'nobody' }), 'not_found');
    assert.deepEqual(await refused(versions(ctx, { org: org.id, product: 'nothing' })), {
      code: 'not_found',
      details: { entity: 'product', value: 'nothing', parameter: 'product' },
    });
  });

  it('shows writers a hidden org and a hidden product as if they were not', async () => {
    const ctx = await open();
    const { org, product } = await makeOrg(ctx);
    await updateProduct(ctx, { path: { prod: product.id }, change: { isHidden: true } });

    assert.deepEqual(await versions(as(ctx, null), { org: org.id }), ['1.1.0', '0.1.0']);
    assert.deepEqual(await versions(ctx, { org: org.id, product: product.id }), ['1.2.0', '1.0.0']);
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });
    assert.deepEqual(await versions(ctx, { org: org.id }), ['1.1.0', '0.1.0']);
    assert.equal((await refused(versions(as(ctx, null), { org: org.id })))?.code, 'not_found');
  });

  it('lists what was published since a date', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);
    const recent = async (since: string) =>
      (await recentOrgReleases(ctx, { org: org.id, since, limit: 500, filter: {} })).map((item) => item.version);

    assert.deepEqual(await recent('2026-03-05'), ['1.2.0', '1.1.0']);
    assert.deepEqual(await recent('4w'), ['1.2.0', '1.1.0']);
    assert.equal((await refused(recent('yesterday')))?.code, 'bad_request');
    assert.equal((await refused(recent('2026-02-30')))?.code, 'bad_request');
  });

  it('names the org in its markdown, even when nothing matches', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);

    const feed = await orgFeed(ctx, {
      org: org.slug,
      filter: { minImportance: 5, type: 'rollup' },
      page: { limit: 1 },
    });

    assert.equal(
      feedMarkdown({ organization: org.slug }, feed),
      `---\norganization: ${org.name}\nrelease_count: 0\nhas_more: false\n---\n`,
    );
  });
});
