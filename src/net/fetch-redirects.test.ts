import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { makeCertificate, type TestCertificate } from './certificate.fixture.ts';
import { dialLoopback, fixedLookup, openFetch, serve, serveTls } from './loopback.fixture.ts';
import type { FetchResult } from './result.ts';

function outcome(result: FetchResult): unknown[] {
  return result.ok ? [result.status, result.requests] : [result.failure, result.code, result.requests];
}

describe('redirects', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is followed and told`, async (t) => {
      const { origin } = await serve(t, (request, response) => {
        if (request.url === '/new') response.end('here');
        else response.writeHead(status, { location: '/new#part' }).end('x'.repeat(1000));
      });
      const result = await openFetch()({ url: `${origin}/old#fragment` });
      assert.ok(result.ok);
      assert.deepEqual([result.status, result.finalUrl, result.requests], [200, `${origin}/new`, 2]);
      assert.deepEqual(result.redirects, [{ status, from: `${origin}/old`, to: `${origin}/new` }]);
    });
  }

  it('five, but not six', async (t) => {
    const { origin } = await serve(t, (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('end');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    assert.deepEqual(outcome(await openFetch()({ url: `${origin}/5` })), [200, 6]);
    assert.deepEqual(outcome(await openFetch()({ url: `${origin}/6` })), ['redirect', 'too_many', 6]);
  });

  const refused: [name: string, location: string | undefined, code: string][] = [
    ['to itself', '/', 'loop'],
    ['to itself with a fragment', '/#again', 'loop'],
    ['without a location', undefined, 'bad_location'],
    ['to no address', 'http://[', 'bad_location'],
  ];
  for (const [name, location, code] of refused) {
    it(`${name}: ${code}`, async (t) => {
      const { origin } = await serve(t, (_, response) => response.writeHead(302, location ? { location } : {}).end());
      const result = await openFetch()({ url: `${origin}/` });
      assert.deepEqual(outcome(result), ['redirect', code, 1]);
      assert.ok(!result.ok && result.status === 302);
    });
  }

  it('in a circle of two', async (t) => {
    const { origin } = await serve(t, (request, response) => {
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end();
    });
    assert.deepEqual(outcome(await openFetch()({ url: `${origin}/a` })), ['redirect', 'loop', 2]);
  });

  const targets: [location: string, code: string][] = [
    ['http://10.0.0.1/', 'private_address'],
    ['http://169.254.169.254/latest/meta-data/', 'private_address'],
    ['http://[::ffff:10.0.0.1]/', 'private_address'],
    ['http://0xa000001/', 'private_address'],
    ['http://localhost./', 'internal_host'],
    ['//user:secret@127.0.0.1/', 'user_info'],
    ['file:///etc/passwd', 'invalid_url'],
    ['ftp://127.0.0.1/', 'not_http'],
  ];
  for (const [location, code] of targets) {
    it(`${location} is refused like any target: ${code}`, async (t) => {
      const { origin, port } = await serve(t, (_, response) => response.writeHead(302, { location }).end());
      const { dial, dialled } = dialLoopback(port);
      const result = await openFetch({ allow: ['127.0.0.1'], dial })({ url: origin });
      assert.deepEqual(outcome(result), ['refused', code, 1]);
      assert.equal(dialled.length, 1);
      assert.ok(!result.ok && !JSON.stringify(result.url).includes('secret'));
    });
  }

  it('a location in UTF-8', async (t) => {
    const { origin } = await serve(t, (request, response) => {
      const location = Buffer.from('/größe').toString('latin1');
      if (request.url === '/') response.writeHead(301, { location }).end();
      else response.end(request.url);
    });
    const result = await openFetch()({ url: origin });
    assert.ok(result.ok && Buffer.from(result.body).toString() === '/gr%C3%B6%C3%9Fe');
  });

  it('a caller may stay on its hosts', async (t) => {
    const { origin } = await serve(t, (_, response) => response.writeHead(302, { location: '/next' }).end());
    const mayRedirect = (from: URL, to: URL) => from.pathname === to.pathname;
    assert.deepEqual(outcome(await openFetch()({ url: origin, mayRedirect })), ['redirect', 'unwanted', 1]);
  });

  for (const [name, request] of [
    ['with none allowed', { limits: { maxRedirects: 0 } }],
    ['of a POST', { method: 'POST' as const, body: 'x' }],
  ] as const) {
    it(`${name} the redirect is the answer`, async (t) => {
      const { origin } = await serve(t, (_, response) => response.writeHead(307, { location: '/next' }).end('moved'));
      const result = await openFetch()({ url: origin, ...request });
      assert.deepEqual(outcome(result), [307, 1]);
      assert.ok(result.ok && Buffer.from(result.body).toString() === 'moved');
    });
  }
});

describe('credentials', () => {
  const headers = {
    authorization: 'Bearer secret',
    'x-api-key': 'secret',
    Cookie: 'a=secret',
    accept: 'text/html',
    'if-none-match': '"1"',
  };

  it('stay within the origin', async (t) => {
    const { origin, seen } = await serve(t, (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else response.end();
    });
    await openFetch()({ url: origin, headers });
    assert.equal(seen[1]?.headers.authorization, 'Bearer secret');
    assert.equal(seen[1]?.headers['x-api-key'], 'secret');
    assert.equal(seen[1]?.headers.cookie, undefined);
  });

  it('are dropped when it changes, and do not come back', async (t) => {
    const home = await serve(t, (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: other.origin }).end();
      else response.end();
    });
    const other = await serve(t, (_, response) => response.writeHead(302, { location: `${home.origin}/back` }).end());
    const result = await openFetch()({ url: home.origin, headers });
    assert.deepEqual(outcome(result), [200, 3]);
    for (const request of [other.seen[0], home.seen[1]]) {
      assert.ok(request);
      assert.ok(!JSON.stringify(request.headers).includes('secret'));
      assert.deepEqual([request.headers.accept, request.headers['if-none-match']], ['text/html', '"1"']);
    }
  });
});

describe('https to http', () => {
  let certificate: TestCertificate;
  before(() => {
    certificate = makeCertificate(['acme.dev'], ['127.0.0.1']);
  });

  it('is refused, whatever the allow list says', async (t) => {
    const plain = await serve(t, (_, response) => response.end('never'));
    const { origin } = await serveTls(t, certificate, (_, response) => {
      response.writeHead(301, { location: `${plain.origin}/` }).end();
    });
    const result = await openFetch({ ca: certificate.cert })({ url: origin });
    assert.deepEqual(outcome(result), ['redirect', 'downgrade', 1]);
    assert.equal(plain.seen.length, 0);
  });

  it('http to https is followed', async (t) => {
    const secure = await serveTls(t, certificate, (_, response) => response.end('safe'));
    const { origin } = await serve(t, (_, response) => response.writeHead(301, { location: secure.origin }).end());
    assert.deepEqual(outcome(await openFetch({ ca: certificate.cert })({ url: origin })), [200, 2]);
  });

  it('a hop to plain http is refused where https is asked for', async (t) => {
    const lookup = fixedLookup({ 'acme.dev': ['93.184.216.34'] });
    const { port } = await serve(t, (_, response) => response.end());
    const { dial, dialled } = dialLoopback(port);
    const result = await openFetch({ lookup, dial })({ url: 'http://acme.dev/', httpsOnly: true });
    assert.deepEqual(outcome(result), ['refused', 'not_https', 0]);
    assert.deepEqual(dialled, []);
  });
});
