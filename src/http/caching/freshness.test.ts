import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { writeNote } from '../../../test/support/kernel-routes.ts';
import { openStore } from '../../store/open.ts';

describe('kept answers', () => {
  let service: Fixture;
  beforeEach(async () => {
    service = await startFixture();
  });
  afterEach(() => service.close());

  const values = async (path = '/v1/notes') =>
    (await service.call(path)).json.notes.map((note: { value: string }) => note.value);

  it('run once while nothing changes', async () => {
    for (let i = 0; i < 5; i += 1) assert.equal((await service.call('/v1/notes')).json.runs, 1);
    assert.equal((await service.call('/v1/notes', { method: 'HEAD' })).status, 200);
    assert.equal(service.gate.runs, 1);
  });

  it('show a write of this process at once', async () => {
    assert.deepEqual(await values(), []);
    await service.call('/v1/notes', { method: 'POST', token: 'write-token', body: { name: 'a' } });
    assert.deepEqual(await values(), ['{"name":"a"}']);
  });

  it('show a write of another process at once', async () => {
    const { dataDir, app } = service;
    const now = app.ctx.clock;
    const other = await openStore({
      databaseUrl: null,
      dataDir,
      poolSize: 1,
      statementMs: 0,
      now,
      onError: (error) => assert.fail(String(error)),
    });
    await values();
    for (const value of ['one', 'two', 'three']) {
      await writeNote({ ...app.ctx, store: other }, 'shared', value);
      assert.deepEqual(await values(), [value]);
      assert.deepEqual(await values(), [value]);
    }
    await other.close();
  });

  it('outlive bookkeeping, which readers do not see', async () => {
    await values();
    await service.call('/v1/lookups', { method: 'POST', headers: { 'X-Forwarded-For': '203.0.113.1' } });
    await values();
    assert.equal(service.gate.runs, 1);
  });

  it('end after 60 seconds', async () => {
    await values();
    service.pass(59);
    await values();
    assert.equal(service.gate.runs, 1);
    service.pass(1);
    await values();
    assert.equal(service.gate.runs, 2);
  });

  it('differ by address and are not used for callers with credentials', async () => {
    await values();
    await values('/v1/notes?limit=5');
    assert.equal(service.gate.runs, 2);
    await service.call('/v1/notes', { token: 'read-token' });
    await service.call('/v1/notes', { headers: { Cookie: 'registry.session_token=x' } });
    assert.equal(service.gate.runs, 4);
    await values();
    assert.equal(service.gate.runs, 4);
  });

  it('are not made of hidden or degraded answers, failures or where the declaration wants a fresh read', async () => {
    for (const path of ['/v1/hidden', '/v1/degraded', '/v1/fresh', '/v1/uncached']) {
      const before = service.gate.runs;
      await values(path);
      await values(path);
      assert.equal(service.gate.runs, before + 2, path);
    }
  });
});

describe('stored answers', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());
  const xCache = async (path: string, options = {}) => (await service.call(path, options)).headers['x-cache'];

  it('tell HIT or MISS for the default request in all its spellings, BYPASS for others', async () => {
    assert.equal(await xCache('/v1/latest'), 'MISS');
    assert.equal(await xCache('/v1/latest'), 'HIT');
    assert.equal(await xCache('/v1/latest', { method: 'HEAD' }), 'HIT');
    assert.equal(await xCache('/v1/latest?count=10'), 'HIT');
    assert.equal(await xCache('/v1/latest/?utm=1'), 'HIT');
    assert.equal(service.gate.runs, 1);
    assert.equal(await xCache('/v1/latest?count=5'), 'BYPASS');
    assert.equal(await xCache('/v1/latest?count=5'), 'BYPASS');
    assert.equal(await xCache('/v1/latest?org=acme'), 'BYPASS');
    assert.equal(service.gate.runs, 4);
    assert.equal(await xCache('/v1/latest', { token: 'read-token' }), 'MISS');
  });

  it('live 300 seconds, and end earlier when data changes', async () => {
    service.pass(299);
    assert.equal(await xCache('/v1/latest'), 'HIT');
    service.pass(1);
    assert.equal(await xCache('/v1/latest'), 'MISS');
    assert.equal(await xCache('/v1/latest'), 'HIT');
    await writeNote(service.app.ctx, 'x', 'y');
    assert.equal(await xCache('/v1/latest'), 'MISS');
  });
});

describe('REGISTRY_CACHE=off', () => {
  it('keeps nothing', async () => {
    const service = await startFixture({ env: { REGISTRY_CACHE: 'off' } });
    for (const run of [1, 2]) assert.equal((await service.call('/v1/notes')).json.runs, run);
    for (let i = 0; i < 2; i += 1) assert.equal((await service.call('/v1/latest')).headers['x-cache'], 'MISS');
    await service.close();
  });
});
