import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';

describe('credentials', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());

  it('401 unauthorized without a credential', async () => {
    for (const headers of [{}, { Authorization: 'Basic abc' }] as Record<string, string>[]) {
      const answer = await service.call('/v1/mine', { headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.json.error.code, 'unauthorized');
      assert.equal(answer.json.error.type, 'unauthorized');
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="registry"');
    }
  });

  it('401 unauthorized with a credential that is not valid', async () => {
    const answer = await service.call('/v1/admin', { token: 'nobody' });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="registry", error="invalid_token"');
  });

  it('403 insufficient_scope names the scope that is needed', async () => {
    const answer = await service.call('/v1/admin', { token: 'write-token' });
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.json.error.details, { required: 'admin' });
    assert.equal(answer.json.error.type, 'insufficient_scope');
    const reader = await service.call('/v1/notes', { method: 'POST', body: { name: 'a' }, token: 'read-token' });
    assert.deepEqual(reader.json.error.details, { required: 'write' });
  });

  it('lets a higher scope do what a lower one may', async () => {
    assert.equal((await service.call('/v1/mine', { token: 'read-token' })).status, 200);
    for (const token of ['admin-token', 'root-key']) {
      assert.equal((await service.call('/v1/notes/1', { method: 'DELETE', token })).status, 204);
    }
  });

  it('gives the route the caller and its address, and takes the scheme in any case', async () => {
    const answer = await service.call('/v1/mine', { headers: { Authorization: 'bearer read-token' } });
    assert.deepEqual(answer.json.caller, {
      kind: 'token',
      name: 'reader',
      scope: 'read',
      tokenId: 'tok_reader',
      ip: '127.0.0.1',
    });
  });

  it('ignores an invalid credential on a public route', async () => {
    const answer = await service.call('/v1/notes', { token: 'nobody' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['cache-control'], 'private, no-store');
  });

  it('asks for the credential before it looks at the body', async () => {
    const answer = await service.call('/v1/notes', {
      method: 'POST',
      body: 'not json',
      headers: { 'Idempotency-Key': 'x' },
    });
    assert.equal(answer.status, 401);
  });
});
