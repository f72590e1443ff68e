// Tools for the account of a caller: listed to all, refused with advice, and run with the rights of the credential.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { connectModern, type McpWorld, makeMcpWorld } from '../support/mcp.ts';
import { type Service, startService } from '../support/service.ts';

const PERSONAL = TOOLS.filter(({ account }) => account !== undefined);
const ARGUMENTS: Record<string, object> = {
  follow: { org: 'quarry' },
  unfollow: { org: 'quarry' },
  list_follows: {},
  my_feed: {},
  stack_report: { name: 'web' },
};

forEachEngine('MCP tools of an account', (engine) => {
  let app: App;
  let service: Service;
  let world: McpWorld;
  let account: Account;

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    world = await makeMcpWorld(as(app.ctx, 'admin'), 'quarry');
    service = await startService(app);
    account = await signUp(service);
  });

  const connect = (token?: string) => connectModern(service.url, token ? { Authorization: `Bearer ${token}` } : {});
  const argumentsOf = (name: string) => ARGUMENTS[name] as Record<string, unknown>;

  it('without an account every one of them says how to sign in', async () => {
    const client = await connect();
    assert.equal((await client.listTools()).length, TOOLS.length);
    for (const { name } of PERSONAL) {
      const answer = await client.call(name, argumentsOf(name));
      assert.equal(answer.isError, true, name);
      assert.match(answer.text, /needs an account of the registry\. Sign in: .*OAuth.*REGISTRY_API_KEY/);
    }
    // The credential of an operator is no account.
    const operator = await connect(ROOT_KEY);
    assert.equal((await operator.call('list_follows')).isError, true);
  });

  it('follows, lists, reads the feed and no longer follows', async () => {
    const client = await connect((await account.key()).value);
    const followed = await client.call('follow', { org: world.org });
    assert.deepEqual([followed.isError, followed.structured?.following], [false, true], followed.text);
    assert.equal((await client.call('follow', { product: world.product })).structured.targetType, 'product');
    const listed = await client.call('list_follows');
    assert.deepEqual(listed.structured.follows.map(({ use }: { use: string }) => use).sort(), [
      world.org,
      world.product,
    ]);
    const feed = await client.call('my_feed', { limit: 5 });
    assert.equal(feed.structured.releases.length, 5);
    const next = await client.call('my_feed', feed.structured.truncation.next);
    assert.notEqual(next.structured.releases[0].id, feed.structured.releases[0].id);
    assert.equal((await client.call('unfollow', { org: world.domain })).structured.following, false);
    assert.equal((await client.call('list_follows')).structured.follows.length, 1);
    assert.match((await client.call('follow', {})).text, /give one of org, product and package/);
    assert.match((await client.call('follow', { org: 'nobody-here' })).text, /^Error: /);
  });

  it('stack_report gives the packages of a stack by risk', async () => {
    const key = (await account.key()).value;
    const client = await connect(key);
    assert.match((await client.call('stack_report')).text, /the account has no stack/);
    const packages = [{ ecosystem: 'npm', package: 'nobody-knows', version: '1.0.0' }];
    const made = await account.session.put('/v1/me/stacks/web', { packages });
    assert.ok(made.status < 300, made.text);
    const answer = await client.call('stack_report');
    assert.equal(answer.isError, false, answer.text);
    assert.deepEqual([answer.structured.name, answer.structured.packages[0].package], ['web', 'nobody-knows']);
    const missing = await client.call('stack_report', { name: 'other' });
    assert.deepEqual([missing.isError, /needs an account/.test(missing.text)], [true, false]);
  });

  it('an app reads with `read`, and changes only with `account`', async () => {
    const reader = await connect((await account.oauth('openid read')).accessToken);
    assert.equal((await reader.call('list_follows')).isError, false);
    const refused = await reader.call('follow', { org: world.org });
    assert.deepEqual([refused.isError, /OAuth scope `account`/.test(refused.text)], [true, true], refused.text);
    const writer = await connect((await account.oauth('openid read account')).accessToken);
    assert.equal((await writer.call('follow', { org: world.org })).structured?.following, true);
  });
});
