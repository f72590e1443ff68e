import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { type CallOptions, type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { pooledTasks } from '../../threads/documents.ts';
import { DEFAULT_BODY_LIMIT, parseJson, readBody, readForm } from './body.ts';
import { readBodyInput } from './body-input.ts';

describe('request bodies', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());

  const create = (body: unknown, headers?: Record<string, string>) =>
    service.call('/v1/notes', { method: 'POST', token: 'write-token', body, headers });
  const change = (body: unknown, method = 'PATCH') =>
    service.call('/v1/notes/1', { method, token: 'admin-token', body });

  it('201 carries Location', async () => {
    const answer = await create({ name: 'first' });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.location, '/v1/notes/first');
    assert.equal(answer.headers['cache-control'], 'private, no-store');
    assert.equal(answer.headers.etag, undefined);
  });

  it('400 unsupported_media_type, unless the body is empty', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const answer = await create('{"name":"a"}', { 'Content-Type': type });
      assert.equal(answer.status, 400);
      assert.equal(answer.json.error.code, 'unsupported_media_type', type);
    }
    const coded = await create('{"name":"a"}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
    assert.equal(coded.json.error.code, 'unsupported_media_type');
    const empty = await service.call('/v1/touch', { method: 'POST', headers: { 'Content-Type': 'text/plain' } });
    assert.equal(empty.status, 200);
    for (const type of ['application/json; charset=utf-8', 'application/problem+json', 'APPLICATION/JSON']) {
      assert.equal((await create('{"name":"a"}', { 'Content-Type': type })).status, 201, type);
    }
    assert.equal((await create('{"name":"a"}')).status, 201);
  });

  it('reads a long body alike with and without Content-Length', async () => {
    const fields = { text: 'ü'.repeat(DEFAULT_BODY_LIMIT) };
    const body = new URLSearchParams(fields).toString();
    const lengths = { known: { 'Content-Length': String(body.length) }, unknown: { 'Transfer-Encoding': 'chunked' } };
    for (const [name, headers] of Object.entries(lengths)) {
      const server = createServer();
      const received = new Promise<Buffer>((resolve, reject) => {
        server.on('request', (message) => readBody(message, 4 * body.length).then(resolve, reject));
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const { port } = server.address() as AddressInfo;
      const sent = request({ host: '127.0.0.1', port, method: 'POST', headers }).on('error', () => {});
      sent.write(body.slice(0, 1000));
      sent.end(body.slice(1000));
      const bytes = await received;
      server.close();
      server.closeAllConnections();
      assert.equal(bytes.toString('utf8'), body, name);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      assert.equal((await readForm(bytes, type))?.get('text'), fields.text, name);
    }
  });

  it('400 invalid_json for text that is not JSON or not UTF-8', async () => {
    for (const body of ['{', 'name=a', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const answer = await create(body);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.error.code, 'invalid_json');
    }
  });

  it('400 invalid_json for what is nested deeper than 64 levels, wherever it stands', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    for (const field of ['rows', 'metadata', 'unknown']) {
      const answer = await create(`{"name":"a","${field}":${nested(64)}}`);
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'invalid_json'], field);
      assert.match(answer.json.error.message, /64/);
    }
    assert.equal((await create(`{"name":"a","unknown":${nested(63)}}`)).status, 201);
    assert.equal((await create(nested(30_000))).json.error.code, 'invalid_json');
  });

  it('400 validation_failed lists every issue', async () => {
    const answer = await create({ name: 7, description: 'x'.repeat(51), rows: [{ title: 1 }] });
    assert.equal(answer.status, 400);
    assert.equal(answer.json.error.code, 'validation_failed');
    const { issues } = answer.json.error.details as { issues: { path: string; reason: string }[] };
    assert.deepEqual(issues.map(({ path }) => path).sort(), ['description', 'name', 'rows.0.title']);
    for (const { path, reason } of issues) assert.ok(answer.json.error.message.includes(`${path}: ${reason}`));
    assert.deepEqual((await create('')).json.error.details.issues, [{ path: 'name', reason: 'is required' }]);
    assert.equal((await create([])).json.error.code, 'validation_failed');
    assert.equal((await create('null')).json.error.code, 'validation_failed');
  });

  it('ignores unknown keys of a POST and refuses those of PATCH and PUT', async () => {
    assert.deepEqual((await create({ name: 'b', other: 1 })).json, { name: 'b' });
    for (const method of ['PATCH', 'PUT']) {
      const answer = await change({ name: 'b', other: 1 }, method);
      assert.equal(answer.json.error.code, 'validation_failed');
      assert.deepEqual(answer.json.error.details.issues, [{ path: 'other', reason: 'unknown field' }]);
    }
  });

  it('400 bad_request for a PATCH without any field', async () => {
    for (const body of [{}, '']) {
      const answer = await change(body);
      assert.equal(answer.json.error.code, 'bad_request');
      assert.equal(answer.json.error.details.field, 'body');
    }
  });

  it('reads null of a POST as absent, also in rows, but not inside metadata', async () => {
    const answer = await create({ name: 'c', content: null, rows: [{ title: null }], metadata: { a: null } });
    assert.deepEqual(answer.json, { name: 'c', rows: [{}], metadata: { a: null } });
    assert.deepEqual((await change({ name: null })).json.body, { name: null });
    assert.equal((await change({ size: null })).json.error.code, 'validation_failed');
  });

  it('413 payload_too_large by announced and by actual size', async () => {
    const announced = await create({ name: 'd', content: 'x'.repeat(70_000) });
    assert.equal(announced.status, 413);
    assert.equal(announced.json.error.type, 'too_large');
    assert.deepEqual(announced.json.error.details, { limit: 65_536 });
    assert.equal((await chunked('/v1/echo', 30)).status, 200);
    assert.deepEqual((await chunked('/v1/echo', 200)).details, { limit: 100_000 });
  });

  it('does not read the body of a DELETE', async () => {
    const headers = { 'Content-Length': '8' };
    const options: CallOptions = { method: 'DELETE', token: 'write-token', body: 'not json', headers };
    assert.equal((await service.call('/v1/notes/1', options)).status, 204);
  });

  it('goes on serving after callers that hang up in the middle of a body', async () => {
    const { hostname, port } = new URL(service.url);
    await new Promise<void>((resolve) => {
      const headers = { 'Content-Length': '500' };
      const half = request({ hostname, port, path: '/v1/echo', method: 'POST', headers });
      half.on('error', () => resolve());
      half.write('{"a":', () => setImmediate(() => half.destroy(new Error('gone'))));
    });
    assert.equal((await service.call('/health')).status, 200);
    assert.equal(service.logged.length, 0);
  });

  // Sends the kibibytes in chunks, so that no Content-Length announces them.
  function chunked(path: string, kibibytes: number): Promise<{ status: number; details: unknown }> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method: 'POST' }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, details: JSON.parse(text).error?.details }),
        );
      });
      sent.on('error', reject);
      sent.write('{"text":"');
      for (let i = 0; i < kibibytes; i += 1) sent.write('x'.repeat(1024));
      sent.end('"}');
    });
  }
});

describe('long bodies', () => {
  const long = 'x'.repeat(DEFAULT_BODY_LIMIT);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('are read on a thread', async () => {
    const before = pooledTasks();
    assert.deepEqual(await parseJson(Buffer.from(JSON.stringify({ a: long })), {}), { a: long });
    assert.equal((await readForm(Buffer.from(`a=${long}&b=%C3%A9`), form))?.get('b'), 'é');
    assert.equal(pooledTasks() - before, 2);
  });

  it('are refused when they hold more values or fields than anything needs', async () => {
    const lists = Buffer.from(`[${'[],'.repeat(50_000)}[]]`);
    await assert.rejects(parseJson(lists, {}), { code: 'invalid_json' });
    for (const count of [1_001, 100_000]) {
      await assert.rejects(readForm(Buffer.from('a=1&'.repeat(count)), form), { code: 'bad_request' });
    }
    await assert.rejects(parseJson(Buffer.from(`{"a":${long}`), {}), { code: 'invalid_json' });
  });

  it('a list is looked at up to one item more than it may have', () => {
    let seen = 0;
    const route = { declaration: { method: 'POST' }, body: z.object({ rows: z.array(z.object({})).max(3) }) };
    const row = {
      get a() {
        seen += 1;
        return 1;
      },
    };
    const rows = Array.from({ length: 1_000 }, () => row);
    assert.throws(() => readBodyInput(route as never, { rows }), { code: 'validation_failed' });
    assert.equal(seen, 4);
  });
});
