import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { ARRIVAL_LIMITS } from './server.ts';

describe('surface', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());

  it('404 not_found names method and path of an unknown route', async () => {
    const answer = await service.call('/v1/unknown/thing');

    assert.equal(answer.status, 404);
    assert.deepEqual(answer.json, {
      error: { code: 'not_found', type: 'not_found', message: 'no such route: GET /v1/unknown/thing' },
    });
    assert.equal(answer.headers['cache-control'], 'private, no-store');
  });

  it('404 method_not_allowed with Allow on a known path', async () => {
    const answer = await service.call('/v1/notes', { method: 'DELETE' });

    assert.equal(answer.status, 404);
    assert.equal(answer.json.error.code, 'method_not_allowed');
    assert.equal(answer.json.error.type, 'not_found');
    assert.deepEqual(answer.headers.allow?.split(', ').sort(), ['GET', 'HEAD', 'OPTIONS', 'POST']);
  });

  it('prefers fixed segments, whatever the order of declaration', async () => {
    assert.deepEqual((await service.call('/v1/releases/special')).json, { special: true });
  });

  it('ignores one trailing slash, not two', async () => {
    assert.equal((await service.call('/v1/notes/')).status, 200);
    assert.equal((await service.call('/v1/notes//')).status, 404);
    assert.equal((await service.call('/v1/')).status, 200);
  });

  it('400 bad_request for percent-encoding that is not UTF-8', async () => {
    for (const path of ['/v1/files/%ff', '/v1/files/%E4%BD', '/v1/files/%zz', '/v1/unknown/%']) {
      const answer = await service.call(path);
      assert.equal(answer.status, 400, path);
      assert.equal(answer.json.error.code, 'bad_request');
      assert.equal(answer.json.error.details.parameter, 'path');
    }
    const query = await service.call('/v1/find?q=%ff');
    assert.deepEqual(query.json.error.details.parameter, 'q');
    assert.equal(query.status, 400);
  });

  it('decodes path parameters once', async () => {
    const answer = await service.call('/v1/files/a%2Fb%2541%20%C3%A9');
    assert.equal(answer.json.params.file, 'a/b%41 é');
  });

  it('404 for control characters in a path, 400 for NUL in a query', async () => {
    assert.equal((await service.call('/v1/files/a%00b')).status, 404);
    assert.equal((await service.call('/v1/find?q=a%00b')).json.error.code, 'bad_request');
  });

  it('answers HEAD like GET without a body', async () => {
    const get = await service.call('/v1/large');
    const head = await service.call('/v1/large', { method: 'HEAD' });

    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    assert.equal(head.headers['content-length'], String(get.body.length));
    assert.equal(head.headers.etag, get.headers.etag);
    assert.equal((await service.call('/v1/unknown', { method: 'HEAD' })).status, 404);
    assert.equal((await service.call('/v1/touch', { method: 'HEAD' })).status, 404);
  });

  it('keeps a well-formed request id and makes one otherwise', async () => {
    const kept = await service.call('/health', { headers: { 'X-Request-Id': 'abc.DEF-1_2' } });
    const short = await service.call('/health', { headers: { 'X-Request-Id': 'short' } });
    const odd = await service.call('/health', { headers: { 'X-Request-Id': 'with blanks in it' } });

    assert.equal(kept.headers['x-request-id'], 'abc.DEF-1_2');
    assert.match(short.headers['x-request-id'] ?? '', /^[A-Za-z0-9._-]{8,64}$/);
    assert.notEqual(short.headers['x-request-id'], 'short');
    assert.notEqual(odd.headers['x-request-id'], short.headers['x-request-id']);
  });

  it('sends the security headers with every kind of answer', async () => {
    for (const path of ['/', '/health', '/v1/notes', '/v1/notes', '/v1/unknown', '/v1/boom', '/v1/docs']) {
      const { headers } = await service.call(path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin', path);
      assert.ok(headers['x-request-id'], path);
    }
  });

  it('answers a request that node cannot parse in the common form', async () => {
    const { hostname, port } = new URL(service.url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
    });
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.equal(JSON.parse(text.split('\r\n\r\n')[1] ?? '').error.code, 'bad_request');
  });

  it('400 bad_request for HTTP/1.1 without a Host or with two, also for a path that is cached', async () => {
    const { hostname, port } = new URL(service.url);
    const ask = (head: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(head));
        let received = '';
        socket.on('data', (chunk) => {
          received += chunk;
        });
        socket.on('close', () => resolve(received));
      });
    const hosts = [
      '',
      'Host: a\r\nHost: b\r\n',
      'Host: a\r\nhost: a\r\n',
      'HOST: a\r\nX: 1\r\nHost:\r\n',
      'Host: a, b\r\n',
      'Host: a,\r\n',
    ];
    for (const path of ['/health', '/v1/notes', '/v1/notes']) {
      for (const host of hosts) {
        const text = await ask(`GET ${path} HTTP/1.1\r\n${host}\r\n`);
        assert.match(text, /^HTTP\/1\.1 400 /, host);
        assert.match(text, /Connection: close/i, host);
        assert.equal(JSON.parse(text.split('\r\n\r\n')[1] ?? '').error.details.parameter, 'Host', host);
      }
      assert.match(await ask(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
      assert.match(await ask(`GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /);
    }
  });

  it('answers requests without or with a strange Host', async () => {
    const { hostname, port } = new URL(service.url);
    for (const head of [
      'GET /health HTTP/1.0\r\n\r\n',
      'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    ]) {
      const text = await new Promise<string>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(head));
        let received = '';
        socket.on('data', (chunk) => {
          received += chunk;
        });
        socket.on('close', () => resolve(received));
      });
      assert.match(text, /^HTTP\/1\.1 (200|400) /);
      assert.match(text, /"(ok|error)":/);
      assert.match(text, /X-Request-Id/i);
    }
  });
});

describe('cross-origin requests', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture({ env: { REGISTRY_TRUSTED_ORIGINS: 'https://web.example' } });
  });
  after(() => service.close());

  it('allows any origin without credentials and echoes a trusted one', async () => {
    for (const path of ['/v1/uncached', '/v1/notes', '/v1/notes', '/v1/unknown']) {
      const open = await service.call(path, { headers: { Origin: 'https://other.example' } });
      const trusted = await service.call(path, { headers: { Origin: 'https://web.example' } });
      const none = await service.call(path);

      assert.equal(open.headers['access-control-allow-origin'], '*');
      assert.equal(open.headers['access-control-allow-credentials'], undefined);
      assert.equal(trusted.headers['access-control-allow-origin'], 'https://web.example');
      assert.equal(trusted.headers['access-control-allow-credentials'], 'true');
      assert.match(trusted.headers['access-control-expose-headers'] ?? '', /ETag.*X-Request-Id/);
      assert.match(open.headers.vary ?? '', /Origin/);
      assert.doesNotMatch(none.headers.vary ?? '', /Origin/);
    }
  });

  it('answers a preflight with 204', async () => {
    const answer = await service.call('/v1/notes', { method: 'OPTIONS', headers: { Origin: 'https://other.example' } });

    assert.equal(answer.status, 204);
    assert.equal(answer.headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    assert.match(answer.headers['access-control-allow-headers'] ?? '', /Authorization.*Idempotency-Key.*If-None-Match/);
    assert.equal(answer.headers['access-control-max-age'], '600');
    assert.equal(answer.headers.vary, 'Origin');
    assert.equal((await service.call('/v1/unknown', { method: 'OPTIONS' })).status, 404);
  });
});

describe('a request that does not arrive', () => {
  it('is not waited for longer than 30 seconds', () => {
    assert.ok(ARRIVAL_LIMITS.requestMs + ARRIVAL_LIMITS.checkMs <= 30_000);
  });

  const sendPart = async (text: string) => {
    const service = await startFixture({ input: { arrival: { requestMs: 50, checkMs: 10 } } });
    const answer = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('data', (bytes) => {
        received += bytes;
      });
      socket.on('close', () => resolve(received));
      socket.write(text);
    });
    await service.close();
    return answer;
  };

  for (const [part, text] of [
    ['head', 'GET /health HTTP/1.1\r\nHost: x\r\n'],
    ['body', 'POST /v1/notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer write-token\r\nContent-Length: 99\r\n\r\n{'],
  ] as const) {
    it(`400 when the rest of its ${part} is missing, and the connection ends`, async () => {
      assert.match(await sendPart(text), /^HTTP\/1\.1 400 .*did not arrive within 30 seconds/s);
    });
  }

  it('is not answered before its first byte, because that answer would be taken for the one to the next request', async () => {
    assert.equal(await sendPart(''), '');
  });
});

describe('stopping', () => {
  it('503 stopping on /ready while everything else is answered, and connections end', async () => {
    const service = await startFixture();
    service.server.beginStop();
    const ready = await service.call('/ready');
    const read = await service.call('/v1/notes');
    await service.close();

    assert.equal(ready.status, 503);
    assert.deepEqual([ready.json.error.code, ready.json.error.details.reason], ['service_unavailable', 'stopping']);
    assert.deepEqual([read.status, read.headers.connection], [200, 'close']);
  });
});

describe('request log', () => {
  it('has a line for every request where it is wanted, without the query', async () => {
    const service = await startFixture({ env: { REGISTRY_REQUEST_LOG: 'true' }, logLevel: 'info' });
    await service.call('/v1/notes?token=hidden');
    await service.call('/v1/notes?token=hidden');
    await service.call('/v1/elsewhere');
    await service.call('/v1/feed/hidden');
    await service.close();

    const lines = service.logged.filter((line) => line.msg === 'request');
    assert.deepEqual(
      lines.map(({ method, path, route, status }) => [method, path, route, status]),
      [
        ['GET', '/v1/notes', '/v1/notes', 200],
        ['GET', '/v1/notes', 'cached', 200],
        ['GET', '/v1/elsewhere', 'unmatched', 404],
        ['GET', '/v1/feed/…', 'unmatched', 404],
      ],
    );
    assert.ok(!JSON.stringify(service.logged).includes('hidden'));
  });

  it('has none otherwise', async () => {
    const service = await startFixture({ logLevel: 'info' });
    await service.call('/v1/notes');
    await service.close();

    assert.deepEqual(
      service.logged.filter((line) => line.msg === 'request'),
      [],
    );
  });
});

describe('closing', () => {
  it('finishes what runs, accepts nothing new and does not wait for idle connections', async () => {
    const service = await startFixture();
    await fetch(`${service.url}/v1/notes`).then((answer) => answer.text());
    const running = service.call('/v1/slow');
    await service.gate.entered;

    const closed = service.server.close();
    await assert.rejects(service.call('/health'));
    service.gate.open();

    assert.deepEqual((await running).json, { done: true });
    await closed;
    await service.close();
  });

  it('ends requests that outlast the grace', async () => {
    const service = await startFixture();
    const running = service.call('/v1/slow');
    const lost = assert.rejects(running);
    await service.gate.entered;

    await service.server.close(1);

    await lost;
    await service.close();
  });
});
