import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFeedToken, readFeedToken } from '../../src/accounts/following/feed-token.ts';
import { reencryptFeedTokens } from '../../src/accounts/following/reencrypt-feed-tokens.ts';
import { signingKeys } from '../../src/webhooks/keys.ts';
import { reencryptKeys } from '../../src/webhooks/reencrypt-keys.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { rotateKey } from '../../src/webhooks/subscriptions/rotate.ts';
import { forEachEngine, SECRET } from '../support/engines.ts';
import { runRegistry } from '../support/registry-process.ts';
import { asAccount, newAccount, openWorld, SLACK_URL, storedRow, subscribe } from './fixture.ts';

const NEW = 'ab'.repeat(32);

forEachEngine('registry migrate --reencrypt', (engine) => {
  it('moves every stored secret to the new one, once, and tells of what it cannot read', async () => {
    const database = await engine.openTestDatabase();
    const { ctx, app, org, clock } = await openWorld(engine, { database });
    const me = await newAccount(ctx);
    const { id, signingKey } = await subscribe(me.ctx, { orgId: org.id });
    await subscribe(me.ctx, { orgId: org.id, format: 'slack', url: SLACK_URL });
    const rotated = await rotateKey(me.ctx, { id, owner: accountOwner(me.ctx) });
    const feed = await createFeedToken(me.ctx);
    await app.close();

    const run = (env: Record<string, string>) =>
      runRegistry(['migrate', '--reencrypt', '--json'], { ...database, ...env });
    const blind = await run({ REGISTRY_SECRET: NEW });
    assert.deepEqual([blind.code, JSON.parse(blind.stdout).unreadable], [1, 3]);
    assert.match(blind.stderr, /3 stored secrets .*REGISTRY_SECRET_PREVIOUS/);
    const moved = await run({ REGISTRY_SECRET: NEW, REGISTRY_SECRET_PREVIOUS: SECRET });
    assert.deepEqual([moved.code, JSON.parse(moved.stdout)], [0, { applied: [], reencrypted: 3, unreadable: 0 }]);

    const after = await engine.openTestApp({ database, clock, env: { REGISTRY_SECRET: NEW } });
    for (const again of [reencryptKeys, reencryptFeedTokens]) {
      assert.deepEqual(await again(after.ctx), { moved: 0, unreadable: 0 });
    }
    const keys = signingKeys(after.ctx, await storedRow(after.ctx, id), clock());
    const hex = (key: Uint8Array | null | undefined) => Buffer.from(key ?? []).toString('hex');
    assert.deepEqual([hex(keys?.current), hex(keys?.previous)], [rotated.signingKey, signingKey]);
    const { token } = await readFeedToken(asAccount(after.ctx, me.userId));
    assert.equal(token?.feedUrl, feed.feedUrl);
  });
});
