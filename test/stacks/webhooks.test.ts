// Webhooks of a stack: releases above the installed versions, with what they mean for them; and those of followed packages.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { follow } from '../../src/accounts/following/follow.ts';
import { deleteStack, putStack } from '../../src/accounts/stacks/manage.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { replayRange } from '../../src/webhooks/replay/range.ts';
import { listOwn } from '../../src/webhooks/subscriptions/list.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { createDelivering } from '../../src/worker/delivering.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { refused } from '../support/refused.ts';
import { openDelivering } from '../webhooks/delivery-fixture.ts';
import { HOOK_URL, newAccount, subscribe } from '../webhooks/fixture.ts';

const listed = (version: string) => [{ ecosystem: 'npm' as const, package: 'fed', version }];

forEachEngine('webhooks of a stack', (engine) => {
  it('are sent what is above the installed version, with the answer', async (t) => {
    const { ctx, world, sourceId, clock } = await openDelivering(t, engine);
    await putPackage(ctx, { ecosystem: 'npm', name: 'fed', sourceId });
    const me = await newAccount(ctx);
    await putStack(me.ctx, { name: 'web', packages: listed('1.0.0') });
    await putStack(me.ctx, { name: 'ahead', packages: listed('3.0.0') });
    for (const path of ['/web', '/chat', '/ahead', '/follows']) world.route(path, { status: 204 });
    const { stackName, excludePrereleases } = await subscribe(me.ctx, {
      scope: 'stack',
      stackName: 'web',
      url: `${world.url}/web`,
    });
    assert.deepEqual([stackName, excludePrereleases], ['web', true]);
    await subscribe(me.ctx, { scope: 'stack', stackName: 'ahead', url: `${world.url}/ahead` });
    const follower = await newAccount(ctx);
    await follow(follower.ctx, { targetType: 'package', targetId: 'npm:fed' });
    await subscribe(follower.ctx, { scope: 'follows', url: `${world.url}/follows` });
    clock.move(1);
    const content = '### Breaking changes\n- `open` was removed.';
    await postReleases(ctx, sourceId, [
      releaseRow('1.0.0'),
      releaseRow('2.0.0', { content, url: 'https://x.example/2' }),
    ]);
    const worker = createWorker(ctx, { tasks: createDelivering() });
    await worker.drain();

    assert.deepEqual(
      ['/web', '/ahead', '/follows'].map((path) => world.requested(path).length),
      [1, 0, 2],
    );
    const { stack, release } = JSON.parse(String(world.requested('/web')[0]?.body));
    assert.equal(release.version, '2.0.0');
    assert.deepEqual([stack.name, stack.package, stack.installed, stack.judgement], ['web', 'fed', '1.0.0', 'breaks']);
    assert.match(stack.webUrl, /from=1\.0\.0&to=2\.0\.0/);
    assert.match(stack.stackUrl, /\/account\/stacks\/web$/);

    const [own] = (await listOwn(me.ctx, { owner: accountOwner(me.ctx) })).subscriptions.filter(
      (one) => one.stackName === 'web',
    );
    const replayed = await replayRange(me.ctx, {
      id: own?.id ?? '',
      owner: accountOwner(me.ctx),
      range: { since: '1d' },
    });
    assert.deepEqual([replayed.matched, replayed.queued], [1, 1]);
    await deleteStack(me.ctx, { name: 'web' });
    const left = await listOwn(me.ctx, { owner: accountOwner(me.ctx) });
    assert.deepEqual(
      left.subscriptions.map((one) => one.stackName),
      ['ahead'],
      'a webhook goes with its stack',
    );
  });

  it('need a stack of the account, and are at most twenty', async (t) => {
    const { ctx, orgId } = await openDelivering(t, engine);
    const me = await newAccount(ctx);
    await putStack(me.ctx, { name: 'web', packages: listed('1.0.0') });
    const other = await newAccount(ctx);
    assert.equal(
      (await refused(subscribe(other.ctx, { scope: 'stack', stackName: 'web', url: HOOK_URL })))?.code,
      'not_found',
    );
    assert.equal((await refused(subscribe(me.ctx, { scope: 'stack', url: HOOK_URL })))?.code, 'bad_request');
    assert.equal(
      (await refused(subscribe(me.ctx, { scope: 'stack', stackName: 'web', orgId, url: HOOK_URL })))?.code,
      'bad_request',
    );
    assert.equal(
      (await refused(subscribe(me.ctx, { scope: 'follows', stackName: 'web', url: HOOK_URL })))?.code,
      'bad_request',
    );
    for (let made = 0; made < 20; made += 1) {
      await subscribe(me.ctx, { scope: 'stack', stackName: 'web', url: HOOK_URL });
    }
    assert.equal(
      (await refused(subscribe(me.ctx, { scope: 'stack', stackName: 'web', url: HOOK_URL })))?.code,
      'limit_exceeded',
    );
    await subscribe(me.ctx, { orgId, url: HOOK_URL });
  });
});
