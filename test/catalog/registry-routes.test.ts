import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createToken } from '../../src/accounts/tokens.ts';
import type { Context } from '../../src/context.ts';
import { blocklistRoutes } from '../../src/http/routes/blocklist.ts';
import { feedbackRoutes } from '../../src/http/routes/feedback.ts';
import { auditRoutes, logRoutes } from '../../src/http/routes/logs.ts';
import { siteNoticeRoutes, statsRoutes } from '../../src/http/routes/registry.ts';
import type { Client } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { addReleases, makeSource } from '../support/named.ts';
import { assertRefused } from '../support/refused.ts';
import { type Service, startService } from '../support/service.ts';

const routes = [
  ...auditRoutes,
  ...blocklistRoutes,
  ...feedbackRoutes,
  ...logRoutes,
  ...siteNoticeRoutes,
  ...statsRoutes,
];
const NO_STORE = 'private, no-store';
const NOTICE = { active: true, message: 'Hello', placement: 'banner', color: '#123abc', dismissible: false };

forEachEngine('registry routes', (engine) => {
  let ctx: Context;
  let anonymous: Service['anonymous'];
  let root: Client;
  let writer: Client;
  let sourceId: string;

  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    const service = await startService(app, { routes });
    ({ anonymous, root } = service);
    const { token } = await createToken(ctx, { name: 'w', scopes: ['write'] });
    writer = service.as(token);
    const source = await makeSource(ctx, { slug: 's' });
    sourceId = source.id;
    await addReleases(ctx, source, ['1.0.0']);
  });

  it('count what a period brought; days that are no number count as 30', async () => {
    const stats = await anonymous.get('/v1/stats?days=7');
    const plain = await anonymous.get('/v1/stats?days=x');
    const most = await anonymous.get('/v1/stats?days=99999');
    assert.deepEqual([stats.body.releases, stats.body.totals.releasesInPeriod, stats.body.period.days], [1, 1, 7]);
    assert.equal(stats.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=60');
    assert.deepEqual([plain.body.period.days, most.body.period.days], [30, 3650]);
  });

  describe('of the site notice', () => {
    it('say that there is none, which nobody may cache', async () => {
      const { status, body, headers } = await anonymous.get('/v1/site-notice');
      assert.deepEqual([status, body, headers.get('cache-control')], [200, { notice: null }, 'no-store']);
    });

    it('show a draft to the operator alone', async () => {
      const draft = await root.put('/v1/site-notice', { ...NOTICE, active: false, updatedAt: 'x' });
      const [hidden, shown, ofWriter] = [
        await anonymous.get('/v1/site-notice'),
        await root.get('/v1/site-notice'),
        await writer.get('/v1/site-notice'),
      ];
      assert.deepEqual([draft.status, draft.body.notice.active], [200, false]);
      assert.deepEqual([hidden.body, hidden.headers.get('cache-control')], [{ notice: null }, 'no-store']);
      assert.deepEqual([shown.body, shown.headers.get('cache-control')], [draft.body, NO_STORE]);
      assert.deepEqual([ofWriter.body, ofWriter.headers.get('cache-control')], [{ notice: null }, NO_STORE]);
    });

    it('show an active one to everybody for a minute', async () => {
      await root.put('/v1/site-notice', NOTICE);
      const { body, headers } = await anonymous.get('/v1/site-notice');
      assert.equal(body.notice.message, 'Hello');
      assert.equal(headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=300');
    });

    it('refuse a text without its link, unknown fields and links to other sites', async () => {
      assertRefused('400 validation_failed', [
        await root.put('/v1/site-notice', { ...NOTICE, linkText: 'More' }),
        await root.put('/v1/site-notice', { ...NOTICE, extra: 1 }),
        await root.put('/v1/site-notice', { ...NOTICE, href: '//evil.example' }),
      ]);
    });

    it('let the operator alone write it', async () => {
      assertRefused('401 unauthorized', [await anonymous.put('/v1/site-notice', NOTICE)]);
      assertRefused('403 insufficient_scope', [await writer.put('/v1/site-notice', NOTICE)]);
    });
  });

  describe('of the block list', () => {
    const pattern = 'https://bad.example/a?x=1';
    const path = `/v1/admin/blocklist/${encodeURIComponent(pattern)}`;

    it('block an address once, however often it is asked for', async () => {
      const first = await root.post('/v1/admin/blocklist', { pattern, reason: 'spam' });
      const second = await root.post('/v1/admin/blocklist', { pattern });
      const list = await root.get('/v1/admin/blocklist');
      assert.deepEqual([first.status, first.body, second.status], [201, { blocked: true }, 201]);
      assert.ok(first.headers.get('location'));
      assert.deepEqual([list.body.items.length, list.body.items[0].reason], [1, 'spam']);
    });

    it('find what blocks another spelling of the address', async () => {
      const spelled = encodeURIComponent('http://bad.example/a?x=1&utm_id=2');
      assert.equal((await root.get(`/v1/admin/blocklist?url=${spelled}`)).body.pattern, pattern);
      assert.equal((await root.get('/v1/admin/blocklist?url=https%3A%2F%2Fgood.example')).body, null);
    });

    it('lift a block once', async () => {
      const lifted = await root.delete(path);
      assert.deepEqual([lifted.status, lifted.body], [200, { deleted: true }]);
      assertRefused('404 not_found', [await root.delete(path)]);
    });

    it('refuse a pattern that matches no address', async () => {
      assertRefused('400 validation_failed', [
        await root.post('/v1/admin/blocklist', { pattern: 'nowhere', type: 'domain' }),
      ]);
    });
  });

  describe('of the logs', () => {
    const failed = () => ({ sourceId, releasesFound: 2, releasesInserted: 0, status: 'error', errorCategory: 'gone' });

    before(async () => {
      for (let times = 0; times < 3; times += 1) await root.post('/v1/admin/logs/fetch', failed());
    });

    it('take a fetch that somebody else made', async () => {
      const { status, body } = await root.post('/v1/admin/logs/fetch', { ...failed(), releasesFound: 0 });
      assert.deepEqual([status, body.trigger], [201, 'agent']);
    });

    it('page the fetches of a status and count all', async () => {
      const log = await root.get('/v1/admin/logs/fetch?status=error,blocked&limit=2&envelope=true');
      assert.deepEqual([log.body.items.length, log.body.statusCounts.error], [2, 4]);
      assert.ok(log.body.pagination.nextCursor);
      assert.equal(log.headers.get('cache-control'), NO_STORE);
      assert.deepEqual((await root.get('/v1/admin/logs/fetch?excludeStatus=error')).body, []);
    });

    it('name a source that failed several times as stuck', async () => {
      const { items, meta } = (await root.get('/v1/admin/sources/stuck')).body;
      assert.deepEqual([items[0].source.id, items[0].attempts.length], [sourceId, 4]);
      assert.deepEqual(meta, { window: 5, minAttempts: 3, includePaused: false });
    });

    it('sum the use of models by source', async () => {
      const use = { operation: 'enrich', model: 'm', inputTokens: 3, outputTokens: 1, sourceId };
      assert.equal((await root.post('/v1/admin/logs/usage', use)).status, 201);
      const { totals, bySource } = (await root.get('/v1/admin/logs/usage/stats')).body;
      assert.deepEqual([totals.count, bySource[0].label], [1, 's']);
    });

    it('audit who reported what', async () => {
      const { items } = (await root.get('/v1/admin/audit?action=fetch_log.create&actor=root&limit=2')).body;
      assert.deepEqual([items.length, items[0].targetId], [2, sourceId]);
    });

    it('refuse a fetch that contradicts itself', async () => {
      assertRefused('400 validation_failed', [
        await root.post('/v1/admin/logs/fetch', { ...failed(), errorCategory: 'success' }),
        await root.post('/v1/admin/logs/fetch', { ...failed(), status: 'success' }),
        await root.post('/v1/admin/logs/fetch', { ...failed(), status: 'odd' }),
      ]);
    });

    it('refuse filters and cursors that say nothing', async () => {
      assertRefused('400 bad_request', [
        await root.get('/v1/admin/logs/fetch?status=odd'),
        await root.get('/v1/admin/logs/fetch?after=soon'),
      ]);
      assertRefused('400 invalid_cursor', [await root.get('/v1/admin/audit?cursor=x')]);
    });

    it('keep the audit from those who may only write', async () => {
      assertRefused('403 insufficient_scope', [await writer.get('/v1/admin/audit')]);
    });

    it('refuse a fetch of a source that is not there', async () => {
      assertRefused('404 not_found', [await root.post('/v1/admin/logs/fetch', { ...failed(), sourceId: 'src_none' })]);
    });
  });

  describe('of feedback and recommendations', () => {
    let feedback: { status: number; body: { ok: boolean; id: string } };
    let recommendation: { status: number; body: { id: string } };

    before(async () => {
      feedback = await anonymous.post('/v1/feedback', { message: 'It is broken\r\nhere', type: 'praise' });
      recommendation = await anonymous.post('/v1/recommendations', { url: 'acme.example' });
    });

    it('take them from anyone', () => {
      assert.deepEqual([feedback.status, feedback.body.ok, recommendation.status], [202, true, 202]);
    });

    it('show them to the operator, in a form that is the same for all', async () => {
      const [given] = (await root.get('/v1/admin/feedback?status=new')).body.items;
      const [proposed] = (await root.get('/v1/admin/recommendations?type=source')).body.items;
      assert.deepEqual([given.message, given.type], ['It is broken\nhere', 'general']);
      assert.equal(proposed.url, 'https://acme.example');
    });

    it('let the operator sort them', async () => {
      const change = { status: 'triaged', archived: true };
      const { body } = await root.patch(`/v1/recommendations/${recommendation.body.id}`, change);
      assert.deepEqual([body.status, body.archivedAt === null], ['triaged', false]);
    });

    it('delete one once', async () => {
      const { id } = feedback.body;
      assert.deepEqual((await root.delete(`/v1/feedback/${id}`)).body, { deleted: true, id });
      assertRefused('404 not_found', [await root.delete(`/v1/feedback/${id}`)]);
    });

    it('refuse what is too short, no public address or no state', async () => {
      assertRefused('400 validation_failed', [
        await anonymous.post('/v1/feedback', { message: 'no' }),
        await anonymous.post('/v1/recommendations', { url: 'localhost' }),
        await root.patch(`/v1/recommendations/${recommendation.body.id}`, { status: 'open' }),
      ]);
    });

    it('refuse a change that changes nothing, and a filter that says nothing', async () => {
      assertRefused('400 bad_request', [
        await root.patch(`/v1/recommendations/${recommendation.body.id}`, {}),
        await root.get('/v1/admin/feedback?type=praise'),
      ]);
    });

    it('let the operator alone read and delete them', async () => {
      assertRefused('401 unauthorized', [await anonymous.get('/v1/admin/feedback')]);
      assertRefused('403 insufficient_scope', [await writer.delete(`/v1/recommendations/${recommendation.body.id}`)]);
    });
  });
});
