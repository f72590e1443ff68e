// What webhooks are to the operator, over a real socket.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { assertRefused } from '../support/refused.ts';
import { HOOK_URL, SLACK_URL } from './fixture.ts';
import { openRoutes } from './route-world.ts';

forEachEngine('webhook routes give the operator', (engine) => {
  const setUp = openRoutes(engine, []);
  async function asOperator() {
    const { service, create, org } = await setUp();
    const { root } = service;
    const made = await root.post('/v1/webhooks', { url: HOOK_URL, orgId: org.id });
    const theirs = async () => `/v1/webhooks/${(await create({ format: 'slack', url: SLACK_URL })).id}`;
    return { root, org, made, path: `/v1/webhooks/${made.body.id}`, theirs };
  }

  it('a webhook with its key, and its address as it is', async () => {
    const { root, made, path } = await asOperator();
    assert.equal(made.status, 201);
    assert.match(made.body.signingKey, /^[0-9a-f]{64}$/);
    assert.equal((await root.get(path)).body.url, HOOK_URL);
  });

  it('those of accounts, listed without the secret in their address', async () => {
    const { root, org, theirs } = await asOperator();
    assert.equal((await root.get(await theirs())).body.url, 'hooks.slack.com');
    const listed = await root.get(`/v1/webhooks?org=${org.slug}&owner=user&limit=1`);
    assert.deepEqual([listed.body.subscriptions.length, listed.body.pagination.pageSize], [1, 1]);
    assert.ok(!JSON.stringify((await root.get('/v1/webhooks')).body).includes('/services/'));
  });

  it('those of accounts keep their key and their address', async () => {
    const { root, theirs } = await asOperator();
    const path = await theirs();
    assertRefused('403 forbidden', [await root.post(`${path}/rotate-secret`)]);
    assertRefused('400 bad_request', [await root.patch(path, { url: HOOK_URL })]);
  });

  it('a paused webhook replays nothing until it is on again', async () => {
    const { root, path } = await asOperator();
    assert.equal((await root.patch(path, { enabled: false })).body.disabledReason, 'paused by owner');
    assertRefused('409 conflict', [await root.post(`${path}/replay`, { since: '1d' })]);
    assert.equal((await root.patch(path, { enabled: true })).status, 200);
    assert.equal((await root.post(`${path}/replay`, { since: '90d' })).status, 202);
  });

  it('a second key', async () => {
    const { root, path } = await asOperator();
    assert.equal((await root.post(`${path}/rotate-secret`)).body.secretVersion, 2);
  });

  it('tests without a limit, which are no deliveries', async () => {
    const { root, path } = await asOperator();
    for (let call = 0; call < 7; call += 1) assert.equal((await root.post(`${path}/test`)).status, 200);
    assert.equal((await root.get(`${path}/deliveries`)).body.rows, 0);
  });

  it('what could not be delivered, and where the events are', async () => {
    const { root } = await asOperator();
    assert.deepEqual((await root.get('/v1/webhooks/dlq')).body.items, []);
    assert.equal(typeof (await root.get('/v1/webhooks/events?since=0&limit=1')).body.head, 'number');
  });

  it('what is not there', async () => {
    const { root, path } = await asOperator();
    assertRefused('404 not_found', [
      await root.get('/v1/webhooks/whk_x'),
      await root.post(`${path}/deliveries/dlv_x/replay`),
      await root.post('/v1/webhooks/dlq/dlv_x/replay'),
      await root.delete('/v1/webhooks/dlq/dlv_x'),
    ]);
  });

  it('deleting, also twice', async () => {
    const { root, path } = await asOperator();
    assert.equal((await root.delete(path)).status, 204);
    assert.equal((await root.delete(path)).status, 204);
  });
});
