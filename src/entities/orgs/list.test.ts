import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import { type Context, transact } from '../../context.ts';
import { suppressRelease } from '../../releases/write/suppress.ts';
import { listOrgs, type OrgListInput } from './list.ts';

const NOW = '2026-03-31T12:00:00.000Z';
const PAGE = { page: 1, limit: 500 };

forEachEngine('listOrgs', (engine) => {
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= fill();
    return opened;
  };
  // Acme and beta have releases; the others are empty, a stub or hidden.
  const fill = async (): Promise<Context> => {
    const app = await engine.openTestApp({ clock: () => new Date(NOW) });
    const ctx = as(app.ctx, 'admin');
    const acme = await createOrg(ctx, { name: 'acme', slug: 'acme-1', category: 'cloud', featured: true });
    const beta = await createOrg(ctx, {
      name: 'Beta 100%',
      slug: 'beta',
      category: 'ai',
      aliases: ['z.example', 'a.example'],
    });
    const hidden = await createOrg(ctx, { name: 'Hidden', slug: 'hidden-org', isHidden: true });
    await createOrg(ctx, { name: 'Cempty', slug: 'cempty', category: 'cloud' });
    for (const name of ['Delta', 'alpha', 'Charlie', 'bravo']) await createProduct(ctx, acme.id, { name });
    await createProduct(ctx, acme.id, { name: 'Aardvark', isHidden: true });
    const source = await createSource(ctx, { orgId: acme.id });
    const unseen = await createSource(ctx, { orgId: acme.id, isHidden: true });
    const { insertedIds } = await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { publishedAt: '2026-03-31T11:00:00.000Z' }),
      releaseRow('0.9.0', { publishedAt: '2026-03-02T00:00:00.000Z' }),
      releaseRow('0.8.0', { publishedAt: '2026-03-01T23:59:59.999Z' }),
      releaseRow('0.7.0', { publishedAt: '2026-03-31T10:00:00.000Z' }),
      releaseRow('0.6.0', { publishedAt: undefined }),
      releaseRow('2.0.0', { publishedAt: '2026-04-01T00:00:00.000Z' }),
    ]);
    await suppressRelease(ctx, insertedIds[3] ?? '', { suppressed: true });
    await postReleases(ctx, unseen.id, [releaseRow('5.0.0')]);
    for (const org of [beta, hidden]) {
      await postReleases(ctx, (await createSource(ctx, { orgId: org.id })).id, [releaseRow('1.0.0')]);
    }
    await transact(ctx, async ({ tx }) => {
      const requested = { tracking_requested_at: '2026-03-01T00:00:00.000Z' };
      await tx.updateTable('orgs').set(requested).where('id', 'in', [beta.id, hidden.id]).execute();
      await tx.updateTable('orgs').set({ status: 'stub' }).where('slug', '=', 'cempty').execute();
    });
    return ctx;
  };
  const list = async (input: Partial<OrgListInput>, scope: 'admin' | null = null) =>
    listOrgs(as(await open(), scope), { ...PAGE, ...input });
  const slugs = async (input: Partial<OrgListInput>, scope: 'admin' | null = null) =>
    (await list(input, scope)).items.map((item) => item.slug);

  const cases: [string, Partial<OrgListInput>, string[]][] = [
    ['shows orgs with releases by name', {}, ['acme-1', 'beta']],
    ['adds empty ones on demand', { includeEmpty: true }, ['acme-1', 'beta', 'cempty']],
    ['finds a substring of the name in any case', { q: 'ETA' }, ['beta']],
    ['finds a substring of the slug', { q: 'cme-1' }, ['acme-1']],
    ['takes a percent sign for itself', { q: '0%' }, ['beta']],
    ['takes an underscore for itself', { q: 'a_me' }, []],
    ['filters by category', { category: 'ai' }, ['beta']],
    ['lets an unknown category filter nothing', { category: 'robots' }, ['acme-1', 'beta']],
    ['filters featured ones', { featured: true }, ['acme-1']],
    ['filters stubs', { status: 'stub', includeEmpty: true }, ['cempty']],
    ['filters tracked ones', { status: 'tracked', includeEmpty: true }, ['acme-1', 'beta']],
    ['gives a page', { page: 2, limit: 1 }, ['beta']],
    ['gives nothing past the end', { page: 3, limit: 1 }, []],
    ['shows nobody hidden ones', { includeHidden: true }, ['acme-1', 'beta']],
  ];
  for (const [title, input, expected] of cases) {
    it(title, async () => assert.deepEqual(await slugs(input), expected));
  }

  it('counts pages and empty orgs, the latter under the category alone', async () => {
    const all = await list({ q: 'beta', limit: 1 });

    assert.deepEqual(all.pagination, {
      page: 1,
      pageSize: 1,
      returned: 1,
      totalItems: 1,
      totalPages: 1,
      hasMore: false,
    });
    assert.equal(all.meta.emptyOrgCount, 1);
    assert.equal((await list({ category: 'ai' })).meta.emptyOrgCount, 0);
  });

  it('carries the figures of visible releases', async () => {
    const [acme] = (await list({ q: 'acme-1' })).items;

    assert.deepEqual(
      { ...acme, id: '', sparkline: [] },
      {
        id: '',
        slug: 'acme-1',
        name: 'acme',
        domain: null,
        description: null,
        category: 'cloud',
        avatarUrl: null,
        featured: true,
        sourceCount: 1,
        releaseCount: 4,
        recentReleaseCount: 2,
        lastActivity: '2026-03-31T11:00:00.000Z',
        topProducts: ['alpha', 'bravo', 'Charlie'],
        sparkline: [],
        status: 'tracked',
        aliasDomains: [],
      },
    );
    const sparkline = acme?.sparkline ?? [];
    assert.deepEqual([sparkline.length, sparkline[0], sparkline[29], sparkline.reduce((a, b) => a + b)], [30, 1, 1, 2]);
    assert.deepEqual((await list({ q: 'beta' })).items[0]?.aliasDomains, ['a.example', 'z.example']);
  });

  it('lists requested orgs for admins alone, hidden ones too, with zeroed figures', async () => {
    const { items } = await list({ trackingRequested: '1', featured: true }, 'admin');

    assert.deepEqual(items.map((item) => item.slug).sort(), ['beta', 'hidden-org']);
    assert.deepEqual(
      items.map((item) => [item.releaseCount, item.sparkline.length, item.trackingRequestedAt]),
      [0, 1].map(() => [0, 30, '2026-03-01T00:00:00.000Z']),
    );
    assert.deepEqual(await slugs({ trackingRequested: 'true', q: 'hid' }, 'admin'), ['hidden-org']);
    assert.deepEqual(await slugs({ trackingRequested: '0' }, 'admin'), ['acme-1', 'beta']);
    assert.deepEqual(await slugs({ includeHidden: true }, 'admin'), ['acme-1', 'beta', 'hidden-org']);
    for (const value of ['1', '0', 'banana', '']) {
      assert.equal((await refused(list({ trackingRequested: value })))?.code, 'forbidden');
    }
    assert.equal((await refused(list({ trackingRequested: 'banana' }, 'admin')))?.code, 'bad_request');
  });

  it('costs the same whatever the releases: it does not read them', async () => {
    const { ctx } = await engine.openTestApp();
    const org = await createOrg(ctx);
    await postReleases(ctx, (await createSource(ctx, { orgId: org.id })).id, [releaseRow('1.0.0')]);
    await transact(ctx, ({ tx }) => sql`ALTER TABLE releases RENAME TO releases_out_of_reach`.execute(tx));

    const { items } = await listOrgs(as(ctx, null), PAGE);

    assert.deepEqual(
      items.map((item) => [item.slug, item.releaseCount]),
      [[org.slug, 1]],
    );
  });
});
