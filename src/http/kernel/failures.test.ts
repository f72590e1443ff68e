import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';

describe('errors that no caller causes', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());

  it('500 internal_error tells the request id and logs the cause', async () => {
    const answer = await service.call('/v1/boom', { headers: { 'X-Request-Id': 'request-of-boom' } });

    assert.equal(answer.status, 500);
    assert.deepEqual(answer.json.error, {
      code: 'internal_error',
      type: 'internal',
      message: 'something went wrong',
      details: { requestId: 'request-of-boom' },
    });
    const line = service.logged.find((entry) => entry.requestId === 'request-of-boom');
    assert.equal((line?.err as { message: string } | undefined)?.message, 'hidden cause');
    assert.equal(line?.route, '/v1/boom');
  });

  it('500 internal_error for an answer that its schema does not allow', async () => {
    assert.equal((await service.call('/v1/wrong')).json.error.code, 'internal_error');
  });

  it('503 service_unavailable with Retry-After while the database is busy', async () => {
    const answer = await service.call('/v1/busy');

    assert.equal(answer.status, 503);
    assert.equal(answer.json.error.code, 'service_unavailable');
    assert.equal(answer.json.error.type, 'unavailable');
    assert.equal(answer.headers['retry-after'], '1');
  });

  it('503 service_unavailable for a text that takes too long to read', async () => {
    const answer = await service.call('/v1/slow-text');

    assert.equal(answer.status, 503);
    assert.equal(answer.json.error.message, 'a text could not be read in time');
    assert.equal(answer.headers['retry-after'], '30');
  });

  it('502 upstream_error keeps its details and adds the request id', async () => {
    const answer = await service.call('/v1/upstream', { headers: { 'X-Request-Id': 'request-up' } });

    assert.equal(answer.status, 502);
    assert.deepEqual(answer.json.error.details, { host: 'feeds.example', status: 502, requestId: 'request-up' });
  });
});

describe('a database that is not there', () => {
  it('503 database_not_initialized on every read while migrations are missing', async () => {
    const service = await startFixture({ migrate: false });
    for (const path of ['/v1/notes', '/v1/uncached', '/ready']) {
      const answer = await service.call(path);
      assert.equal(answer.status, 503, path);
      assert.equal(answer.json.error.code, 'database_not_initialized', path);
      assert.deepEqual(answer.json.error.details, { db: 'ok', migrations: 'missing', setup: ['registry migrate'] });
    }
    assert.equal((await service.call('/health')).status, 200);
    await service.close();
  });

  it('503 service_unavailable when it does not answer', async () => {
    const service = await startFixture();
    service.app.ctx.store.ping = () => Promise.reject(new Error('connection refused'));
    for (const path of ['/v1/boom', '/ready']) {
      const answer = await service.call(path);
      assert.equal(answer.json.error.code, 'service_unavailable', path);
      assert.equal(answer.json.error.details.reason, 'database', path);
    }
    await service.close();
  });
});
