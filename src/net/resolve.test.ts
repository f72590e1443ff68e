import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { createFakeTimers } from './fake-timers.fixture.ts';
import { createResolve, createSystemLookup, type Lookup } from './resolve.ts';

const silent = new Promise<never>(() => {});

function failing(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

describe('resolve', () => {
  const table: [name: string, lookup: Lookup, expected: unknown][] = [
    [
      'joins both families',
      async (_, family) => (family === 4 ? ['192.0.2.1', '192.0.2.1'] : ['2001:db8::1']),
      { ok: true, addresses: ['192.0.2.1', '2001:db8::1'] },
    ],
    [
      'one family is enough',
      (_, family) => (family === 4 ? Promise.resolve(['192.0.2.1']) : failing('ESERVFAIL')),
      { ok: true, addresses: ['192.0.2.1'] },
    ],
    ['no such name', () => failing('ENOTFOUND'), { ok: false, detail: 'no address' }],
    ['no records', async () => [], { ok: false, detail: 'no address' }],
    ['a resolver that fails', () => failing('ESERVFAIL'), { ok: false, detail: 'no answer' }],
  ];
  for (const [name, lookup, expected] of table) {
    it(name, async () => assert.deepEqual(await createResolve({ lookup })('a.example', { local: false }), expected));
  }

  it('gives up after 3 seconds and calls the lookup off', async () => {
    const timers = createFakeTimers();
    const signals: AbortSignal[] = [];
    const lookup: Lookup = (_, __, { signal }) => {
      signals.push(signal);
      return silent;
    };
    const resolution = createResolve({ lookup, timers })('a.example', { local: false });
    timers.advance(2_999);
    assert.equal(signals[0]?.aborted, false);
    timers.advance(1);
    assert.deepEqual(await resolution, { ok: false, detail: 'no answer' });
    assert.equal(signals[0]?.aborted, true);
  });

  it('keeps what came in time', async () => {
    const timers = createFakeTimers();
    const lookup: Lookup = (_, family) => (family === 4 ? Promise.resolve(['192.0.2.1']) : silent);
    const resolution = createResolve({ lookup, timers })('a.example', { local: false });
    timers.advance(3_000);
    assert.deepEqual(await resolution, { ok: true, addresses: ['192.0.2.1'] });
  });

  it('can be given less time', async () => {
    const timers = createFakeTimers();
    const resolution = createResolve({ lookup: () => silent, timers })('a.example', { local: false, limitMs: 100 });
    timers.advance(100);
    assert.deepEqual(await resolution, { ok: false, detail: 'no answer' });
  });
});

describe('the machine’s resolver', () => {
  it('asks the name server for A and AAAA', async (t) => {
    const server = await nameServer(t, { 1: '5db8d822', 28: '26064700000000000000000000000001' });
    const resolve = createResolve({ lookup: createSystemLookup([server]) });
    assert.deepEqual(await resolve('acme.dev', { local: false }), {
      ok: true,
      addresses: ['93.184.216.34', '2606:4700::1'],
    });
  });

  it('takes a name without AAAA', async (t) => {
    const server = await nameServer(t, { 1: '5db8d822' });
    const resolve = createResolve({ lookup: createSystemLookup([server]) });
    assert.deepEqual(await resolve('acme.dev', { local: false }), { ok: true, addresses: ['93.184.216.34'] });
  });

  it('knows localhost without asking', async () => {
    const resolve = createResolve({ lookup: createSystemLookup(['127.0.0.1:1']) });
    const expected = { ok: true, addresses: ['127.0.0.1', '::1'] };
    assert.deepEqual(await resolve('localhost', { local: false }), expected);
    assert.deepEqual(await resolve('a.localhost', { local: false }), expected);
  });

  it('finds names of the operator through the hosts file', async () => {
    const resolve = createResolve({ lookup: createSystemLookup(['127.0.0.1:1']) });
    assert.deepEqual(await resolve('127.0.0.1', { local: true }), { ok: true, addresses: ['127.0.0.1'] });
  });
});

// Answers each question with the record data of its type, in hexadecimal, or with none.
async function nameServer(t: TestContext, records: Readonly<Record<number, string>>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const data = Buffer.from(records[type] ?? '', 'hex');
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, data.length > 0 ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
    const answer = data.length > 0 ? [record, data] : [];
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answer]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
