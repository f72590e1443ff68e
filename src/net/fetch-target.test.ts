import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { makeCertificate, type TestCertificate } from './certificate.fixture.ts';
import { createFakeTimers } from './fake-timers.fixture.ts';
import { dialLoopback, fixedLookup, openFetch, serve, serveRaw, serveTls } from './loopback.fixture.ts';
import type { Lookup } from './resolve.ts';
import type { FetchResult } from './result.ts';

const PUBLIC = '93.184.216.34';

function outcome(result: FetchResult): unknown[] {
  return result.ok ? [result.status, result.requests] : [result.failure, result.code, result.requests];
}

// Answers public once and private from then on.
function rebindingLookup(): { lookup: Lookup; requested: () => number } {
  let requested = 0;
  const lookup: Lookup = async (_, family) => {
    if (family === 6) return [];
    requested += 1;
    return [requested === 1 ? PUBLIC : '127.0.0.1'];
  };
  return { lookup, requested: () => requested };
}

describe('the pinned address', () => {
  it('one lookup, and the connection goes to its answer with the original name', async (t) => {
    const { port, seen } = await serve(t, (_, response) => response.end());
    const { dial, dialled } = dialLoopback(port);
    const { lookup, requested } = rebindingLookup();
    const result = await openFetch({ allow: [], lookup, dial })({ url: 'http://ACME.dev.:8081/feed?x=1' });
    assert.deepEqual(outcome(result), [200, 1]);
    assert.deepEqual([requested(), dialled], [1, [`${PUBLIC} 8081`]]);
    assert.deepEqual([seen[0]?.headers.host, seen[0]?.url], ['acme.dev:8081', '/feed?x=1']);
  });

  it('a name that turns private before a redirect: no byte leaves', async (t) => {
    const { port } = await serve(t, (_, response) => response.writeHead(302, { location: '/next' }).end());
    const { dial, dialled } = dialLoopback(port);
    const result = await openFetch({ allow: [], lookup: rebindingLookup().lookup, dial })({ url: 'http://acme.dev/' });
    assert.deepEqual(outcome(result), ['refused', 'private_address', 1]);
    assert.equal(dialled.length, 1);
  });

  it('a name that turns private before the retry: no byte leaves', async (t) => {
    const timers = createFakeTimers();
    const { port } = await serve(t, (_, response) => response.writeHead(502).end());
    const { dial, dialled } = dialLoopback(port);
    const guardedFetch = openFetch({ allow: [], lookup: rebindingLookup().lookup, dial, timers });
    const fetched = guardedFetch({ url: 'http://acme.dev/' });
    await timers.set(2_000);
    timers.advance(2_000);
    assert.deepEqual(outcome(await fetched), ['refused', 'private_address', 1]);
    assert.equal(dialled.length, 1);
  });

  it('one private address among public ones: no byte leaves', async () => {
    const { dial, dialled } = dialLoopback(9);
    const lookup = fixedLookup({ 'acme.dev': [PUBLIC, '2606:4700::1', 'fd00::1'] });
    const result = await openFetch({ allow: [], lookup, dial })({ url: 'http://acme.dev/' });
    assert.deepEqual(outcome(result), ['refused', 'private_address', 0]);
    assert.deepEqual(dialled, []);
  });

  it('the next address when one is closed, at most four', async (t) => {
    const { port } = await serve(t, (_, response) => response.end());
    const { dial } = dialLoopback(port);
    const lookup = fixedLookup({ 'acme.dev': [1, 2, 3, 4, 5, 6].map((last) => `93.184.216.${last}`) });
    const open = async (address: string) => {
      const dialled: string[] = [];
      const pick = (ip: string, requested: number) => {
        dialled.push(ip);
        const socket = dial(ip, requested);
        if (ip !== address) socket.destroy(Object.assign(new Error('closed'), { code: 'ECONNREFUSED' }));
        return socket;
      };
      return [outcome(await openFetch({ lookup, dial: pick })({ url: 'http://acme.dev/' }))[0], dialled.length];
    };
    assert.deepEqual(await open('93.184.216.3'), [200, 3]);
    assert.deepEqual(await open('93.184.216.5'), ['unreachable', 4]);
  });

  it('a name without address', async () => {
    const result = await openFetch({ lookup: fixedLookup({}) })({ url: 'http://nowhere.example/' });
    assert.deepEqual(outcome(result), ['unreachable', 'dns_error', 0]);
  });

  it('the service itself stays out of reach', async (t) => {
    const { origin, port, seen } = await serve(t, (_, response) => response.end());
    const guardedFetch = openFetch({ ownHosts: [origin] });
    for (const url of [
      origin,
      `http://127.0.0.2:${port}`,
      `http://localhost:${port}`,
      `http://[::ffff:7f00:1]:${port}`,
    ]) {
      assert.deepEqual(outcome(await guardedFetch({ url })), ['refused', 'internal_host', 0]);
    }
    assert.equal(seen.length, 0);
  });

  it('IPv6 literals keep their brackets in Host', async (t) => {
    const { port, seen } = await serve(t, (_, response) => response.end());
    const { dial, dialled } = dialLoopback(port);
    await openFetch({ dial })({ url: 'http://[2606:4700:0::1]:8081/' });
    assert.deepEqual([dialled, seen[0]?.headers.host], [['2606:4700::1 8081'], '[2606:4700::1]:8081']);
  });

  it('proxy variables mean nothing', async (t) => {
    const { origin } = await serve(t, (_, response) => response.end());
    const proxy = await serve(t, (_, response) => response.end());
    const variables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    const before = variables.map((name) => [name, process.env[name]] as const);
    t.after(() => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    for (const name of variables) process.env[name] = proxy.origin;
    assert.deepEqual(outcome(await openFetch()({ url: origin })), [200, 1]);
    assert.equal(proxy.seen.length, 0);
  });
});

describe('what is sent', () => {
  it('names the service, accepts gzip and br, pools no connection', async (t) => {
    const { origin, seen } = await serve(t, (_, response) => response.end());
    const headers = { 'User-Agent': 'me', Host: 'evil.example', 'Accept-Encoding': 'zstd', Accept: 'text/html' };
    await openFetch()({ url: origin, headers });
    assert.deepEqual(seen[0]?.headers, {
      host: origin.slice('http://'.length),
      connection: 'close',
      'user-agent': 'ReleaseRegistry/test',
      'accept-encoding': 'gzip, br',
      accept: 'text/html',
    });
  });

  it('a body with its length', async (t) => {
    const { origin, seen } = await serve(t, (request, response) => request.pipe(response));
    const result = await openFetch()({
      url: origin,
      method: 'POST',
      body: 'größe',
      headers: { 'content-type': 'text/plain' },
    });
    assert.ok(result.ok && Buffer.from(result.body).toString() === 'größe');
    assert.deepEqual([seen[0]?.method, seen[0]?.headers['content-length']], ['POST', '7']);
  });

  it('HEAD has no body', async (t) => {
    const { origin } = await serve(t, (_, response) => response.writeHead(200, { 'content-length': 99 }).end());
    const result = await openFetch()({ url: origin, method: 'HEAD' });
    assert.ok(result.ok && result.headers['content-length'] === '99' && result.body.length === 0);
  });

  it('304 has none either', async (t) => {
    const { origin } = await serve(t, (_, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end());
    assert.deepEqual(outcome(await openFetch()({ url: origin })), [304, 1]);
  });

  it('no header that would split the request', async (t) => {
    const { origin, seen } = await serve(t, (_, response) => response.end());
    const result = await openFetch()({ url: origin, headers: { 'x-a': 'b\r\nx-c: d' } });
    assert.deepEqual(outcome(result).slice(0, 2), ['refused', 'invalid_header']);
    assert.equal(seen.length, 0);
  });
});

describe('TLS', () => {
  let certificate: TestCertificate;
  before(() => {
    certificate = makeCertificate(['acme.dev'], ['127.0.0.1']);
  });
  const lookup = fixedLookup({ 'acme.dev': [PUBLIC], 'other.dev': [PUBLIC] });

  it('the name that was asked for is in SNI, certificate and Host', async (t) => {
    const { port, seen } = await serveTls(t, certificate, (_, response) => response.end('safe'));
    const { dial, dialled } = dialLoopback(port);
    const result = await openFetch({ lookup, dial, ca: certificate.cert })({ url: 'https://acme.dev/' });
    assert.deepEqual([outcome(result), dialled], [[200, 1], [`${PUBLIC} 443`]]);
    const socket = seen[0]?.socket as TLSSocket;
    assert.deepEqual([Reflect.get(socket, 'servername'), seen[0]?.headers.host], ['acme.dev', 'acme.dev']);
  });

  it('an address is checked against the addresses of the certificate', async (t) => {
    const { origin } = await serveTls(t, certificate, (_, response) => response.end('safe'));
    assert.deepEqual(outcome(await openFetch({ ca: certificate.cert })({ url: origin })), [200, 1]);
  });

  it('a certificate for another name', async (t) => {
    const { port, seen } = await serveTls(t, certificate, (_, response) => response.end());
    const { dial } = dialLoopback(port);
    const result = await openFetch({ lookup, dial, ca: certificate.cert })({ url: 'https://other.dev/' });
    assert.deepEqual(outcome(result), ['unreachable', 'tls_error', 1]);
    assert.equal(seen.length, 0);
  });

  it('a certificate that nobody vouches for, even with checks switched off', async (t) => {
    const { port, seen } = await serveTls(t, certificate, (_, response) => response.end());
    const { dial } = dialLoopback(port);
    t.after(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const result = await openFetch({ lookup, dial })({ url: 'https://acme.dev/' });
    assert.deepEqual(outcome(result), ['unreachable', 'tls_error', 1]);
    assert.equal(seen.length, 0);
  });

  it('a server that speaks plain HTTP', async (t) => {
    const { port } = await serve(t, (_, response) => response.end());
    const result = await openFetch()({ url: `https://127.0.0.1:${port}/`, retry: false });
    assert.deepEqual(outcome(result), ['unreachable', 'tls_error', 1]);
  });

  it('a server that hangs up in the handshake', async (t) => {
    const { port } = await serveRaw(t, async (socket) => {
      await once(socket, 'data');
      socket.destroy();
    });
    const result = await openFetch()({ url: `https://127.0.0.1:${port}/`, retry: false });
    assert.deepEqual(outcome(result), ['unreachable', 'connection_reset', 1]);
  });
});
