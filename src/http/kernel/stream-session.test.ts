import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { openStream } from '../../../test/webhooks/stream-client.ts';
import { createFakeTimers } from '../../net/fake-timers.fixture.ts';
import { streamStart } from '../../webhooks/stream/events.ts';
import { createEventHub } from '../../webhooks/stream/hub.ts';
import { openSession, type StreamSession } from './stream.ts';

const ALL = { orgId: null, productId: null, sourceId: null, type: null, meaning: {} };
const LOOK_MS = 400;

// Opens a session for every connection, with a fake clock.
async function serve(t: TestContext, engine: TestEngine) {
  const { ctx } = await engine.openTestApp();
  const timers = createFakeTimers();
  const hub = createEventHub(ctx, { timers });
  const sessions: { session: StreamSession; response: ServerResponse }[] = [];
  const server = createServer(async (_, response) => {
    const start = await streamStart(ctx, {});
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    sessions.push({ session: openSession({ ctx, hub, timers, response, scope: ALL, start }), response });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { ctx, timers, sessions, port, url: `http://127.0.0.1:${port}/` };
}

forEachEngine('a stream session', (engine) => {
  it('breaks every silence of 15 seconds, and no shorter one', async (t) => {
    const { ctx, timers, url } = await serve(t, engine);
    const { id } = await createSource(ctx);
    const reader = await openStream(url);
    await reader.until((frames) => frames.length === 1);
    const comments = () => reader.other.filter((text) => text === ': keep-alive').length;
    await timers.set(LOOK_MS);

    timers.advance(14_999);
    await timers.set(LOOK_MS);
    assert.equal(comments(), 0);
    timers.advance(1);
    while (comments() < 1) await breathe();

    await postReleases(ctx, id, [releaseRow('1.0.0')]);
    timers.advance(10_000);
    await reader.until((frames) => frames.length === 2);
    await timers.set(LOOK_MS);
    timers.advance(14_999);
    await timers.set(LOOK_MS);
    assert.equal(comments(), 1, 'an event broke the silence');
    timers.advance(1);
    while (comments() < 2) await breathe();
    reader.close();
  });

  it('ends after an hour with a goodbye', async (t) => {
    const { timers, url } = await serve(t, engine);
    const reader = await openStream(url);
    await reader.until((frames) => frames.length === 1);
    await timers.set(LOOK_MS);
    timers.advance(3_599_999);
    await breathe();
    assert.equal(reader.frames.length, 1);

    timers.advance(1);
    await reader.ended;

    assert.deepEqual(reader.frames[1], { event: 'bye', id: null, data: { reason: 'max_age' } });
    await timers.unset(LOOK_MS);
  });

  it('cuts off a reader that lets more than a megabyte pile up', async (t) => {
    const { ctx, timers, port, sessions } = await serve(t, engine);
    const { id } = await createSource(ctx);
    const socket = connect(port, '127.0.0.1');
    // The client sends its request and reads nothing.
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    t.after(() => socket.destroy());
    while (sessions.length === 0) await breathe();
    const { response } = sessions[0] ?? assert.fail();
    await timers.set(LOOK_MS);
    const summary = 'x'.repeat(15_000);
    let most = 0;
    for (let batch = 0; batch < 20 && !response.destroyed; batch += 1) {
      const rows = Array.from({ length: 80 }, (_, index) => releaseRow(`${batch}.${index}.0`, { summary }));
      await postReleases(ctx, id, rows);
      most = Math.max(most, response.writableLength);
      timers.advance(LOOK_MS);
      while (!response.destroyed && response.writableLength === most) await breathe();
    }
    assert.ok(response.destroyed);
  });
});
