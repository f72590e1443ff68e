import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { toJson } from '../../src/store/json-text.ts';
import type { Tx } from '../../src/store/schema/index.ts';
import { MAINTENANCE } from '../../src/worker/maintenance.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { forEachEngine } from '../support/engines.ts';

const NOW = '2026-06-01T00:00:00.000Z';

function daysAgo(days: number): string {
  return new Date(Date.parse(NOW) - days * 86_400_000).toISOString();
}

function write(ctx: Context, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return ctx.store.transaction(work, 'bookkeeping');
}

function org(id: string, deletedAt: string | null) {
  const fixed = {
    status: 'tracked',
    discovery: 'curated',
    is_hidden: 0,
    featured: 0,
    fetch_paused: 0,
    created_at: NOW,
  } as const;
  const rest = {
    auto_generate_content: 1,
    self_declared: toJson<string>([]),
    release_count: 0,
    source_count: 0,
    updated_at: NOW,
  };
  return { id, slug: id, name: id, name_key: id, ...fixed, ...rest, deleted_at: deletedAt };
}

function source(id: string, orgId: string, deletedAt: string | null) {
  const place = { id, org_id: orgId, slug: id, name: id, name_key: id, deleted_at: deletedAt };
  const fixed = { type: 'feed', url: 'https://example.com', url_key: id } as const;
  const json = { former_coordinates: toJson<string>([]), settings: toJson({}), extra: toJson({}) };
  const state = {
    is_fork: 0,
    is_primary: 0,
    is_hidden: 0,
    discovery: 'curated',
    fetch_priority: 'normal',
  } as const;
  const figures = { archived: 0, consecutive_no_change: 0, consecutive_errors: 0, created_at: NOW, updated_at: NOW };
  return { ...place, ...fixed, ...json, ...state, ...figures };
}

function fetched(id: string, sourceId: string, createdAt: string) {
  const counts = { releases_found: 0, releases_inserted: 0, releases_updated: 0, total_releases: 0 };
  return { id, source_id: sourceId, trigger: 'schedule', status: 'success', ...counts, created_at: createdAt } as const;
}

function audited(id: string, createdAt: string) {
  return { id, actor: 'root', action: 'x', target_type: 'org', target_id: 'o', created_at: createdAt };
}

forEachEngine('maintenance', (engine) => {
  const open = async () => (await engine.openTestApp({ clock: () => new Date(NOW) })).ctx;
  const ids = async (ctx: Context, table: 'orgs' | 'sources' | 'fetch_log' | 'audit_log') =>
    (await ctx.store.read.selectFrom(table).select('id').orderBy('id').execute()).map((row) => row.id);

  it('forgets log rows, kept answers and ended limits when their time is over', async () => {
    const ctx = await open();
    const answer = { caller_key: 'root', fingerprint: 'f', state: 'done', created_at: NOW };
    await write(ctx, async (tx) => {
      await tx.insertInto('orgs').values(org('o', null)).execute();
      await tx
        .insertInto('sources')
        .values(source('s', 'o', null))
        .execute();
      const rows = [fetched('new', 's', daysAgo(179)), fetched('old', 's', daysAgo(181))];
      await tx.insertInto('fetch_log').values(rows).execute();
      await tx
        .insertInto('audit_log')
        .values([audited('new', daysAgo(730)), audited('old', daysAgo(732))])
        .execute();
      await tx
        .insertInto('idempotency')
        .values([
          { ...answer, key: 'new', expires_at: daysAgo(-1) },
          { ...answer, key: 'old', expires_at: daysAgo(1) },
        ])
        .execute();
      await tx
        .insertInto('limits')
        .values({ key: 'k', count: 1, window_ends_at: daysAgo(1) })
        .execute();
    });

    await createWorker(ctx, { tasks: MAINTENANCE }).drain();

    assert.deepEqual(await ids(ctx, 'fetch_log'), ['new']);
    assert.deepEqual(await ids(ctx, 'audit_log'), ['new']);
    const answers = await ctx.store.read.selectFrom('idempotency').select('key').execute();
    assert.deepEqual(
      answers.map((row) => row.key),
      ['new'],
    );
    assert.deepEqual(await ctx.store.read.selectFrom('limits').selectAll().execute(), []);
  });

  it('deletes more rows than one batch holds', async () => {
    const ctx = await open();
    await write(ctx, async (tx) => {
      for (let start = 0; start < 2100; start += 300) {
        const rows = Array.from({ length: 300 }, (_, index) => audited(`a${start + index}`, daysAgo(800)));
        await tx.insertInto('audit_log').values(rows).execute();
      }
    });

    await createWorker(ctx, { tasks: MAINTENANCE }).drain();

    assert.deepEqual(await ids(ctx, 'audit_log'), []);
  });

  it('purges what was deleted more than 30 days ago, with everything it owned', async () => {
    const ctx = await open();
    await write(ctx, async (tx) => {
      await tx
        .insertInto('orgs')
        .values([org('gone', daysAgo(31)), org('kept', daysAgo(29)), org('live', null)])
        .execute();
      await tx
        .insertInto('sources')
        .values([source('of-gone', 'gone', null), source('of-live', 'live', null), source('old', 'live', daysAgo(31))])
        .execute();
      await tx
        .insertInto('fetch_log')
        .values([fetched('f', 'of-gone', NOW)])
        .execute();
      await tx
        .insertInto('settings')
        .values(['gone', 'kept'].map((id) => ({ key: `manifest:${id}`, value: '{}', updated_at: NOW })))
        .execute();
    });

    await createWorker(ctx, { tasks: MAINTENANCE }).drain();

    const remembered = ctx.store.read.selectFrom('settings').select('key').where('key', 'like', 'manifest:%');
    assert.equal((await remembered.executeTakeFirstOrThrow()).key, 'manifest:kept');
    assert.equal((await remembered.execute()).length, 1);
    assert.deepEqual(await ids(ctx, 'orgs'), ['kept', 'live']);
    assert.deepEqual(await ids(ctx, 'sources'), ['of-live']);
    assert.deepEqual(await ids(ctx, 'fetch_log'), []);
  });
});
