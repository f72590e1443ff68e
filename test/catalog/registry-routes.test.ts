import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createToken } from '../../src/accounts/tokens.ts';
import { blocklistRoutes } from '../../src/http/routes/blocklist.ts';
import { feedbackRoutes } from '../../src/http/routes/feedback.ts';
import { auditRoutes, logRoutes } from '../../src/http/routes/logs.ts';
import { siteNoticeRoutes, statsRoutes } from '../../src/http/routes/registry.ts';
import { forEachEngine } from '../support/engines.ts';
import { addReleases, makeSource } from '../support/named.ts';
import { startService } from '../support/service.ts';

const routes = [
  ...auditRoutes,
  ...blocklistRoutes,
  ...feedbackRoutes,
  ...logRoutes,
  ...siteNoticeRoutes,
  ...statsRoutes,
];
const NOTICE = { active: true, message: 'Hello', placement: 'banner', color: '#123abc', dismissible: false };

forEachEngine('registry routes', (engine) => {
  const open = async () => {
    const app = await engine.openTestApp();
    const service = await startService(app, { routes });
    const { token } = await createToken(app.ctx, { name: 'w', scopes: ['write'] });
    return { ctx: app.ctx, ...service, writer: service.as(token) };
  };

  it('200: stats; useless days count as 30', async () => {
    const { ctx, anonymous } = await open();
    await addReleases(ctx, await makeSource(ctx, { slug: 's' }), ['1.0.0']);

    const stats = await anonymous.get('/v1/stats?days=7');
    const plain = await anonymous.get('/v1/stats?days=x');
    const most = await anonymous.get('/v1/stats?days=99999');

    assert.deepEqual([stats.body.releases, stats.body.totals.releasesInPeriod, stats.body.period.days], [1, 1, 7]);
    assert.equal(stats.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=60');
    assert.deepEqual([plain.body.period.days, most.body.period.days], [30, 3650]);
  });

  it('site notice: states, caching, scope', async () => {
    const { anonymous, root, writer } = await open();

    const none = await anonymous.get('/v1/site-notice');
    const draft = await root.put('/v1/site-notice', { ...NOTICE, active: false, updatedAt: 'x' });
    const hidden = await anonymous.get('/v1/site-notice');
    const seenByRoot = await root.get('/v1/site-notice');
    const seenByWriter = await writer.get('/v1/site-notice');
    await root.put('/v1/site-notice', NOTICE);
    const shown = await anonymous.get('/v1/site-notice');
    const refused = [
      await root.put('/v1/site-notice', { ...NOTICE, linkText: 'More' }),
      await root.put('/v1/site-notice', { ...NOTICE, extra: 1 }),
      await root.put('/v1/site-notice', { ...NOTICE, href: '//evil.example' }),
      await anonymous.put('/v1/site-notice', NOTICE),
      await writer.put('/v1/site-notice', NOTICE),
    ];

    assert.deepEqual([none.status, none.body, none.headers.get('cache-control')], [200, { notice: null }, 'no-store']);
    assert.deepEqual([draft.status, draft.body.notice.active], [200, false]);
    assert.deepEqual([hidden.body, hidden.headers.get('cache-control')], [{ notice: null }, 'no-store']);
    assert.deepEqual(seenByRoot.body, draft.body);
    assert.equal(seenByRoot.headers.get('cache-control'), 'private, no-store');
    assert.deepEqual(seenByWriter.body, { notice: null });
    assert.equal(seenByWriter.headers.get('cache-control'), 'private, no-store');
    assert.equal(shown.body.notice.message, 'Hello');
    assert.equal(shown.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=300');
    assert.deepEqual(
      refused.map(({ status, body }) => `${status} ${body.error.code}`),
      [...Array(3).fill('400 validation_failed'), '401 unauthorized', '403 insufficient_scope'],
    );
  });

  it('block list: 201 also when present, 200, 404', async () => {
    const { root } = await open();
    const pattern = 'https://bad.example/a?x=1';

    const first = await root.post('/v1/admin/blocklist', { pattern, reason: 'spam' });
    const second = await root.post('/v1/admin/blocklist', { pattern });
    const list = await root.get('/v1/admin/blocklist');
    const found = await root.get(`/v1/admin/blocklist?url=${encodeURIComponent('http://bad.example/a?x=1&utm_id=2')}`);
    const none = await root.get('/v1/admin/blocklist?url=https%3A%2F%2Fgood.example');
    const lifted = await root.delete(`/v1/admin/blocklist/${encodeURIComponent(pattern)}`);
    const missing = await root.delete(`/v1/admin/blocklist/${encodeURIComponent(pattern)}`);
    const invalid = await root.post('/v1/admin/blocklist', { pattern: 'nowhere', type: 'domain' });

    assert.deepEqual([first.status, first.body, second.status], [201, { blocked: true }, 201]);
    assert.ok(first.headers.get('location'));
    assert.deepEqual([list.body.items.length, list.body.items[0].reason], [1, 'spam']);
    assert.deepEqual([found.body.pattern, none.body], [pattern, null]);
    assert.deepEqual([lifted.status, lifted.body], [200, { deleted: true }]);
    assert.deepEqual([missing.status, invalid.body.error.code], [404, 'validation_failed']);
  });

  it('logs: a reported fetch, the log, usage, stuck sources, the audit of it all', async () => {
    const { ctx, root, writer } = await open();
    const { id } = await makeSource(ctx, { slug: 's' });
    const run = { sourceId: id, releasesFound: 2, releasesInserted: 0, status: 'error', errorCategory: 'gone' };

    const reported = [];
    for (let times = 0; times < 3; times += 1) reported.push(await root.post('/v1/admin/logs/fetch', run));
    const log = await root.get('/v1/admin/logs/fetch?status=error,blocked&limit=2&envelope=true');
    const bare = await root.get('/v1/admin/logs/fetch?excludeStatus=error');
    const stuck = await root.get('/v1/admin/sources/stuck');
    const usage = await root.post('/v1/admin/logs/usage', {
      operation: 'enrich',
      model: 'm',
      inputTokens: 3,
      outputTokens: 1,
      sourceId: id,
    });
    const stats = await root.get('/v1/admin/logs/usage/stats');
    const audit = await root.get('/v1/admin/audit?action=fetch_log.create&actor=root&limit=2');

    assert.deepEqual([reported[0]?.status, reported[0]?.body.trigger], [201, 'agent']);
    assert.deepEqual([log.body.items.length, log.body.statusCounts.error], [2, 3]);
    assert.ok(log.body.pagination.nextCursor);
    assert.equal(log.headers.get('cache-control'), 'private, no-store');
    assert.deepEqual(bare.body, []);
    assert.deepEqual([stuck.body.items[0].source.id, stuck.body.items[0].attempts.length], [id, 3]);
    assert.deepEqual(stuck.body.meta, { window: 5, minAttempts: 3, includePaused: false });
    assert.deepEqual([usage.status, stats.body.totals.count, stats.body.bySource[0].label], [201, 1, 's']);
    assert.deepEqual([audit.body.items.length, audit.body.items[0].targetId], [2, id]);
    const refused = [
      await root.post('/v1/admin/logs/fetch', { ...run, errorCategory: 'success' }),
      await root.post('/v1/admin/logs/fetch', { ...run, status: 'success' }),
      await root.post('/v1/admin/logs/fetch', { ...run, status: 'odd' }),
      await root.get('/v1/admin/logs/fetch?status=odd'),
      await root.get('/v1/admin/logs/fetch?after=soon'),
      await root.get('/v1/admin/audit?cursor=x'),
      await writer.get('/v1/admin/audit'),
      await root.post('/v1/admin/logs/fetch', { ...run, sourceId: 'src_none' }),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => `${status} ${body.error.code}`),
      [
        ...Array(3).fill('400 validation_failed'),
        ...Array(2).fill('400 bad_request'),
        '400 invalid_cursor',
        '403 insufficient_scope',
        '404 not_found',
      ],
    );
  });

  it('feedback and recommendations: 202, triage by operators only', async () => {
    const { anonymous, root, writer } = await open();

    const feedback = await anonymous.post('/v1/feedback', { message: 'It is broken\r\nhere', type: 'praise' });
    const recommendation = await anonymous.post('/v1/recommendations', { url: 'acme.example' });
    const list = await root.get('/v1/admin/feedback?status=new');
    const recommendations = await root.get('/v1/admin/recommendations?type=source');
    const changed = await root.patch(`/v1/recommendations/${recommendation.body.id}`, {
      status: 'triaged',
      archived: true,
    });
    const deleted = await root.delete(`/v1/feedback/${feedback.body.id}`);
    const refused = [
      await anonymous.post('/v1/feedback', { message: 'no' }),
      await anonymous.post('/v1/recommendations', { url: 'localhost' }),
      await root.patch(`/v1/recommendations/${recommendation.body.id}`, { status: 'open' }),
      await root.patch(`/v1/recommendations/${recommendation.body.id}`, {}),
      await root.get('/v1/admin/feedback?type=praise'),
      await anonymous.get('/v1/admin/feedback'),
      await writer.delete(`/v1/recommendations/${recommendation.body.id}`),
      await root.delete(`/v1/feedback/${feedback.body.id}`),
    ];

    assert.deepEqual([feedback.status, feedback.body.ok, recommendation.status], [202, true, 202]);
    assert.deepEqual([list.body.items[0].message, list.body.items[0].type], ['It is broken\nhere', 'general']);
    assert.equal(recommendations.body.items[0].url, 'https://acme.example');
    assert.deepEqual([changed.body.status, changed.body.archivedAt === null], ['triaged', false]);
    assert.deepEqual(deleted.body, { deleted: true, id: feedback.body.id });
    assert.deepEqual(
      refused.map(({ status, body }) => `${status} ${body.error.code}`),
      [
        ...Array(3).fill('400 validation_failed'),
        '400 bad_request',
        '400 bad_request',
        '401 unauthorized',
        '403 insufficient_scope',
        '404 not_found',
      ],
    );
  });
});
