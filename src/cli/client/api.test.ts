// API calls when the network or the server fails.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CommandFailure } from '../command.ts';
import { createApi, path } from './api.ts';
import { ApiFailure } from './api-failure.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('calls', () => {
  let server: Server;
  let url: string;
  let answers: Handler[] = [];
  let requested: string[] = [];
  const waits: number[] = [];
  const lines: string[] = [];

  before(async () => {
    server = createServer((request, response) => {
      requested.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
      const handler = answers.length > 1 ? answers.shift() : answers[0];
      handler?.(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requested = [];
    waits.length = 0;
    lines.length = 0;
  });
  after(() => {
    server.close();
  });

  const api = (credential?: string, signal = new AbortController().signal) =>
    createApi({
      server: url,
      credential,
      signal,
      trace: (line) => lines.push(line),
      wait: async (ms) => void waits.push(ms),
    });
  const status =
    (code: number, body = '{}', headers: Record<string, string> = {}): Handler =>
    (_request, response) =>
      void response.writeHead(code, headers).end(body);
  const broken: Handler = (request) => void request.socket.destroy();

  it('are tried three times when the connection breaks or the server is away', async () => {
    answers = [broken, status(503), status(200, '{"a":1}')];

    assert.deepEqual(await api().get('/v1/x', { q: 'a b', none: undefined, list: ['1', '2'] }), { a: 1 });
    assert.deepEqual(requested, Array(3).fill('GET /v1/x?q=a+b&list=1&list=2 -'));
    assert.deepEqual(waits, [500, 1000]);
  });

  it('fail after the third time, and say what to try', async () => {
    answers = [broken];

    await assert.rejects(api().get('/v1/x'), /does not answer \(.*\); is the server running\?/);
    assert.equal(requested.length, 3);
  });

  it('that change something are sent once', async () => {
    answers = [status(503)];

    await assert.rejects(api().send({ method: 'POST', path: '/v1/x', body: {} }), ApiFailure);
    assert.equal(requested.length, 1);
    answers = [broken];
    await assert.rejects(api().send({ method: 'POST', path: '/v1/x', body: {} }), CommandFailure);
    assert.equal(requested.length, 2);
  });

  it('that read by POST are tried again', async () => {
    answers = [status(502), status(200, '{}')];

    await api().send({ method: 'POST', path: '/v1/x', body: {}, isRead: true });
    assert.equal(requested.length, 2);
  });

  it('wait as long as the server asks, but not for ever', async () => {
    answers = [status(429, '{}', { 'Retry-After': '7' }), status(200, '{}')];
    await api().send({ method: 'POST', path: '/v1/x', body: {} });
    assert.deepEqual(waits, [7000]);

    answers = [status(429, '{"error":{"code":"rate_limited","message":"too many"}}', { 'Retry-After': '3600' })];
    await assert.rejects(api().get('/v1/x'), { message: 'too many; try again in 3600 s' });
    assert.deepEqual(waits, [7000]);
  });

  it('are refused in the words of the server', async () => {
    const envelope = { code: 'not_found', type: 'not_found', message: 'org not found: x', details: { entity: 'org' } };
    answers = [status(404, JSON.stringify({ error: envelope }))];
    await assert.rejects(api().get('/v1/x'), { status: 404, body: envelope });

    const cases: [status: number, body: string, message: RegExp][] = [
      [401, '{"error":{"code":"unauthorized","message":"no"}}', /^no; run `registry login`/],
      [400, '{"error":"invalid_grant","error_description":"gone"}', /^gone$/],
      [400, '{"code":"X","message":"said"}', /^said$/],
      [500, 'oops', /^the server answered with status 500; try again later$/],
    ];
    for (const [code, body, message] of cases) {
      answers = [status(code, body)];
      await assert.rejects(api().get('/v1/x'), { message });
    }
  });

  it('need a registry at the other end', async () => {
    answers = [status(200, '<html>')];

    await assert.rejects(api().get('/v1/x'), /did not answer with JSON; is there a registry/);
  });

  it('are told without secrets', async () => {
    answers = [status(200, '{}')];

    await api('relu_secret').get('/v1/x');
    assert.deepEqual(requested, ['GET /v1/x Bearer relu_secret']);
    assert.match(lines.join('\n'), /^> GET http:.*\/v1\/x\n< 200 after \d+ ms$/);
  });

  it('end with an interrupt', async () => {
    const stop = new AbortController();
    answers = [() => stop.abort()];

    await assert.rejects(api(undefined, stop.signal).get('/v1/x'), { name: 'AbortError' });
    assert.equal(requested.length, 1);
  });

  it('have paths whose values are segments', () => {
    assert.equal(path`/v1/orgs/${'a/b?c'}/x`, '/v1/orgs/a%2Fb%3Fc/x');
    assert.throws(() => path`/v1/orgs/${'..'}`, /names nothing/);
    assert.throws(() => path`/v1/orgs/${''}`, /names nothing/);
  });
});
