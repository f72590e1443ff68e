import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createFakeTimers, turn } from './fake-timers.fixture.ts';
import { closedPort, dialLoopback, fixedLookup, openFetch, serve, serveRaw } from './loopback.fixture.ts';
import type { FetchResult } from './result.ts';

function outcome(result: FetchResult): unknown[] {
  return result.ok ? [result.status, result.requests] : [result.failure, result.code, result.requests];
}

// Never connects and never fails.
const deadEnd = () => new Socket();

describe('time limits', () => {
  it('no connection within 5 seconds', async () => {
    const timers = createFakeTimers();
    const fetched = openFetch({ timers, dial: deadEnd })({ url: 'http://127.0.0.1:9/', retry: false });
    await timers.set(5_000);
    timers.advance(5_000);
    assert.deepEqual(outcome(await fetched), ['timeout', 'connect', 1]);
  });

  it('the time to connect is shared by all addresses', async () => {
    const timers = createFakeTimers();
    const lookup = fixedLookup({ 'many.example': ['93.184.216.1', '93.184.216.2', '2606:4700::1'] });
    const dialled: string[] = [];
    const dial = (address: string) => {
      dialled.push(address);
      return new Socket();
    };
    const fetched = openFetch({ timers, dial, lookup })({ url: 'http://many.example/', retry: false });
    for (const ms of [1_500, 1_500, 2_000]) {
      await timers.set(ms);
      timers.advance(ms);
    }
    assert.deepEqual(outcome(await fetched), ['timeout', 'connect', 1]);
    assert.deepEqual(dialled, ['93.184.216.1', '2606:4700::1', '93.184.216.2']);
  });

  it('a server that never speaks TLS', async (t) => {
    const timers = createFakeTimers();
    const { port } = await serveRaw(t, () => {});
    const fetched = openFetch({ timers })({ url: `https://127.0.0.1:${port}/`, retry: false });
    await timers.set(5_000);
    await turn();
    timers.advance(5_000);
    assert.deepEqual(outcome(await fetched), ['timeout', 'connect', 1]);
  });

  it('no answer within 10 seconds', async (t) => {
    const timers = createFakeTimers();
    const { origin } = await serve(t, () => {});
    const fetched = openFetch({ timers })({ url: origin });
    await timers.set(10_000);
    timers.advance(10_000);
    assert.deepEqual(outcome(await fetched), ['timeout', 'first_byte', 1]);
  });

  it('headers that drip count as no answer', async (t) => {
    const timers = createFakeTimers();
    const { origin } = await serveRaw(t, (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nX-Slow: '));
    });
    const fetched = openFetch({ timers })({ url: origin });
    await timers.set(10_000);
    timers.advance(10_000);
    assert.deepEqual(outcome(await fetched), ['timeout', 'first_byte', 1]);
  });

  it('a body that drips ends after 20 seconds', async (t) => {
    const timers = createFakeTimers();
    const { origin } = await serve(t, (_, response) => response.writeHead(200).write('slow'));
    const fetched = openFetch({ timers })({ url: origin });
    await timers.set(10_000);
    timers.advance(9_999);
    // Once the first limit is gone, the headers have come.
    await timers.unset(1);
    timers.advance(10_001);
    const result = await fetched;
    assert.deepEqual(outcome(result), ['timeout', 'total', 1]);
    assert.ok(!result.ok && result.status === 200);
    assert.equal(result.detail, 'not finished within 20 s');
  });

  it('the total is one for all hops', async (t) => {
    const timers = createFakeTimers();
    const hanging = Promise.withResolvers<void>();
    const { origin } = await serve(t, (request, response) => {
      if (request.url === '/next') return hanging.resolve();
      timers.advance(7_000);
      response.writeHead(302, { location: '/next' }).end();
    });
    const fetched = openFetch({ timers })({ url: origin, limits: { totalMs: 11_000 } });
    await hanging.promise;
    timers.advance(4_000);
    assert.deepEqual(outcome(await fetched), ['timeout', 'total', 2]);
  });

  it('the total holds while connecting, too', async () => {
    const timers = createFakeTimers();
    const fetched = openFetch({ timers, dial: deadEnd })({ url: 'http://127.0.0.1:9/', limits: { totalMs: 3_000 } });
    await timers.set(3_000);
    timers.advance(3_000);
    assert.deepEqual(outcome(await fetched), ['timeout', 'total', 1]);
  });
});

describe('one retry after 2 seconds', () => {
  const failures: [name: string, first: (request: IncomingMessage, response: ServerResponse) => unknown][] = [
    ['502', (_, response) => response.writeHead(502).end('bad')],
    ['503', (_, response) => response.writeHead(503).end()],
    ['504', (_, response) => response.writeHead(504).end()],
    ['503 with a malformed Retry-After', (_, response) => response.writeHead(503, { 'retry-after': 'later' }).end()],
    ['a reset before the answer', (request) => request.socket.resetAndDestroy()],
    ['a reset in the body', (request, response) => response.write('x', () => request.socket.resetAndDestroy())],
  ];
  for (const [name, first] of failures) {
    it(`${name}, then 200`, async (t) => {
      const timers = createFakeTimers();
      let requests = 0;
      const { origin } = await serve(t, (request, response) => {
        requests += 1;
        if (requests === 1) first(request, response);
        else response.end('ok');
      });
      const fetched = openFetch({ timers })({ url: origin });
      await timers.set(2_000);
      assert.equal(requests, 1);
      timers.advance(2_000);
      const result = await fetched;
      assert.deepEqual(outcome(result), [200, 2]);
    });
  }

  it('a timeout to connect', async (t) => {
    const timers = createFakeTimers();
    const { origin, port } = await serve(t, (_, response) => response.end('ok'));
    const { dial } = dialLoopback(port);
    const sockets = [deadEnd()];
    const fetched = openFetch({ timers, dial: (...where) => sockets.pop() ?? dial(...where) })({ url: origin });
    await timers.set(5_000);
    timers.advance(5_000);
    await timers.set(2_000);
    timers.advance(2_000);
    assert.deepEqual(outcome(await fetched), [200, 2]);
  });

  it('only one', async (t) => {
    const timers = createFakeTimers();
    const { origin } = await serve(t, (_, response) => response.writeHead(502).end());
    const fetched = openFetch({ timers })({ url: origin });
    await timers.set(2_000);
    timers.advance(2_000);
    assert.deepEqual(outcome(await fetched), [502, 2]);
  });

  const final: [name: string, status: number, headers: Record<string, string>, method: 'GET' | 'POST'][] = [
    ['500', 500, {}, 'GET'],
    ['429', 429, {}, 'GET'],
    ['503 with Retry-After', 503, { 'retry-after': '120' }, 'GET'],
    ['502 to a POST', 502, {}, 'POST'],
  ];
  for (const [name, status, headers, method] of final) {
    it(`none after ${name}`, async (t) => {
      const { origin } = await serve(t, (_, response) => response.writeHead(status, headers).end());
      assert.deepEqual(outcome(await openFetch()({ url: origin, method })), [status, 1]);
    });
  }

  it('none after a refused connection', async () => {
    const result = await openFetch()({ url: `http://127.0.0.1:${await closedPort()}/` });
    assert.deepEqual(outcome(result), ['unreachable', 'connection_refused', 1]);
  });

  it('none when the caller wants none', async (t) => {
    const { origin } = await serve(t, (_, response) => response.writeHead(502).end());
    assert.deepEqual(
      outcome(await openFetch({ rules: { retry: false } })({ url: origin, retry: undefined })),
      [502, 1],
    );
  });

  it('none when no time is left for it', async (t) => {
    const { origin } = await serve(t, (_, response) => response.writeHead(502).end());
    assert.deepEqual(outcome(await openFetch()({ url: origin, limits: { totalMs: 2_000 } })), [502, 1]);
  });
});

describe('the caller’s signal', () => {
  it('before anything is sent', async () => {
    const result = await openFetch()({ url: 'http://127.0.0.1:9/', signal: AbortSignal.abort() });
    assert.deepEqual(outcome(result), ['aborted', 'aborted', 0]);
  });

  it('while it connects', async () => {
    const controller = new AbortController();
    const timers = createFakeTimers();
    const fetched = openFetch({ timers, dial: deadEnd })({ url: 'http://127.0.0.1:9/', signal: controller.signal });
    await timers.set(5_000);
    controller.abort();
    assert.deepEqual(outcome(await fetched), ['aborted', 'aborted', 1]);
  });

  it('while it waits for the answer, and the connection ends', async (t) => {
    const controller = new AbortController();
    const { origin, seen } = await serve(t, (request) => {
      request.socket.once('close', () => closed.resolve());
      controller.abort();
    });
    const closed = Promise.withResolvers<void>();
    assert.deepEqual(outcome(await openFetch()({ url: origin, signal: controller.signal })), ['aborted', 'aborted', 1]);
    await closed.promise;
    assert.equal(seen.length, 1);
  });

  it('while it pauses before the retry', async (t) => {
    const controller = new AbortController();
    const timers = createFakeTimers();
    const { origin } = await serve(t, (_, response) => response.writeHead(502).end());
    const fetched = openFetch({ timers })({ url: origin, signal: controller.signal });
    await timers.set(2_000);
    controller.abort();
    assert.deepEqual(outcome(await fetched), ['aborted', 'aborted', 1]);
  });

  it('leaves no listener behind', async (t) => {
    const { signal } = new AbortController();
    const { origin } = await serve(t, (_, response) => response.end());
    await openFetch()({ url: origin, signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});
