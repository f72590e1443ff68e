import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';

const KEY = 'key-0123456789abcdef';

describe('idempotency', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());

  const create = (name: string, key: string, token = 'write-token', path = '/v1/notes') =>
    service.call(path, { method: 'POST', token, body: { name }, headers: { 'Idempotency-Key': key } });

  it('400 bad_request for a key of the wrong form', async () => {
    for (const key of ['short', 'x'.repeat(256), 'with a blank inside it', '']) {
      const answer = await create('a', key);
      assert.equal(answer.status, 400, key);
      assert.equal(answer.json.error.details.parameter, 'Idempotency-Key');
    }
    assert.equal((await create('a', 'x'.repeat(255))).status, 201);
  });

  it('replays status, body and Location', async () => {
    const first = await create('once', KEY);
    const again = await create('once', KEY);
    assert.equal(again.status, 201);
    assert.deepEqual(again.json, first.json);
    assert.equal(again.headers.location, first.headers.location);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });

  it('409 idempotency_conflict for another body or query, also for one that is not valid', async () => {
    assert.equal((await create('other', KEY)).json.error.code, 'idempotency_conflict');
    assert.equal((await create('x'.repeat(99), KEY)).json.error.code, 'idempotency_conflict');
    assert.equal((await create('once', KEY, 'write-token', '/v1/notes?a=1')).status, 409);
  });

  it('keeps callers apart and frees the key of a failed call', async () => {
    assert.equal((await create('else', KEY, 'admin-token')).status, 201);
    const key = 'key-that-failed-first';
    assert.equal((await create('x'.repeat(99), key)).json.error.code, 'validation_failed');
    assert.equal((await create('fine', key)).status, 201);
  });

  it('ignores the header on other methods', async () => {
    const headers = { 'Idempotency-Key': 'x' };
    assert.equal((await service.call('/v1/notes', { headers })).status, 200);
    const patched = await service.call('/v1/notes/1', {
      method: 'PATCH',
      token: 'write-token',
      body: { size: 1 },
      headers,
    });
    assert.equal(patched.status, 200);
  });
});

describe('without a keeper of answers', () => {
  it('503 idempotency_unavailable, and the request does not run', async () => {
    const service = await startFixture({ input: { idempotency: undefined } });
    const body = { name: 'a' };
    const options = { method: 'POST', token: 'write-token', body, headers: { 'Idempotency-Key': KEY } };
    assert.equal((await service.call('/v1/notes', options)).json.error.code, 'idempotency_unavailable');
    assert.deepEqual((await service.call('/v1/notes')).json.notes, []);
    await service.close();
  });
});
