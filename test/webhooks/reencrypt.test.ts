import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reencryptSigningKeys } from '../../src/accounts/auth/signing-keys.ts';
import { reencryptFeeds } from '../../src/accounts/feed-secret.ts';
import { createFeedToken, PRIVATE_FEED, readFeedToken } from '../../src/accounts/following/feed-token.ts';
import type { Context } from '../../src/context.ts';
import { reencryptKeys, signingKeys } from '../../src/webhooks/keys.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { rotateKey } from '../../src/webhooks/subscriptions/rotate.ts';
import { signIn, signUp } from '../support/accounts.ts';
import { forEachEngine, SECRET } from '../support/engines.ts';
import { runCommands } from '../support/registry-process.ts';
import { startService } from '../support/service.ts';
import { asAccount, newAccount, openWorld, SLACK_URL, storedRow, subscribe } from './fixture.ts';

function keyIdOf(jwt: string): unknown {
  return JSON.parse(Buffer.from(jwt.split('.', 1)[0] ?? '', 'base64url').toString()).kid;
}

const NEW = 'ab'.repeat(32);

forEachEngine('registry migrate --reencrypt', (engine) => {
  it('moves every stored secret to the new one, once, and tells of what it cannot read', async () => {
    const database = await engine.openTestDatabase();
    const clock = () => new Date();
    const { ctx, app, org } = await openWorld(engine, { database, clock });
    const me = await newAccount(ctx);
    const { id, signingKey } = await subscribe(me.ctx, { orgId: org.id });
    await subscribe(me.ctx, { orgId: org.id, format: 'slack', url: SLACK_URL });
    const rotated = await rotateKey(me.ctx, { id, owner: accountOwner(me.ctx) });
    const feed = await createFeedToken(me.ctx);
    const signedIn = await signUp(await startService(app));
    const { accessToken } = await signedIn.oauth();
    await app.close();

    const reencrypt = { args: ['migrate', '--reencrypt', '--json'], env: { REGISTRY_SECRET: NEW } };
    const [blind, moved] = await runCommands(
      [reencrypt, { ...reencrypt, env: { ...reencrypt.env, REGISTRY_SECRET_PREVIOUS: SECRET } }],
      database,
    );
    assert.ok(blind && moved);
    assert.deepEqual([blind.code, JSON.parse(blind.stdout).unreadable], [1, 4]);
    assert.match(blind.stderr, /4 stored secrets .*REGISTRY_SECRET_PREVIOUS/);
    assert.deepEqual([moved.code, JSON.parse(moved.stdout)], [0, { applied: [], reencrypted: 4, unreadable: 0 }]);

    const after = await engine.openTestApp({ database, clock, env: { REGISTRY_SECRET: NEW } });
    const reencryptFeedTokens = (ctx: Context) => reencryptFeeds(ctx, PRIVATE_FEED);
    for (const again of [reencryptKeys, reencryptFeedTokens, reencryptSigningKeys]) {
      assert.deepEqual(await again(after.ctx), { moved: 0, unreadable: 0 });
    }
    const keys = signingKeys(after.ctx, await storedRow(after.ctx, id), clock());
    const hex = (key: Uint8Array | null | undefined) => Buffer.from(key ?? []).toString('hex');
    assert.deepEqual([hex(keys?.current), hex(keys?.previous)], [rotated.signingKey, signingKey]);
    const { token } = await readFeedToken(asAccount(after.ctx, me.userId));
    assert.equal(token?.feedUrl, feed.feedUrl);
    const service = await startService(after);
    assert.equal((await service.as(accessToken).get('/v1/me')).status, 200);
    const again = await signIn(service, signedIn.email);
    assert.equal(keyIdOf((await again.oauth()).accessToken), keyIdOf(accessToken), 'the same key signs on');
  });
});
