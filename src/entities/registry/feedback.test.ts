import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { atOnce, makeDeletedOrg, makeOrg } from '../../../test/support/named.ts';
import { transact } from '../../context.ts';
import { feedbackInput, recommendationInput } from '../../contract/feedback.ts';
import { changeFeedback, deleteFeedback, listFeedback, sendFeedback } from './feedback.ts';
import { changeRecommendation, deleteRecommendation, listRecommendations, recommend } from './recommendations.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const DAY = 86_400_000;

forEachEngine('feedback and recommendations', (engine) => {
  const open = async () => {
    const clock = movableClock(NOW);
    const { ctx } = await engine.openTestApp({ clock });
    return { visitor: as(ctx, null), admin: as(ctx, 'admin'), clock };
  };

  it('feedback: sent, listed newest first, triaged, archived, deleted', async () => {
    const { visitor, admin, clock } = await open();
    const send = (body: object) => sendFeedback(visitor, feedbackInput.parse({ message: 'Hello there', ...body }));
    const first = await send({ type: 'bug', contact: 'a@b.example', surface: 'web', clientVersion: '1', os: '' });
    clock.move(1000);
    const second = await send({ type: 'praise' });
    const ids = async (more: object) =>
      (await listFeedback(admin, { limit: 50, ...more })).items.map((item) => item.id);

    assert.deepEqual(await ids({}), [second.id, first.id]);
    const { items, pagination } = await listFeedback(admin, { limit: 1 });
    assert.equal(items[0]?.type, 'general');
    assert.deepEqual(await ids({ limit: 1, cursor: pagination.nextCursor ?? '' }), [first.id]);
    const closed = await changeFeedback(admin, { id: first.id, change: { status: 'closed', archived: true } });
    assert.deepEqual(closed, {
      id: first.id,
      type: 'bug',
      message: 'Hello there',
      contact: 'a@b.example',
      surface: 'web',
      clientVersion: '1',
      cliVersion: '1',
      os: null,
      status: 'closed',
      archived: true,
      archivedAt: '2026-03-01T12:00:01.000Z',
      createdAt: NOW,
    });
    clock.move(1000);
    const again = await changeFeedback(admin, { id: first.id, change: { archived: true } });
    assert.equal(again.archivedAt, closed.archivedAt);
    assert.deepEqual(await ids({}), [second.id]);
    assert.deepEqual(await ids({ includeArchived: true, status: 'closed' }), [first.id]);
    assert.deepEqual(await ids({ includeArchived: true, type: 'general' }), [second.id]);
    const back = await changeFeedback(admin, { id: first.id, change: { archived: false } });
    assert.deepEqual([back.archivedAt, back.status], [null, 'closed']);
    assert.deepEqual(await deleteFeedback(admin, { id: first.id }), { deleted: true, id: first.id });
    await assert.rejects(deleteFeedback(admin, { id: first.id }), { code: 'not_found' });
    await assert.rejects(changeFeedback(admin, { id: first.id, change: { status: 'new' } }), { code: 'not_found' });
    const audit = await admin.store.read.selectFrom('audit_log').select('actor').execute();
    assert.deepEqual(
      audit.map((row) => row.actor),
      Array(4).fill('admin'),
    );
  });

  it('recommendations: the same address within 30 days is the same recommendation', async () => {
    const { visitor, admin, clock } = await open();
    const send = (body: object) => recommend(visitor, recommendationInput.parse(body));

    const first = await send({ url: 'acme.example/changelog', note: 'Good' });
    const again = await send({ url: 'http://www.acme.example/changelog/?utm_source=x' });
    const other = await send({ url: 'https://acme.example/news' });
    clock.move(31 * DAY);
    const later = await send({ url: 'https://acme.example/changelog' });
    const same = await atOnce(() => send({ url: 'https://beta.example' }));

    assert.deepEqual([again.id, other.id === first.id, later.id === first.id], [first.id, false, false]);
    assert.equal(new Set(same.map((one) => (typeof one === 'string' ? one : one.id))).size, 1);
    const { items } = await listRecommendations(admin, { limit: 50 });
    assert.equal(items.length, 4);
    assert.ok(items.every((item) => item.status === 'new'));
    const stored = items.find((item) => item.id === first.id);
    assert.deepEqual([stored?.url, stored?.note, stored?.type], ['https://acme.example/changelog', 'Good', 'source']);
    const triaged = await changeRecommendation(admin, { id: first.id, change: { status: 'triaged' } });
    assert.equal(triaged.status, 'triaged');
    assert.deepEqual(await deleteRecommendation(admin, { id: first.id }), { deleted: true, id: first.id });
    await assert.rejects(deleteRecommendation(admin, { id: 'rec_none' }), { code: 'not_found' });
  });

  it('tracking: dates the first wish for a live stub of that domain', async () => {
    const { visitor, admin, clock } = await open();
    await makeOrg(admin, { slug: 'stub', domain: 'stub.example' });
    await makeOrg(admin, { slug: 'tracked', domain: 'tracked.example' });
    await makeDeletedOrg(admin, { slug: 'gone', domain: 'gone.example' });
    await makeOrg(admin, { slug: 'alias', domain: 'alias.example', aliases: ['other.example'] });
    await transact(admin, ({ tx }) =>
      tx.updateTable('orgs').set({ status: 'stub' }).where('slug', 'in', ['stub', 'gone', 'alias']).execute(),
    );
    const requestTracking = (url: string) => recommend(visitor, recommendationInput.parse({ url, type: 'tracking' }));

    const urls = [
      'www.stub.example/changelog',
      'tracked.example',
      'gone.example',
      'https://other.example',
      'x.stub.example',
    ];
    for (const url of urls) await requestTracking(url);
    clock.move(DAY);
    const repeated = await requestTracking('https://stub.example/changelog');

    assert.ok(repeated.id.startsWith('rec_'));
    const rows = await admin.store.read.selectFrom('orgs').select(['slug', 'tracking_requested_at as at']).execute();
    assert.deepEqual(Object.fromEntries(rows.map((row) => [row.slug, row.at])), {
      stub: NOW,
      tracked: null,
      gone: null,
      alias: NOW,
    });
  });
});

it('feedback and recommendations: what a body may hold', () => {
  const feedback = (body: object) => feedbackInput.safeParse(body).success;
  const recommendation = (body: object) => recommendationInput.safeParse(body).success;

  assert.ok(feedback({ message: '12345' }) && !feedback({ message: '1234' }) && !feedback({}));
  assert.ok(!feedback({ message: 'x'.repeat(4001) }) && !feedback({ message: '12345', os: 'x'.repeat(65) }));
  for (const url of ['acme.example', 'http://acme.example/x', 'https://acme.example'])
    assert.ok(recommendation({ url }), url);
  for (const url of ['', 'acme', 'http://127.0.0.1/', 'ftp://acme.example', 'javascript:alert(1)', 'a b.example']) {
    assert.ok(!recommendation({ url }), url);
  }
  assert.ok(!recommendation({ url: 'acme.example', type: 'other' }));
  assert.ok(!recommendation({ url: 'acme.example', note: 'x'.repeat(2001) }));
});
