// The outcome of one attempt, row by row, with a receiver on a real socket.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { it, type TestContext } from 'node:test';
import { createLog } from '../../src/cli/log.ts';
import { transact } from '../../src/context.ts';
import { makeCertificate } from '../../src/net/certificate.fixture.ts';
import { createFetch } from '../../src/net/fetch.ts';
import { closedPort, dialLoopback, fixedLookup, serveTls } from '../../src/net/loopback.fixture.ts';
import type { Lookup } from '../../src/net/resolve.ts';
import { deleteRelease } from '../../src/releases/write/delete.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { sendTest } from '../../src/webhooks/test-event.ts';
import { forEachEngine } from '../support/engines.ts';
import type { Answer } from '../support/outside-world.ts';
import { attemptsOf, deliveriesOf, openDelivering, publish, send, subscribeTo } from './delivery-fixture.ts';
import { setRow, storedRow } from './fixture.ts';

type Row = [answer: Answer, outcome: string, status: number, code: string | null, message: string];

const ROWS: Row[] = [
  [{ status: 200, body: 'thanks' }, 'success', 200, null, ''],
  [{ status: 204 }, 'success', 204, null, ''],
  [{ status: 408, body: 'slow' }, 'retry', 408, 'http_408', 'slow'],
  [{ status: 425 }, 'retry', 425, 'http_425', ''],
  [{ status: 429 }, 'retry', 429, 'http_429', ''],
  [{ status: 500, body: 'oops\u0000\n' }, 'retry', 500, 'http_5xx', 'oops'],
  [{ status: 503, body: `token relu_${'k'.repeat(64)} bad` }, 'retry', 503, 'http_5xx', `token ${' '.repeat(69)} bad`],
  [{ status: 500, body: 'x'.repeat(100_000) }, 'retry', 500, 'http_5xx', 'x'.repeat(200)],
  [{ reset: true }, 'retry', 0, 'connection_reset', 'ECONNRESET'],
  [{ status: 302, headers: { location: '/elsewhere' } }, 'perm_fail', 302, 'redirect', 'redirect not followed'],
  [{ status: 308, headers: { location: '/elsewhere' } }, 'perm_fail', 308, 'redirect', 'redirect not followed'],
  [{ status: 404, body: 'nobody here' }, 'perm_fail', 404, 'http_4xx', 'nobody here'],
  [{ status: 401 }, 'perm_fail', 401, 'http_4xx', ''],
];

forEachEngine('one attempt', (engine) => {
  it('every answer of a receiver', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    const ids: string[] = [];
    for (const [index, [answer]] of ROWS.entries()) {
      world.route(`/${index}`, answer);
      ids.push(await subscribeTo(delivering, `/${index}`));
    }

    await publish(delivering);
    await send(delivering);

    for (const [index, [, outcome, status, code, message]] of ROWS.entries()) {
      const [row, ...more] = await attemptsOf(ctx, ids[index] ?? '');
      assert.deepEqual(
        [row?.outcome, row?.http_status, row?.error_code, row?.error_message, more.length],
        [outcome, status, code, message, 0],
        `answer ${index}`,
      );
      const [delivery] = await deliveriesOf(ctx, ids[index] ?? '');
      const again = outcome === 'retry';
      assert.deepEqual(
        [delivery?.state, delivery?.attempt, delivery?.lease_until, delivery?.due_at === row?.next_attempt_at],
        [again ? 'pending' : 'done', again ? 2 : 1, null, again],
      );
      assert.deepEqual(
        [row?.attempt, row?.format, row?.replay, row?.created_at],
        [1, 'json', 0, ctx.clock().toISOString()],
      );
    }
    assert.equal(world.requested('/elsewhere').length, 0, 'redirects are not followed');
    const [seen] = world.requested('/0');
    assert.deepEqual(
      [seen?.method, seen?.headers['user-agent'], seen?.headers['accept-encoding'], seen?.headers['content-type']],
      ['POST', 'registry-webhooks/1', 'identity', 'application/json'],
    );
    const event = await ctx.store.read.selectFrom('events').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([seen?.body, seen?.headers['x-service-event-id']], [event.payload, event.id]);
  });

  it('messages of the other formats arrive, and what their address hides stays out of the log', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    const refusal = { status: 400, body: 'no such token: hidden-token' };
    const ids: string[] = [];
    for (const format of ['text', 'teams', 'google_chat'] as const) {
      world.route(`/${format}`, format === 'text' ? { status: 200 } : refusal);
      const id = await subscribeTo(delivering, `/${format}?token=hidden-token`);
      const keyless = { signing_key: null, secret_version: 0 };
      await setRow(ctx, id, { format, ...(format === 'text' ? {} : keyless) });
      ids.push(id);
    }

    await publish(delivering);
    await send(delivering);

    const { payload } = await ctx.store.read.selectFrom('events').selectAll().executeTakeFirstOrThrow();
    const { title, webUrl } = JSON.parse(payload).release;
    const [[text], [teams], [chat]] = [
      world.requested('/text'),
      world.requested('/teams'),
      world.requested('/google_chat'),
    ];
    assert.match(String(text?.headers['x-title']), new RegExp(`: ${title}`));
    assert.deepEqual([text?.headers['content-type'], text?.headers['x-click']], ['text/plain; charset=utf-8', webUrl]);
    assert.ok(text?.body.endsWith(`${webUrl}\n`) && text.headers['webhook-signature'], 'signed text with its link');
    assert.equal(JSON.parse(teams?.body ?? '').attachments[0].content.actions[0].url, webUrl);
    assert.ok(JSON.parse(chat?.body ?? '').text.includes(title));
    assert.ok(!teams?.headers['webhook-signature'] && !chat?.headers['webhook-signature']);
    for (const id of ids.slice(1)) {
      const [row] = await attemptsOf(ctx, id);
      assert.deepEqual([row?.outcome, row?.error_message], ['perm_fail', 'no such token:']);
    }
  });

  it('410 also disables, and leaves a row of its own', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    world.route('/gone', { status: 410, body: 'moved away' });
    const id = await subscribeTo(delivering, '/gone');
    await publish(delivering, 3);

    await send(delivering);

    const rows = await attemptsOf(ctx, id);
    const of = (outcome: string) => rows.filter((row) => row.outcome === outcome);
    assert.deepEqual(
      of('perm_fail').map((row) => [row.http_status, row.error_code, row.error_message]),
      [[410, 'gone', 'moved away']],
    );
    assert.deepEqual(
      of('auto_disabled').map((row) => [row.http_status, row.error_code, row.error_message, row.latency_ms]),
      [[0, 'gone', 'auto-disabled: endpoint answered 410 Gone', 0]],
    );
    assert.deepEqual(
      of('skipped').map((row) => [row.http_status, row.error_code, row.error_message, row.latency_ms]),
      [1, 2].map(() => [0, null, 'disabled', 0]),
    );
    const row = await storedRow(ctx, id);
    assert.deepEqual([row.enabled, row.disabled_reason], [0, 'auto-disabled: endpoint answered 410 Gone']);
    assert.equal(world.requests.length, 1);
  });

  it('a release that is no longer public is not sent', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering);
    const { release_id } = await ctx.store.read.selectFrom('events').select('release_id').executeTakeFirstOrThrow();
    await deleteRelease(ctx, { id: release_id });

    await send(delivering);

    const rows = await attemptsOf(ctx, id);
    assert.deepEqual(
      rows.map((row) => [row.outcome, row.http_status, row.error_message]),
      [['skipped', 0, 'release_withdrawn']],
    );
    assert.equal(world.requests.length, 0);
  });

  it('a test is one attempt, however it ends, and no counter moves', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    for (const [status, outcome, code] of [
      [200, 'success', null],
      [503, 'perm_fail', 'http_5xx'],
      [410, 'perm_fail', 'gone'],
    ] as const) {
      world.route(`/${status}`, { status });
      const id = await subscribeTo(delivering, `/${status}`);
      const before = await storedRow(ctx, id);
      await sendTest(ctx, { id, owner: 'operator' });

      await send(delivering);

      const rows = await attemptsOf(ctx, id);
      assert.deepEqual(
        rows.map((row) => [row.outcome, row.error_code, row.next_attempt_at]),
        [[outcome, code, null]],
      );
      const after = await storedRow(ctx, id);
      const kept = (row: typeof after) => ({ ...row, claimed_at: '', window_started_at: '', window_claims: 0 });
      assert.deepEqual(kept(after), kept(before));
    }
  });

  it('an address that is refused: not a byte leaves', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering);
    await setRow(ctx, id, { url: 'https://169.254.169.254/latest', target: '169.254.169.254:443' });

    await send(delivering);

    const [row] = await attemptsOf(ctx, id);
    assert.deepEqual(
      [row?.outcome, row?.http_status, row?.error_code, row?.error_message, row?.latency_ms],
      ['perm_fail', 0, 'ssrf_blocked', 'private_address', 0],
    );
    assert.equal(world.requests.length, 0);
  });

  it('a name that turns private between two attempts: not a byte leaves', async (t) => {
    const certificate = makeCertificate(['hooks.example']);
    const { port, seen } = await serveTls(t, certificate, (_, response) => response.writeHead(500).end());
    const { dial, dialled } = dialLoopback(port);
    let address = '93.184.216.34';
    const lookup: Lookup = async (_, family) => (family === 4 ? [address] : []);
    const fetch = createFetch({ userAgent: 'test', lookup, dial, ca: certificate.cert });
    const delivering = await openDelivering(t, engine, { fetch, lookup });
    const { ctx, clock } = delivering;
    const id = await subscribeTo(delivering, '/', { url: 'https://hooks.example/' });
    await publish(delivering);
    await send(delivering);
    assert.equal(seen.length, 1);

    address = '10.0.0.7';
    clock.move(60_000);
    await send(delivering);

    const rows = await attemptsOf(ctx, id);
    assert.deepEqual(
      rows.map((row) => [row.outcome, row.error_code, row.error_message]),
      [
        ['retry', 'http_5xx', ''],
        ['perm_fail', 'ssrf_blocked', 'private_address'],
      ],
    );
    assert.deepEqual([seen.length, dialled], [1, ['93.184.216.34 443']]);
  });

  it('faults of the network', async (t) => {
    const certificate = makeCertificate(['other.example']);
    const { port } = await serveTls(t, certificate, (_, response) => response.end());
    const lookup = fixedLookup({ 'wrong-name.example': ['127.0.0.1'] });
    const fetch = createFetch({ userAgent: 'test', lookup, allow: ['127.0.0.1'], ca: certificate.cert });
    const delivering = await openDelivering(t, engine, { fetch, lookup });
    const cases = {
      connection_refused: `http://127.0.0.1:${await closedPort()}/`,
      dns_error: 'https://nobody.example/',
      tls_error: `https://wrong-name.example:${port}/`,
      network: await notHttp(t),
    };
    const ids = new Map<string, string>();
    for (const [code, url] of Object.entries(cases)) ids.set(code, await subscribeTo(delivering, '', { url }));
    await publish(delivering);

    await send(delivering);

    for (const [code, id] of ids) {
      const [row] = await attemptsOf(delivering.ctx, id);
      assert.deepEqual([row?.outcome, row?.http_status, row?.error_code], ['retry', 0, code]);
      assert.ok(row?.error_message, code);
    }
  });

  it('a key that cannot be read uses up no attempt', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world, clock } = delivering;
    world.route('/hook', { status: 204 });
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering);
    const { signing_key } = await storedRow(ctx, id);
    await setRow(ctx, id, { signing_key: 'x'.repeat(80) });

    await send(delivering);
    assert.deepEqual([(await attemptsOf(ctx, id)).length, world.requests.length], [0, 0]);

    await setRow(ctx, id, { signing_key });
    clock.move(60_000);
    await send(delivering);
    assert.deepEqual(
      (await attemptsOf(ctx, id)).map((row) => [row.outcome, row.attempt]),
      [['success', 1]],
    );
  });

  for (const [name, secrets] of [
    ['another', { current: Buffer.alloc(32, 7), previous: [] }],
    ['no', null],
  ] as const) {
    it(`with ${name} secret signed deliveries wait, without a word of the key, and others go on`, async (t) => {
      const lines: string[] = [];
      const log = createLog('debug', (line) => lines.push(line));
      const delivering = await openDelivering(t, engine, { log });
      const { ctx, world, clock, orgId } = delivering;
      world.route('/hook', { status: 204 });
      world.route('/chat', { status: 204 });
      const { id, signingKey, standardSecret } = await createSubscription(ctx, {
        owner: 'operator',
        input: { orgId, url: `${world.url}/hook` },
      });
      const chat = await subscribeTo(delivering, '/chat');
      await setRow(ctx, chat, { format: 'slack', signing_key: null, secret_version: 0 });
      await publish(delivering, 20);
      const { signing_key: sealed } = await storedRow(ctx, id);

      await send({ ...delivering, ctx: { ...ctx, secrets } });

      assert.deepEqual([world.requested('/hook').length, world.requested('/chat').length], [0, 20]);
      const complaints = lines.filter((line) => line.includes('could not be attempted'));
      assert.equal(complaints.length, 1, 'one look tells enough about all that waits');
      for (const secret of [signingKey, standardSecret, sealed]) {
        assert.ok(secret && !lines.join('').includes(secret));
      }

      clock.move(60_000);
      await send(delivering);

      assert.equal(world.requested('/hook').length, 20);
      const rows = await attemptsOf(ctx, id);
      assert.deepEqual(new Set(rows.map((row) => `${row.outcome} ${row.attempt}`)), new Set(['success 1']));
    });
  }

  it('a subscription that is deleted while its attempt runs leaves nothing', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    const id = await subscribeTo(delivering, '/hook');
    world.route('/hook', async () => {
      await transact(ctx, ({ tx }) => tx.deleteFrom('webhook_subscriptions').where('id', '=', id).execute());
      return { status: 204 };
    });
    await publish(delivering);

    await send(delivering);

    assert.deepEqual([(await attemptsOf(ctx, id)).length, (await deliveriesOf(ctx, id)).length], [0, 0]);
    assert.equal(world.requests.length, 1);
  });
});

// A server that does not answer in HTTP.
async function notHttp(t: TestContext): Promise<string> {
  const server = createServer();
  server.on('connection', (socket) => socket.end('SSH-2.0-x\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}
