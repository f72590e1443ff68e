import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { makeOrg, makeSource, plain } from '../../../test/support/named.ts';
import { type Context, transact } from '../../context.ts';
import { createTag, renameTag } from '../taxonomy/write-tags.ts';
import { listAuditLog } from './audit-log.ts';
import { listFetchLog } from './fetch-log.ts';
import { type FetchRun, recordFetch } from './record-fetch.ts';
import { type StuckInput, stuckSources } from './stuck-sources.ts';
import { reportUsage, usageStats } from './usage-log.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const DAY = 86_400_000;

async function log(ctx: Context, sourceId: string, results: readonly FetchRun['result'][]): Promise<void> {
  for (const result of results) {
    const run: FetchRun = { sourceId, trigger: 'schedule', result, releasesFound: 0, releasesInserted: 0 };
    await transact(ctx, (ctx) => recordFetch(ctx, run));
  }
}

forEachEngine('logs', (engine) => {
  const open = async () => {
    const clock = movableClock(NOW);
    return { ctx: as((await engine.openTestApp({ clock })).ctx, 'admin'), clock };
  };

  it('fetch log: newest first, filters, counts by status, pages by cursor', async () => {
    const { ctx, clock } = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });
    const other = await makeOrg(ctx, { slug: 'other' });
    const a = await makeSource(ctx, { slug: 'a', orgId: acme.id });
    const b = await makeSource(ctx, { slug: 'b', isHidden: true });
    await makeSource(ctx, { slug: 'a', orgId: other.id });
    await log(ctx, a.id, ['success', 'gone', 'blocked']);
    clock.move(2 * DAY);
    await log(ctx, b.id, ['no_change', 'timeout', 'skipped', 'dry_run']);
    const statuses = async (more: object) =>
      (await listFetchLog(ctx, { limit: 100, ...more })).items.map((row) => row.status).sort();

    const all = await listFetchLog(ctx, { limit: 100 });

    assert.deepEqual(plain(all.statusCounts), {
      success: 1,
      no_change: 1,
      error: 1,
      blocked: 1,
      timeout: 1,
      skipped: 1,
      dry_run: 1,
    });
    assert.deepEqual(
      all.items.map((row) => row.sourceSlug),
      ['b', 'b', 'b', 'b', 'a', 'a', 'a'],
    );
    assert.deepEqual([all.items[6]?.orgSlug, all.items[6]?.orgName, all.items[0]?.orgSlug], ['acme', 'acme', null]);
    assert.deepEqual(await statuses({ org: 'acme' }), ['blocked', 'error', 'success']);
    assert.deepEqual(await statuses({ source: 'b', excludeStatus: ['skipped', 'dry_run'] }), ['no_change', 'timeout']);
    assert.deepEqual(await statuses({ source: a.id, status: ['error', 'blocked'] }), ['blocked', 'error']);
    assert.deepEqual(await statuses({ before: '1d' }), ['blocked', 'error', 'success']);
    assert.equal((await statuses({ after: '2026-03-02' })).length, 4);
    const narrowed = await listFetchLog(ctx, { limit: 100, org: 'acme', status: ['error'] });
    assert.deepEqual([narrowed.items.length, narrowed.statusCounts.success, narrowed.statusCounts.timeout], [1, 1, 0]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listFetchLog(ctx, { limit: 2, cursor });
      seen.push(...page.items.map((row) => row.id));
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor);
    assert.deepEqual(
      seen,
      all.items.map((row) => row.id),
    );
    await assert.rejects(listFetchLog(ctx, { limit: 1, source: 'a' }), { code: 'ambiguous_slug' });
    await assert.rejects(listFetchLog(ctx, { limit: 1, source: 'none' }), {
      code: 'not_found',
      details: { entity: 'source', value: 'none', parameter: 'source' },
    });
    await assert.rejects(listFetchLog(ctx, { limit: 1, org: 'none' }), { code: 'not_found' });
    await assert.rejects(listFetchLog(ctx, { limit: 1, cursor: 'x' }), { code: 'invalid_cursor' });
    await assert.rejects(listFetchLog(ctx, { limit: 1, after: 'soon' }), { code: 'bad_request' });
    await assert.rejects(listFetchLog(ctx, { limit: 1, after: '1d', before: '2d' }), { code: 'bad_request' });
  });

  it('stuck: none of the last attempts was good, and there were enough of them', async () => {
    const { ctx, clock } = await open();
    const paused = await makeOrg(ctx, { slug: 'paused', fetchPaused: true });
    const cases: [string, FetchRun['result'][], object?][] = [
      ['dead', ['success', 'gone', 'gone', 'gone', 'gone', 'blocked']],
      ['hurt', ['success', 'gone', 'gone', 'gone', 'gone']],
      ['young', ['gone', 'gone']],
      ['never', ['error', 'skipped', 'timeout', 'dry_run', 'error']],
      ['fine', ['gone', 'gone', 'gone', 'no_change']],
      ['halted', ['gone', 'gone', 'gone'], { fetchPriority: 'paused' }],
      ['idle', ['gone', 'gone', 'gone'], { orgId: paused.id }],
      ['hidden', ['gone', 'gone', 'gone'], { isHidden: true }],
    ];
    for (const [slug, results, more] of cases) {
      const { id } = await makeSource(ctx, { slug, ...more });
      for (const result of results) {
        await log(ctx, id, [result]);
        clock.move(1000);
      }
    }
    const input: StuckInput = { window: 5, minAttempts: 3, includePaused: false, page: 1, limit: 500 };
    const slugs = async (more: Partial<StuckInput>) =>
      (await stuckSources(ctx, { ...input, ...more })).items.map((item) => item.source.slug);

    const stuck = await stuckSources(ctx, input);

    assert.deepEqual(await slugs({}), ['hidden', 'never', 'dead']);
    assert.deepEqual(await slugs({ includePaused: true }), ['halted', 'hidden', 'idle', 'never', 'dead']);
    assert.deepEqual(await slugs({ window: 4 }), ['hidden', 'never', 'dead', 'hurt']);
    assert.deepEqual(await slugs({ minAttempts: 2 }), ['hidden', 'never', 'young', 'dead']);
    assert.deepEqual(await slugs({ minAttempts: 6 }), ['dead']);
    assert.deepEqual(await slugs({ page: 2, limit: 2 }), ['dead']);
    assert.deepEqual(stuck.meta, { window: 5, minAttempts: 3, includePaused: false });
    assert.equal(stuck.pagination.totalItems, 3);
    const [, never, dead] = stuck.items;
    assert.deepEqual(
      never?.attempts.map((attempt) => attempt.status),
      ['error', 'timeout', 'error'],
    );
    assert.deepEqual([never?.lastSuccessAt, dead?.lastSuccessAt], [null, NOW]);
    assert.deepEqual([dead?.attempts.length, dead?.attempts[0]?.errorCategory], [5, 'blocked']);
  });

  it('usage: totals by operation, model and source within the period', async () => {
    const { ctx, clock } = await open();
    const { id } = await makeSource(ctx, { slug: 'a' });
    await reportUsage(ctx, { operation: 'old', model: 'm', inputTokens: 9, outputTokens: 9 });
    clock.move(8 * DAY);
    const row = await reportUsage(ctx, {
      operation: 'enrich',
      model: 'small',
      inputTokens: 10,
      outputTokens: 1,
      sourceId: id,
      releaseCount: 2,
    });
    await reportUsage(ctx, { operation: 'enrich', model: 'large', inputTokens: 100, outputTokens: 5 });
    await reportUsage(ctx, { operation: 'overview', model: 'small', inputTokens: 1, outputTokens: 1 });

    const stats = plain(await usageStats(ctx, { days: 7 }));

    assert.deepEqual([row.operation, row.sourceId, row.releaseCount], ['enrich', id, 2]);
    assert.deepEqual(stats, {
      period: { days: 7, cutoff: '2026-03-02T12:00:00.000Z' },
      totals: { totalInput: 111, totalOutput: 7, count: 3 },
      byOperation: [
        { label: 'enrich', totalInput: 110, totalOutput: 6, count: 2 },
        { label: 'overview', totalInput: 1, totalOutput: 1, count: 1 },
      ],
      byModel: [
        { label: 'large', totalInput: 100, totalOutput: 5, count: 1 },
        { label: 'small', totalInput: 11, totalOutput: 2, count: 2 },
      ],
      bySource: [{ label: 'a', totalInput: 10, totalOutput: 1, count: 1 }],
    });
    await assert.rejects(
      reportUsage(ctx, { operation: 'x', model: 'm', inputTokens: 0, outputTokens: 0, sourceId: 'src_none' }),
      { code: 'not_found' },
    );
  });

  it('audit: newest first, by actor, target, action and time', async () => {
    const { ctx, clock } = await open();
    const { tag } = await createTag(ctx, { name: 'One' });
    clock.move(2 * DAY);
    await renameTag(as(ctx, 'write'), { slug: 'one', name: 'Two' });
    await createTag(ctx, { name: 'Three' });
    const actions = async (more: object) =>
      (await listAuditLog(ctx, { limit: 50, ...more })).items.map((item) => `${item.actor} ${item.action}`).sort();

    const { items } = await listAuditLog(ctx, { limit: 50, target: tag.id });
    const first = await listAuditLog(ctx, { limit: 1 });
    const rest = await listAuditLog(ctx, { limit: 2, cursor: first.pagination.nextCursor ?? '' });

    assert.deepEqual(
      items.map((item) => [item.action, item.targetType, item.targetId, item.before]),
      [
        ['tag.update', 'tag', tag.id, tag],
        ['tag.create', 'tag', tag.id, null],
      ],
    );
    assert.deepEqual(items[0]?.after, { ...tag, name: 'Two', slug: 'two' });
    assert.deepEqual([rest.items.length, rest.pagination.nextCursor], [2, null]);
    assert.deepEqual(await actions({ actor: 'write' }), ['write tag.update']);
    assert.deepEqual(await actions({ action: 'tag.create' }), ['admin tag.create', 'admin tag.create']);
    assert.deepEqual(await actions({ after: '1d' }), ['admin tag.create', 'write tag.update']);
    assert.deepEqual(await actions({ before: '2026-03-01' }), ['admin tag.create']);
    await assert.rejects(listAuditLog(ctx, { limit: 1, before: '2026-02-30' }), {
      code: 'bad_request',
      details: {
        parameter: 'before',
        reason: 'must be a span such as 7d, 2w, 3m or 1y, a date (YYYY-MM-DD) or an ISO 8601 date-time',
      },
    });
  });
});
