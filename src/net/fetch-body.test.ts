import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { answerWith, openFetch, serve, serveRaw } from './loopback.fixture.ts';
import type { FetchRules } from './rules.ts';

const CAP = 64 * 1024;
const capped: FetchRules = { limits: { maxBytes: CAP }, retry: false };
const TEXT = 'What changed? '.repeat(500);

async function fetched(t: TestContext, answer: (response: ServerResponse) => void, rules: FetchRules = capped) {
  const { origin } = await serve(t, (_, response) => answer(response));
  return openFetch()({ url: `${origin}/`, ...rules });
}

function packed(coding: string, bytes: Uint8Array) {
  return (response: ServerResponse) => response.writeHead(200, { 'content-encoding': coding }).end(bytes);
}

describe('bodies', () => {
  const readable: [name: string, coding: string, bytes: Uint8Array][] = [
    ['plain', 'identity', Buffer.from(TEXT)],
    ['gzip', 'gzip', gzipSync(TEXT)],
    ['gzip under its old name', 'X-GZIP', gzipSync(TEXT)],
    ['gzip in two members', 'gzip', Buffer.concat([gzipSync(TEXT.slice(0, 100)), gzipSync(TEXT.slice(100))])],
    ['br', 'br', brotliCompressSync(TEXT)],
  ];
  for (const [name, coding, bytes] of readable) {
    it(`${name} is read`, async (t) => {
      const result = await fetched(t, packed(coding, bytes));
      assert.ok(result.ok);
      assert.equal(Buffer.from(result.body).toString(), TEXT);
      assert.deepEqual([result.status, result.bytes, result.truncated], [200, bytes.length, false]);
    });
  }

  it('an empty body may carry any coding', async (t) => {
    const result = await fetched(t, packed('gzip', new Uint8Array()));
    assert.ok(result.ok && result.body.length === 0);
  });

  const broken: [name: string, coding: string, bytes: Uint8Array, code: string][] = [
    ['deflate', 'deflate', deflateSync(TEXT), 'unknown_coding'],
    ['zstd', 'zstd', Buffer.from(TEXT), 'unknown_coding'],
    ['a coding over a coding', 'gzip, br', gzipSync(TEXT), 'unknown_coding'],
    ['text that is called gzip', 'gzip', Buffer.from(TEXT), 'broken_data'],
    ['text that is called br', 'br', Buffer.from(TEXT), 'broken_data'],
    ['gzip that ends early', 'gzip', gzipSync(TEXT).subarray(0, 40), 'broken_data'],
    ['br that ends early', 'br', brotliCompressSync(TEXT).subarray(0, 10), 'broken_data'],
  ];
  for (const [name, coding, bytes, code] of broken) {
    it(`${name}: ${code}`, async (t) => {
      const result = await fetched(t, packed(coding, bytes));
      assert.ok(!result.ok);
      assert.deepEqual([result.failure, result.code, result.status], ['malformed_encoding', code, 200]);
    });
  }

  it('headers come in lower case and without cookies', async (t) => {
    const result = await fetched(t, (response) =>
      response.writeHead(200, { ETag: 'W/"1"', 'Set-Cookie': ['a=1', 'b=2'], Link: ['<a>', '<b>'] }).end(),
    );
    assert.ok(result.ok);
    assert.equal(result.headers.etag, 'W/"1"');
    assert.equal(result.headers.link, '<a>, <b>');
    assert.equal(result.headers['set-cookie'], undefined);
  });
});

describe('the cap', () => {
  const megabytes = Buffer.alloc(8 * 1024 * 1024);

  it('a body of exactly the cap is read', async (t) => {
    const result = await fetched(t, (response) => response.end(Buffer.alloc(CAP)));
    assert.ok(result.ok && result.body.length === CAP && !result.truncated);
  });

  it('a stated length over it is not read at all', async (t) => {
    const result = await fetched(t, (response) => response.writeHead(200, { 'content-length': CAP + 1 }).end('x'));
    assert.ok(!result.ok);
    assert.deepEqual([result.failure, result.code, result.bytes], ['too_large', 'received', 0]);
  });

  it('a body without end is cut off', async (t) => {
    let sent = 0;
    const result = await fetched(t, (response) => {
      const more = (error?: Error | null) => {
        if (error) return;
        sent += CAP;
        response.write(Buffer.alloc(CAP), more);
      };
      more();
    });
    assert.ok(!result.ok);
    assert.deepEqual([result.failure, result.code], ['too_large', 'received']);
    assert.ok(result.bytes < 4 * CAP && sent < 100 * 1024 * 1024);
  });

  for (const [coding, bytes] of [
    ['gzip', gzipSync(megabytes)],
    ['br', brotliCompressSync(megabytes)],
  ] as const) {
    it(`a bomb in ${coding} is stopped while it unpacks`, async (t) => {
      const result = await fetched(t, packed(coding, bytes));
      assert.ok(!result.ok);
      assert.deepEqual([result.failure, result.code], ['too_large', 'unpacked']);
      assert.ok(result.bytes <= bytes.length);
    });
  }

  it('packed bytes count too', async (t) => {
    const stored = gzipSync(Buffer.alloc(2 * CAP), { level: 0 });
    const result = await fetched(t, (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(stored.subarray(0, CAP));
      response.end(stored.subarray(CAP));
    });
    assert.ok(!result.ok && result.failure === 'too_large');
  });

  for (const coding of ['identity', 'gzip'] as const) {
    it(`the beginning is enough for those who say so (${coding})`, async (t) => {
      const text = TEXT.repeat(20);
      const answer = packed(coding, coding === 'gzip' ? gzipSync(text) : Buffer.from(text));
      const result = await fetched(t, answer, { ...capped, overflow: 'cut' });
      assert.ok(result.ok && result.truncated);
      assert.equal(Buffer.from(result.body).toString(), text.slice(0, CAP));
    });
  }

  it('those who take no coding get the status and no packed body', async (t) => {
    const answer = packed('gzip', gzipSync(TEXT));
    const result = await fetched(t, answer, { ...capped, codings: 'identity' });
    assert.ok(result.ok && result.status === 200 && result.body.length === 0);
  });
});

describe('broken answers', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
  const table: [name: string, sent: string, failure: string, code: string][] = [
    ['shorter than stated', `${HEAD}Content-Length: 100\r\n\r\nabc`, 'unreachable', 'connection_reset'],
    [
      'a last chunk that is missing',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      'unreachable',
      'connection_reset',
    ],
    ['headers that stop', `${HEAD}X-`, 'unreachable', 'connection_reset'],
    ['nothing', '', 'unreachable', 'connection_reset'],
    ['another protocol', '220 mail.example ESMTP\r\n', 'malformed_answer', 'not_http'],
    ['a chunk of no size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc`, 'malformed_answer', 'not_http'],
    ['headers without end', `${HEAD}X-A: ${'a'.repeat(70_000)}`, 'malformed_answer', 'not_http'],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'unreachable',
      'connection_reset',
    ],
  ];
  for (const [name, sent, failure, code] of table) {
    it(`${name}: ${failure}, ${code}`, async (t) => {
      const { origin } = await serveRaw(t, answerWith(sent));
      const result = await openFetch()({ url: origin, retry: false });
      assert.ok(!result.ok);
      assert.deepEqual([result.failure, result.code], [failure, code]);
    });
  }

  it('bytes after the stated length are nobody’s', async (t) => {
    const { origin } = await serveRaw(
      t,
      answerWith(`${HEAD}Connection: close\r\nContent-Length: 3\r\n\r\nabc\r\n<!-- more -->`),
    );
    const result = await openFetch()({ url: origin });
    assert.ok(result.ok && Buffer.from(result.body).toString() === 'abc');
  });

  it('a body that ends with the connection is whole', async (t) => {
    const { origin } = await serveRaw(t, answerWith(`${HEAD}\r\nabc`));
    const result = await openFetch()({ url: origin });
    assert.ok(result.ok && Buffer.from(result.body).toString() === 'abc');
  });
});
