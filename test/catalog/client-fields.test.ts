// Fields that the published command-line client reads and sends, beyond those of the contract.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const HOUR_MS = 3_600_000;

forEachEngine('fields of the published client', (engine) => {
  let service: Service;
  let admin: Context;
  const clock = movableClock('2026-11-20T12:00:00.000Z');
  before(async () => {
    const app = await engine.openTestApp({ clock });
    admin = as(app.ctx, 'admin');
    service = await startService(app);
  });

  it('feedback and recommendations have cursors and flags where it looks for them', async () => {
    const { root, anonymous } = service;
    await anonymous.post('/v1/feedback', { message: 'It is slow today.', cliVersion: '1.2.3' });
    clock.move(1000);
    await anonymous.post('/v1/feedback', { message: 'It is fast today.', cliVersion: '1.2.3', clientVersion: '9' });
    for (const host of ['a', 'b']) await anonymous.post('/v1/recommendations', { url: `https://${host}.example/` });

    for (const list of ['feedback', 'recommendations']) {
      const first = (await root.get(`/v1/admin/${list}?limit=1`)).body;
      assert.ok(first.nextCursor);
      assert.equal(first.nextCursor, first.pagination.nextCursor);
      const last = (await root.get(`/v1/admin/${list}?limit=1&cursor=${first.nextCursor}`)).body;
      assert.deepEqual([last.items.length, last.nextCursor, last.items[0].archived], [1, null, false]);
      const archived = await root.patch(`/v1/${list}/${last.items[0].id}`, { archived: true });
      assert.equal(archived.body.archived, true);
    }
    const { items } = (await root.get('/v1/admin/feedback?includeArchived=true')).body;
    assert.deepEqual(
      items.map((item: Record<string, unknown>) => [item.clientVersion, item.cliVersion]),
      [
        ['9', '9'],
        ['1.2.3', '1.2.3'],
      ],
    );
  });

  it('stuck sources are told in one level, and a window beyond its bounds is no error', async () => {
    const org = await createOrg(admin);
    const source = await createSource(admin, { orgId: org.id, kind: 'sdk', url: 'https://stuck.example/' });
    const run = { sourceId: source.id, releasesFound: 0, releasesInserted: 0, status: 'error', errorCategory: 'gone' };
    for (let times = 0; times < 3; times += 1) {
      clock.move(1000);
      await service.root.post('/v1/admin/logs/fetch', { ...run, error: `the page is gone ${times}` });
    }

    const stuck = (await service.root.get('/v1/admin/sources/stuck?window=500')).body;

    assert.equal(stuck.meta.window, 100);
    assert.equal((await service.root.get('/v1/admin/sources/stuck?window=0')).body.meta.window, 5);
    assert.partialDeepStrictEqual(stuck.items[0], {
      sourceId: source.id,
      sourceSlug: source.slug,
      name: source.name,
      type: source.type,
      url: 'https://stuck.example/',
      kind: 'sdk',
      orgSlug: org.slug,
      orgName: org.name,
      fetchPriority: 'normal',
      isPrimary: false,
      isHidden: false,
      recentAttempts: 3,
      recentErrors: 3,
      lastAttemptAt: clock().toISOString(),
      lastError: 'the page is gone 2',
      lastErrorCategory: 'gone',
      lastFetchedAt: null,
      sourceCreatedAt: source.createdAt,
    });
    const inputs = (window: string) => service.root.get(`/v1/orgs/${org.slug}/overview/inputs?window=${window}`);
    const days = [];
    for (const window of ['5', '7', '9999', 'soon']) days.push((await inputs(window)).body.windowDays);
    assert.deepEqual(days, [30, 7, 365, 30]);
  });

  it('the fetch log is a bare array unless the envelope is asked for', async () => {
    const bare = (await service.root.get('/v1/admin/logs/fetch?limit=2')).body;
    const off = (await service.root.get('/v1/admin/logs/fetch?limit=2&envelope=false')).body;
    const envelope = (await service.root.get('/v1/admin/logs/fetch?limit=2&envelope=true')).body;

    assert.equal(bare.length, 2);
    assert.deepEqual([off, envelope.items], [bare, bare]);
    assert.ok(envelope.pagination.nextCursor && envelope.statusCounts);
  });

  it('a plan says what to do about each overview', async () => {
    const orgs = {
      missing: await createOrg(admin, { name: 'Without overview' }),
      refresh: await createOrg(admin, { name: 'Behind' }),
      skip: await createOrg(admin, { name: 'Fresh' }),
      opted_out: await createOrg(admin, { name: 'Off', autoGenerateContent: false }),
    };
    for (const org of [orgs.refresh, orgs.skip]) {
      await service.root.post(`/v1/orgs/${org.slug}/overview`, { content: 'All is well.', releaseCount: 0 });
    }
    const behind = await createSource(admin, { orgId: orgs.refresh.id });
    const read = await createSource(admin, { orgId: orgs.skip.id });
    const fetched = async (id: string) =>
      service.root.patch(`/v1/sources/${id}`, { lastFetchedAt: clock().toISOString() });
    await fetched(behind.id);
    clock.move(10 * 24 * HOUR_MS);
    await fetched(read.id);
    await postReleases(admin, behind.id, [releaseRow('1.0.0', { publishedAt: clock().toISOString() })]);

    const plan = (await service.root.get('/v1/admin/overviews?format=plan')).body.items;
    const found = (slug: string) => plan.find((item: { orgSlug: string }) => item.orgSlug === slug);

    for (const [action, org] of Object.entries(orgs)) {
      const needsFetch = action === 'refresh';
      assert.partialDeepStrictEqual(found(org.slug), { action, needsFetch, orgCreatedAt: org.createdAt });
    }
    clock.move(5 * HOUR_MS);
    const later = (await service.root.get('/v1/admin/overviews?format=plan')).body.items;
    assert.equal(later.find((item: { orgSlug: string }) => item.orgSlug === orgs.skip.slug).needsFetch, true);
    const plain = (await service.root.get('/v1/admin/overviews')).body.items[0];
    assert.deepEqual(['action' in plain, 'needsFetch' in plain], [false, false]);
    assert.equal((await service.root.get('/v1/admin/overviews?format=table')).status, 400);
  });

  it('a corrected release gives its summary up again, and its hash is not for clients to set', async () => {
    const source = await createSource(admin, { orgId: (await createOrg(admin)).id });
    const content = 'The new parser reads a file twice as fast as the old one did.';
    const { insertedIds } = await postReleases(admin, source.id, [releaseRow('1.0.0', { content })]);
    const path = `/v1/releases/${insertedIds[0]}`;
    const before = (await service.root.get(path)).body;

    const own = await service.root.patch(path, { summary: 'Words of an operator.', contentHash: 'made up' });
    assert.deepEqual([own.status, own.body.summary], [200, 'Words of an operator.']);
    assert.ok(own.body.pinned.includes('summary'));
    const back = await service.root.patch(path, { summary: null });
    assert.deepEqual([back.status, back.body.summary], [200, before.summary]);
    assert.ok(!back.body.pinned.includes('summary'));
    const ignored = await service.root.patch(path, { contentHash: 'made up' });
    assert.deepEqual([ignored.status, ignored.body.updatedAt], [200, back.body.updatedAt]);
    assert.equal((await service.root.patch(path, { contentHashes: 'x' })).status, 400);
  });

  it('a feed of unknown type is one without a type', async () => {
    const input = { name: 'News', url: 'https://feed.example/', fetch: false };
    const metadata = { feedUrl: 'https://feed.example/rss', feedType: 'unknown' };
    const made = await service.root.post('/v1/sources', { ...input, metadata });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(JSON.parse(made.body.metadata), { feedUrl: 'https://feed.example/rss' });
    const patched = await service.root.patch(`/v1/sources/${made.body.id}/metadata`, { feedType: 'unknown' });
    assert.equal(patched.status, 200);
    assert.equal((await service.root.patch(`/v1/sources/${made.body.id}/metadata`, { feedType: 'odd' })).status, 400);
  });

  it('collections say that daily summaries are not offered', async () => {
    const made = await service.root.post('/v1/collections', { name: 'Tools', dailySummaryEnabled: true });
    assert.deepEqual([made.status, made.body.dailySummaryEnabled], [201, false]);
    assert.equal(
      (await service.root.patch('/v1/collections/tools', { name: 'Tool box' })).body.dailySummaryEnabled,
      false,
    );
    assert.equal((await service.anonymous.get('/v1/collections/tools')).body.dailySummaryEnabled, false);
  });

  it('a name that is taken "already exists"', async () => {
    const org = await createOrg(admin, { name: 'Taken', domain: 'taken.example' });
    const { root } = service;
    await root.post(`/v1/orgs/${org.slug}/accounts`, { platform: 'github', handle: 'taken' });
    await root.post('/v1/sources', { name: 'S', slug: 'taken-source', url: 'https://s.example/', orgId: org.id });
    await root.post('/v1/products', { name: 'P', slug: 'taken-product', orgId: org.id });
    await root.post('/v1/collections', { name: 'Taken things', slug: 'taken-things' });
    await root.post('/v1/collections/taken-things/members', { orgId: org.id });
    const calls: [path: string, body: object][] = [
      ['/v1/orgs', { name: 'Other', slug: org.slug }],
      ['/v1/orgs', { name: 'Other', domain: 'taken.example' }],
      [`/v1/orgs/${(await createOrg(admin)).slug}/accounts`, { platform: 'github', handle: 'taken' }],
      ['/v1/sources', { name: 'S', slug: 'taken-source', url: 'https://s.example/', orgId: org.id }],
      ['/v1/products', { name: 'P', slug: 'taken-product', orgId: org.id }],
      ['/v1/collections', { name: 'Taken things', slug: 'taken-things' }],
      ['/v1/collections/taken-things/members', { orgId: org.id }],
    ];
    for (const [path, body] of calls) {
      const answer = await root.post(path, body);
      assert.deepEqual([answer.status, answer.body.error?.code], [409, 'conflict'], path);
      assert.match(answer.body.error.message, /already exists/, path);
    }
  });
});
