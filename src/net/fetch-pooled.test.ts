import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { makeCertificate } from './certificate.fixture.ts';
import { dialLoopback, openFetch, serve, serveRaw, serveTls } from './loopback.fixture.ts';
import type { Lookup } from './resolve.ts';

const POST = { method: 'POST', body: '{}' } as const;

async function counted(t: TestContext, listener: RequestListener) {
  const server = await serve(t, listener);
  const connections = () => new Set(server.seen.map((request) => request.socket)).size;
  return { ...server, connections };
}

// Gives one list of addresses after another; the last stays.
function changing(...answers: string[][]): Lookup {
  let requested = 0;
  return async (_, family) => {
    if (family === 6) return [];
    requested += 1;
    return answers[Math.min(requested, answers.length) - 1] ?? [];
  };
}

describe('a pooled connection', () => {
  for (const [name, listener] of [
    ['an answer with a body', (_, response) => void response.end('thanks')],
    ['an answer without one', (_, response) => void response.writeHead(204).end()],
    ['a packed body that is not read', (_, response) => void response.setHeader('content-encoding', 'gzip').end('x')],
  ] satisfies [string, RequestListener][]) {
    it(`carries the next request of the same caller after ${name}`, async (t) => {
      const { origin, seen, connections } = await counted(t, listener);
      const guardedFetch = openFetch({ rules: { codings: 'identity' } });
      for (let turn = 0; turn < 3; turn += 1)
        assert.ok((await guardedFetch({ url: origin, ...POST, poolKey: 'a' })).ok);
      assert.deepEqual([seen.length, connections()], [3, 1]);
    });
  }

  it('is used by no other caller, and without a pool key none is pooled', async (t) => {
    const { origin, connections } = await counted(t, (_, response) => response.end());
    const guardedFetch = openFetch();
    for (const poolKey of ['a', 'b', undefined, undefined, 'a']) await guardedFetch({ url: origin, ...POST, poolKey });
    assert.equal(connections(), 4);
  });

  it('works over TLS', async (t) => {
    const certificate = makeCertificate(['acme.dev'], ['127.0.0.1']);
    const { origin, seen } = await serveTls(t, certificate, (_, response) => response.end('safe'));
    const guardedFetch = openFetch({ ca: certificate.cert });
    for (let turn = 0; turn < 2; turn += 1) assert.ok((await guardedFetch({ url: origin, ...POST, poolKey: 'a' })).ok);
    assert.equal(new Set(seen.map((request) => request.socket)).size, 1);
  });

  it('is left out when the name no longer leads to its address', async (t) => {
    const { port, seen } = await serve(t, (_, response) => response.end());
    const { dial, dialled } = dialLoopback(port);
    const lookup = changing(['93.184.216.34'], ['93.184.216.34'], ['93.184.216.35']);
    const guardedFetch = openFetch({ allow: [], lookup, dial });
    for (let turn = 0; turn < 3; turn += 1) await guardedFetch({ url: 'http://acme.dev/', ...POST, poolKey: 'a' });
    assert.equal(seen.length, 3);
    assert.deepEqual(dialled, ['93.184.216.34 80', '93.184.216.35 80']);
  });

  it('does not carry a byte once the name turns private', async (t) => {
    const { port, seen } = await serve(t, (_, response) => response.end());
    const lookup = changing(['93.184.216.34'], ['127.0.0.1']);
    const guardedFetch = openFetch({ allow: [], lookup, dial: dialLoopback(port).dial });
    const url = 'http://acme.dev/';
    assert.ok((await guardedFetch({ url, ...POST, poolKey: 'a' })).ok);
    const result = await guardedFetch({ url, ...POST, poolKey: 'a' });
    assert.ok(!result.ok && result.code === 'private_address' && result.requests === 0);
    assert.equal(seen.length, 1);
  });

  it('that the other side has closed is replaced, and the request is not lost', async (t) => {
    let connections = 0;
    const { origin } = await serveRaw(t, (socket) => {
      connections += 1;
      // Promises to stay, and leaves.
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    });
    const guardedFetch = openFetch();
    for (let turn = 0; turn < 5; turn += 1) assert.ok((await guardedFetch({ url: origin, ...POST, poolKey: 'a' })).ok);
    assert.equal(connections, 5);
  });

  it('that breaks while the answer to the first request is due is a failure', async (t) => {
    const { origin, seen } = await serve(t, (_, response) => response.destroy());
    const result = await openFetch()({ url: origin, ...POST, poolKey: 'a' });
    assert.ok(!result.ok && result.code === 'connection_reset');
    assert.equal(seen.length, 1);
  });

  it('is not used again after an answer that was cut off', async (t) => {
    const { origin, connections } = await counted(t, (_, response) => response.end('x'.repeat(300_000)));
    const guardedFetch = openFetch({ rules: { overflow: 'cut', limits: { maxBytes: 1000 } } });
    for (let turn = 0; turn < 2; turn += 1) assert.ok((await guardedFetch({ url: origin, ...POST, poolKey: 'a' })).ok);
    assert.equal(connections(), 2);
  });
});
