// The documentation for receivers is correct: its code accepts what the service signs, and its table matches the test
// vector.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createApiKey } from '../../src/accounts/api-keys/manage.ts';
import { shownKey, signatureHeaders } from '../../src/domain/webhooks/signature.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { openDelivering, publish, send } from './delivery-fixture.ts';
import { newAccount } from './fixture.ts';

const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const example = /```js\n(?<code>[\s\S]*?)```/.exec(page)?.groups?.code ?? '';

type IsGenuine = (key: string, headers: Record<string, string>, body: Uint8Array, now?: number) => boolean;
async function load(): Promise<IsGenuine> {
  const module = await import(`data:text/javascript,${encodeURIComponent(example)}`);
  return module.isGenuine;
}

function inTable(name: string): string {
  const row = page.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(name));
  return /`(?<value>[^`]+)` *\|$/.exec(row ?? '')?.groups?.value ?? '';
}

describe('the page for receivers', () => {
  const bytesFrom = (first: number) => Uint8Array.from({ length: 32 }, (_, index) => first + index);
  const message = { eventId: inTable('event id'), timestamp: Number(inTable('timestamp')), body: inTable('body') };

  it('holds the vector', () => {
    const keys = { current: bytesFrom(0), previous: bytesFrom(32) };
    const headers = signatureHeaders(message, keys);
    assert.equal(inTable('X-Service-Signature'), headers['X-Service-Signature']);
    assert.equal(`${inTable('`webhook-signature`')} ${inTable('previous key')}`, headers['webhook-signature']);
    assert.deepEqual(shownKey(keys.current), {
      signingKey: inTable('signingKey'),
      standardSecret: inTable('standardSecret'),
    });
  });

  it('has an example that accepts the vector, and nothing that was touched', async () => {
    const isGenuine = await load();
    const headers = {
      'x-service-timestamp': String(message.timestamp),
      'x-service-signature': inTable('X-Service-Signature'),
    };
    const at = message.timestamp * 1000;
    const call = (more: object = {}, body = message.body, now = at, key = inTable('signingKey')) =>
      isGenuine(key, { ...headers, ...more }, Buffer.from(body), now);
    assert.equal(call(), true);
    assert.equal(call({}, message.body, at + 300_000), true);
    const refusals = [
      call({}, `${message.body} `),
      call({}, message.body, at + 301_000),
      call({}, message.body, at - 301_000),
      call({}, message.body, at, 'ff'.repeat(32)),
      call({ 'x-service-timestamp': String(message.timestamp + 1) }),
      call({ 'x-service-timestamp': undefined }),
      call({ 'x-service-timestamp': 'NaN' }),
      call({ 'x-service-signature': undefined }),
      call({ 'x-service-signature': 'sha256=' }),
    ];
    assert.deepEqual(
      refusals,
      refusals.map(() => false),
    );
  });
});

describe('its example in Python', () => {
  const code = /```python\n(?<code>[\s\S]*?)```/.exec(page)?.groups?.code ?? '';
  const skip = spawnSync('python3', ['--version']).status === 0 ? false : 'no Python on this machine';

  it('accepts the vector, and nothing that was touched', { skip }, () => {
    const timestamp = Number(inTable('timestamp'));
    const genuine = {
      key: inTable('signingKey'),
      headers: {
        'x-service-timestamp': String(timestamp),
        'x-service-signature': inTable('X-Service-Signature'),
      } as Record<string, string>,
      body: inTable('body'),
      now: timestamp,
    };
    const { headers } = genuine;
    const cases = [
      genuine,
      { ...genuine, now: timestamp + 300 },
      { ...genuine, now: timestamp + 301 },
      { ...genuine, now: timestamp - 301 },
      { ...genuine, body: `${genuine.body} ` },
      { ...genuine, key: 'ff'.repeat(32) },
      { ...genuine, headers: {} },
      { ...genuine, headers: { ...headers, 'x-service-timestamp': `${timestamp + 1}` } },
      { ...genuine, headers: { ...headers, 'x-service-timestamp': 'soon' } },
      { ...genuine, headers: { ...headers, 'x-service-signature': 'é' } },
    ];
    const harness = `
import json, sys
for case in json.load(sys.stdin):
    print(is_genuine(case["key"], case["headers"], case["body"].encode(), case["now"]))`;
    const { stdout, stderr } = spawnSync('python3', ['-c', code + harness], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(stdout.trim().split('\n'), ['True', 'True', ...Array(8).fill('False')]);
  });
});

forEachEngine('what a receiver gets', (engine) => {
  it('satisfies the example of the page and an independent library, first time and replayed', async (t) => {
    const here = await openDelivering(t, engine, { clock: () => new Date() });
    const { ctx, world, orgId } = here;
    world.route('/in', { status: 204 });
    const service = await startService(here.app);
    const { userId } = await newAccount(ctx);
    const { key } = await createApiKey(ctx, { userId, name: 'test', expiresAt: null });
    const me = service.as(key);
    const made = await me.post('/v1/me/webhooks', { url: `${world.url}/in`, orgId });
    const path = `/v1/me/webhooks/${made.body.id}`;

    await me.post(`${path}/test`);
    await publish(here);
    await send(here);
    const { data } = (await me.get(`${path}/deliveries`)).body;
    const seqOf = ({ body }: { body: string }) => JSON.parse(body).seq as number;
    const event = world.requests.find((request) => seqOf(request) > 0);
    const live = data.find((row: { event_id: string }) => row.event_id === event?.headers['webhook-id']);
    const rotated = await me.post(`${path}/rotate-secret`);
    await me.post(`${path}/deliveries/${live.delivery_id}/replay`);
    await send(here);

    assert.deepEqual(
      (await me.get(`${path}/deliveries`)).body.data.map((row: { outcome: string }) => row.outcome),
      ['success', 'success', 'success'],
    );
    const test = world.requests.find((request) => seqOf(request) === 0);
    const [first, replayed] = world.requests.filter((request) => seqOf(request) > 0);
    assert.ok(test && first && replayed);
    assert.equal(JSON.parse(test.body).release.id, 'rel_synthetic');
    assert.deepEqual([first.headers['x-service-replay'], replayed.headers['x-service-replay']], [undefined, 'true']);
    assert.equal(replayed.body, first.body);
    const isGenuine = await load();
    const { signingKey, standardSecret } = made.body;
    for (const [request, current, known] of [
      [test, signingKey, [standardSecret]],
      [first, signingKey, [standardSecret]],
      [replayed, rotated.body.signingKey, [standardSecret, rotated.body.standardSecret]],
    ] as const) {
      const headers = request.headers as Record<string, string>;
      assert.equal(isGenuine(current, headers, Buffer.from(request.body)), true);
      for (const secret of known) {
        assert.deepEqual(new Webhook(secret).verify(request.body, headers), JSON.parse(request.body));
      }
    }
  });
});
