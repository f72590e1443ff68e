import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { writeNote } from '../../../test/support/kernel-routes.ts';

describe('conditional requests and cache headers', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
    await writeNote(service.app.ctx, 'first', 'One');
  });
  after(() => service.close());

  // The first call takes the full request path, the second is served from the cache by the fast lane.
  async function twice(path: string, headers: Record<string, string> = {}) {
    return [await service.call(path, { headers }), await service.call(path, { headers })];
  }

  it('tags the uncoded body with 27 characters of its SHA-256', async () => {
    for (const answer of await twice('/v1/large')) {
      const hash = createHash('sha256').update(answer.body).digest('base64url').slice(0, 27);
      assert.equal(answer.headers.etag, `"${hash}"`);
    }
  });

  it('304 for a tag in any accepted form, with the headers of the 200', async () => {
    const { etag = '', ...full } = (await service.call('/v1/large')).headers;
    const bare = etag.slice(1, -1);
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*', `"${bare}-gzip"`, `"${bare}-br"`]) {
      for (const path of ['/v1/large', '/v1/large?', '/v1/large/']) {
        const answer = await service.call(path, { headers: { 'If-None-Match': given } });
        assert.equal(answer.status, 304, given);
        assert.equal(answer.body.length, 0);
        assert.equal(answer.headers.etag, etag);
        assert.equal(answer.headers['cache-control'], full['cache-control']);
        assert.equal(answer.headers.vary, full.vary);
        assert.equal(answer.headers['content-type'], undefined);
      }
    }
    assert.equal((await service.call('/v1/large', { headers: { 'If-None-Match': '"other"' } })).status, 200);
  });

  it('304 also for HEAD and with credentials', async () => {
    const { etag = '' } = (await service.call('/v1/large')).headers;
    const headers = { 'If-None-Match': etag };
    assert.equal((await service.call('/v1/large', { method: 'HEAD', headers })).status, 304);
    const personal = await service.call('/v1/large', { headers, token: 'read-token' });
    assert.equal(personal.status, 304);
    assert.equal(personal.headers['cache-control'], 'private, no-store');
  });

  it('codes bodies above 1 KiB and marks their tags', async () => {
    const plain = await service.call('/v1/large');
    const bare = (plain.headers.etag ?? '').slice(1, -1);
    for (const answer of await twice('/v1/large', { 'Accept-Encoding': 'gzip' })) {
      assert.equal(answer.headers['content-encoding'], 'gzip');
      assert.equal(answer.headers.etag, `"${bare}-gzip"`);
      assert.deepEqual(gunzipSync(answer.body), plain.body);
      assert.equal(answer.headers['content-length'], String(answer.body.length));
    }
    for (const answer of await twice('/v1/large', { 'Accept-Encoding': 'gzip, br' })) {
      assert.equal(answer.headers['content-encoding'], 'br');
      assert.equal(answer.headers.etag, `"${bare}-br"`);
      assert.deepEqual(brotliDecompressSync(answer.body), plain.body);
    }
    const conditional = { 'Accept-Encoding': 'gzip', 'If-None-Match': `"${bare}"` };
    for (const answer of await twice('/v1/large', conditional)) {
      assert.equal(answer.status, 304);
      assert.equal(answer.headers.etag, `"${bare}-gzip"`);
      assert.equal(answer.headers['content-encoding'], undefined);
    }
    for (const answer of await twice('/v1/notes', { 'Accept-Encoding': 'gzip' })) {
      assert.equal(answer.headers['content-encoding'], undefined);
    }
  });

  it('tells caches by the table of the declaration', async () => {
    const open = 'public, max-age=60, stale-while-revalidate=30';
    const closed = 'private, no-store';
    const cases: [path: string, headers: Record<string, string>, expected: string][] = [
      ['/v1/notes', {}, open],
      ['/v1/fresh', {}, open],
      ['/v1/notes', { Authorization: 'Bearer read-token' }, closed],
      ['/v1/notes', { Authorization: 'Bearer nobody' }, closed],
      ['/v1/notes', { Cookie: 'a=b; registry.session_token=x' }, closed],
      ['/v1/notes', { Cookie: '__Secure-registry.session_token=x' }, closed],
      ['/v1/notes', { Cookie: 'theme=dark' }, open],
      ['/v1/uncached', {}, closed],
      ['/v1/hidden', {}, closed],
      ['/v1/degraded', {}, 'no-store'],
      ['/v1/notice', {}, 'no-store'],
      ['/v1/boom', {}, closed],
      ['/v1/openapi.json', {}, 'public, max-age=3600, stale-while-revalidate=300'],
      ['/v1/docs', {}, 'public, max-age=86400, stale-while-revalidate=300'],
      ['/v1/docs/machine-descriptions', {}, 'public, max-age=86400, stale-while-revalidate=300'],
      ['/v1/docs/schemas', {}, 'public, max-age=86400, stale-while-revalidate=300'],
      ['/v1/docs/schemas/Error', {}, 'public, max-age=86400, stale-while-revalidate=300'],
      ['/v1', {}, closed],
      ['/health', {}, 'no-store'],
      ['/ready', {}, 'no-store'],
      ['/schemas/releases-v2.json', {}, 'public, max-age=86400'],
      ['/.well-known/api-catalog', {}, 'public, max-age=3600'],
    ];
    for (const [path, headers, expected] of cases) {
      for (const answer of await twice(path, headers)) assert.equal(answer.headers['cache-control'], expected, path);
    }
  });

  it('names in Vary what the answer depends on', async () => {
    const cases: [path: string, vary: string][] = [
      ['/v1/large', 'Authorization, Accept-Encoding'],
      ['/v1/notes', 'Authorization, Accept-Encoding, Accept, Cookie'],
      ['/v1/boom', 'Authorization, Accept-Encoding'],
    ];
    for (const [path, vary] of cases) {
      for (const answer of await twice(path)) assert.equal(answer.headers.vary, vary, path);
    }
  });

  it('negotiates markdown, also from kept bytes', async () => {
    const cases: [accept: string, type: string][] = [
      ['text/markdown', 'text/markdown; charset=utf-8'],
      ['text/markdown;q=0.5, application/json;q=0.4', 'text/markdown; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
      ['text/*, application/json;q=0.9', 'text/markdown; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
      ['image/png', 'application/json; charset=utf-8'],
      ['text/markdown;q=0, */*;q=0.1', 'application/json; charset=utf-8'],
    ];
    for (const [accept, type] of cases) {
      for (const answer of await twice('/v1/notes', { Accept: accept })) {
        assert.equal(answer.headers['content-type'], type, accept);
        if (!type.startsWith('text/')) continue;
        assert.equal(answer.text, '# Notes\n\n- One\n');
        assert.equal(answer.headers['x-markdown-tokens'], '4');
      }
    }
    const failed = await service.call('/v1/notes?kind=c', { headers: { Accept: 'text/markdown' } });
    assert.equal(failed.headers['content-type'], 'application/json; charset=utf-8');
  });

  it('sends kept bytes as they were, whatever they mean', async () => {
    // Short bodies that are read often are kept as texts, others as bytes.
    for (const value of ['Größe 😀', `Größe 😀${'ß'.repeat(20_000)}`]) {
      await writeNote(service.app.ctx, 'wide', value);
      const full = await service.call('/v1/notes');
      assert.ok(full.text.includes(value));
      for (let hits = 0; hits < 20; hits += 1) {
        const cached = await service.call('/v1/notes');
        assert.equal(cached.json.runs, full.json.runs);
        assert.ok(cached.body.equals(full.body));
        assert.equal(cached.headers['content-length'], String(full.body.length));
      }
      const head = await service.call('/v1/notes', { method: 'HEAD' });
      assert.deepEqual([head.headers['content-length'], head.body.length], [String(full.body.length), 0]);
    }
  });

  it('sends null, redirects and empty answers as they are', async () => {
    assert.equal((await service.call('/v1/nothing')).text, 'null');
    const moved = await service.call('/v1/moved');
    assert.equal(moved.status, 301);
    assert.equal(moved.headers.location, '/v1/notes');
    assert.equal(moved.body.length, 0);
  });
});
