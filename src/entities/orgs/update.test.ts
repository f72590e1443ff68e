import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import type { OrgChange } from '../../contract/org-input.ts';
import { readFeed } from '../../releases/feeds/feed.ts';
import { listOrgs } from './list.ts';
import { updateOrg } from './update.ts';

forEachEngine('updateOrg', (engine) => {
  const clock = movableClock('2026-03-01T00:00:00.000Z');
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp({ clock }).then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };
  const actionsOn = async (ctx: Context, id: string) => {
    const rows = await ctx.store.read.selectFrom('audit_log').select('action').where('target_id', '=', id).execute();
    return rows.map((row) => row.action);
  };

  const changes: [string, OrgChange, Record<string, unknown>][] = [
    ['name', { name: 'New Name' }, { name: 'New Name' }],
    ['slug', { slug: 'a-new-slug' }, { slug: 'a-new-slug' }],
    ['description', { description: 'Tools.' }, { description: 'Tools.' }],
    ['flags', { featured: true, fetchPaused: true, autoGenerateContent: false }, { featured: true, fetchPaused: true }],
    ['cadence', { overviewCadenceDays: 14 }, { overviewCadenceDays: 14 }],
    ['discovery', { discovery: 'agent' }, { discovery: 'agent' }],
    ['notice', { notice: { message: 'Moved' } }, { notice: { message: 'Moved' } }],
    ['tags, all of them', { tags: ['b', 'a'] }, { tags: ['a', 'b'] }],
    ['aliases, all of them', { aliases: ['second.example'] }, { aliases: ['second.example'] }],
    ['nothing by null where nothing is', { notice: null, category: null, trackingRequestedAt: null }, { notice: null }],
  ];
  for (const [title, change, expected] of changes) {
    it(`changes ${title}`, async () => {
      const ctx = await open();
      const org = await createOrg(ctx, {
        tags: ['old'],
        aliases: [`${title.split(' ')[0]?.replace(',', '')}.alias.example`],
      });

      const changed = await updateOrg(ctx, { org: org.id, change });

      for (const [field, value] of Object.entries(expected)) assert.deepEqual(changed[field as 'name'], value);
    });
  }

  it('moves updatedAt and the audit log with a change, and neither without one', async () => {
    const ctx = await open();
    const org = await createOrg(ctx, { tags: ['x'], description: 'Same' });
    clock.move(1000);

    const same = await updateOrg(ctx, { org: org.slug, change: { description: 'Same', tags: ['X'] } });
    const other = await updateOrg(ctx, { org: org.slug, change: { description: 'Other' } });

    assert.equal(same.updatedAt, org.updatedAt);
    assert.notEqual(other.updatedAt, org.updatedAt);
    assert.deepEqual(await actionsOn(ctx, org.id), ['org.create', 'org.update']);
  });

  it('makes an alias the domain without keeping it as alias, and clears a domain', async () => {
    const ctx = await open();
    const org = await createOrg(ctx, { domain: 'first.example', aliases: ['next.example', 'kept.example'] });

    const moved = await updateOrg(ctx, { org: org.id, change: { domain: 'next.example' } });
    const cleared = await updateOrg(ctx, { org: 'kept.example', change: { domain: null } });

    assert.deepEqual([moved.domain, moved.aliases], ['next.example', ['kept.example']]);
    assert.deepEqual([cleared.domain, cleared.aliases], [null, ['kept.example']]);
  });

  it('refuses what another org has before anything is changed', async () => {
    const ctx = await open();
    const other = await createOrg(ctx, { domain: 'taken.example' });
    const org = await createOrg(ctx, { aliases: ['mine.example'] });
    const change = (change: OrgChange) => refused(updateOrg(ctx, { org: org.id, change }));

    assert.deepEqual(await change({ aliases: ['free.example', 'taken.example'], name: 'Changed' }), {
      code: 'conflict',
      details: { field: 'aliases', value: 'taken.example', existingId: other.id },
    });
    assert.equal((await change({ slug: other.slug }))?.code, 'conflict');
    assert.equal((await change({ slug: 'admin' }))?.code, 'slug_reserved');
    assert.equal((await change({ category: 'nothing' }))?.code, 'validation_failed');
    assert.equal((await refused(updateOrg(ctx, { org: 'nobody', change: { name: 'X' } })))?.code, 'not_found');
    const unchanged = await updateOrg(ctx, { org: org.id, change: { featured: false } });
    assert.deepEqual([unchanged.name, unchanged.aliases], [org.name, ['mine.example']]);
  });

  it('takes its releases along when it is hidden, shown again or re-labelled', async () => {
    const ctx = await open();
    const org = await createOrg(ctx, { category: 'cloud' });
    const source = await createSource(ctx, { orgId: org.id });
    await postReleases(ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    const feed = async (column: 'org_id' | 'effective_category', value: string) =>
      (await readFeed(ctx, { branches: [{ column, value }], filter: {}, page: { limit: 10 } })).releases.filter(
        (item) => item.orgId === org.id,
      ).length;
    const listed = async () =>
      (await listOrgs(as(ctx, null), { q: org.slug, page: 1, limit: 10 })).items.map((item) => item.releaseCount);

    assert.deepEqual([await feed('org_id', org.id), await feed('effective_category', 'cloud')], [2, 2]);
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });
    assert.deepEqual([await feed('org_id', org.id), await listed()], [0, []]);
    await updateOrg(ctx, { org: org.id, change: { isHidden: false, category: 'security' } });
    assert.deepEqual([await feed('org_id', org.id), await listed()], [2, [2]]);
    assert.deepEqual([await feed('effective_category', 'cloud'), await feed('effective_category', 'security')], [0, 2]);
  });
});
