// Whether a release concerns a stack or what an account follows is looked up by key, however many packages there are.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { followedReleases } from '../../src/accounts/following/list-follows.ts';
import { onBehalfOf } from '../../src/accounts/on-behalf-of.ts';
import { stackAtomFeed } from '../../src/accounts/stacks/atom.ts';
import { createStackFeed } from '../../src/accounts/stacks/feed-token.ts';
import { putStack } from '../../src/accounts/stacks/manage.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { feedRows } from '../../src/releases/feeds/feed.ts';
import { openUpgradeWorld } from '../insight/upgrade-world.ts';
import { signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { plan, statements } from '../support/statements.ts';

// What a plan says when it reads everything of an account or a stack for each release.
const WHOLE =
  /SEARCH [kf] USING (?:PRIMARY KEY|(?:COVERING )?INDEX \w+) \((?:stack|user)_id=\?\)|SCAN [kfm]\b|Seq Scan/;

forEachEngine('plans of stacks and follows', (engine) => {
  it('the feeds look up each release by key', async () => {
    const world = await openUpgradeWorld(engine);
    const { ctx } = world;
    const account = await signUp(world.service);
    const { id: userId } = await ctx.store.read.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const owner = onBehalfOf(ctx, userId);
    const source = await world.fill([{ version: '1.0.0' }, { version: '2.0.0' }]);
    await putPackage(as(ctx, 'admin'), { ecosystem: 'npm', name: 'breaker', sourceId: source.id });
    await putStack(owner, { name: 'web', packages: [{ ecosystem: 'npm', package: 'breaker', version: '1.0.0' }] });
    await account.cookie.post('/v1/me/follows', { targetType: 'package', targetId: 'npm:breaker' });
    const token = (await createStackFeed(owner, { name: 'web' })).feedUrl.split('/').at(-1) ?? '';

    const ofStack = await statements(ctx, (watched) => stackAtomFeed(watched, { token }));
    const ofFollows = await statements(ctx, async (watched) => {
      const { branches, only } = await followedReleases(watched, userId);
      return feedRows(watched, { branches, filter: { only }, page: { limit: 5 }, after: null });
    });
    const asked = [...ofStack, ...ofFollows].filter(({ sql }) => /exists/i.test(sql) && sql.includes('CROSS JOIN'));

    assert.equal(asked.length, 2);
    for (const query of asked) {
      const reported = await plan(ctx, query, { asIfLarge: true });
      assert.doesNotMatch(reported, WHOLE, reported);
    }
  });
});
