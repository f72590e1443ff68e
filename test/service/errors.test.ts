// Bad input: each case gets its code in the common envelope, and changes nothing.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts';
import type { Answer } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

type Case = [name: string, code: ErrorCode, call: (service: Service, ids: Ids) => Promise<Answer>];

interface Ids {
  org: string;
  src: string;
  rel: string;
}

const CASES: Case[] = [
  ['unknown enum', 'bad_request', ({ anonymous }, { org }) => anonymous.get(`/v1/orgs/${org}/releases?kind=gadget`)],
  ['empty enum', 'bad_request', ({ anonymous }, { org }) => anonymous.get(`/v1/orgs/${org}/releases?kind=`)],
  [
    'unknown token in a list',
    'bad_request',
    ({ anonymous }) => anonymous.get('/v1/releases/latest?source_type=feed,fax'),
  ],
  ['impossible date', 'bad_request', ({ anonymous }) => anonymous.get('/v1/releases/latest?since=2024-02-30')],
  [
    'window upside down',
    'bad_request',
    ({ anonymous }) => anonymous.get('/v1/releases/latest?since=2026-02-01&until=2026-01-01'),
  ],
  ['flag that is none', 'bad_request', ({ anonymous }) => anonymous.get('/v1/orgs?includeEmpty=yes')],
  ['number out of range', 'bad_request', ({ anonymous }) => anonymous.get('/v1/releases/latest?minImportance=9')],
  [
    'source and org together',
    'bad_request',
    ({ anonymous }, { org, src }) => anonymous.get(`/v1/releases/latest?org=${org}&source=${src}`),
  ],
  [
    'required parameter missing',
    'bad_request',
    ({ anonymous }, { src }) => anonymous.get(`/v1/sources/${src}/recent-releases`),
  ],
  [
    'activity dates upside down',
    'bad_request',
    ({ anonymous }, { org }) => anonymous.get(`/v1/orgs/${org}/activity?from=2026-02-01&to=2026-01-01`),
  ],
  ['broken percent-encoding', 'bad_request', ({ anonymous }) => anonymous.get('/v1/orgs/%ff')],
  ['broken cursor', 'invalid_cursor', ({ anonymous }, { org }) => anonymous.get(`/v1/orgs/${org}/releases?cursor=abc`)],
  [
    'endless cursor',
    'invalid_cursor',
    ({ anonymous }) => anonymous.get(`/v1/releases/latest?cursor=${'a'.repeat(600)}`),
  ],
  ['bare source slug', 'bare_slug_rejected', ({ anonymous }) => anonymous.get('/v1/sources/acme-cli/changelog')],
  ['bare product slug', 'bare_slug_rejected', ({ anonymous }) => anonymous.get('/v1/products/acme-disk/tags')],
  ['unknown org', 'not_found', ({ anonymous }) => anonymous.get('/v1/orgs/nobody')],
  ['unknown id', 'not_found', ({ anonymous }) => anonymous.get('/v1/sources/src_000000000000000000000')],
  ['malformed id', 'not_found', ({ anonymous }) => anonymous.get('/v1/releases/rel_short')],
  [
    'unknown product filter',
    'not_found',
    ({ anonymous }, { org }) => anonymous.get(`/v1/orgs/${org}/releases?product=none`),
  ],
  ['unknown route', 'not_found', ({ anonymous }) => anonymous.get('/v1/nothing/here')],
  ['unknown method', 'method_not_allowed', ({ root }) => root.post('/v1/stats', {})],
  ['no credential', 'unauthorized', ({ anonymous }) => anonymous.post('/v1/orgs', { name: 'X' })],
  [
    'wrong credential',
    'unauthorized',
    ({ as }) => as(`relk_${'a'.repeat(12)}_${'b'.repeat(32)}`).post('/v1/orgs', { name: 'X' }),
  ],
  ['admin option for everybody', 'forbidden', ({ anonymous }) => anonymous.get('/v1/orgs?trackingRequested=1')],
  ['not JSON', 'invalid_json', ({ root }) => root.post('/v1/orgs', '{"name": ')],
  [
    'wrong media type',
    'unsupported_media_type',
    ({ root }) => root.post('/v1/orgs', '<xml/>', { 'Content-Type': 'text/xml' }),
  ],
  ['wrong type', 'validation_failed', ({ root }) => root.post('/v1/orgs', { name: 7 })],
  ['not an object', 'validation_failed', ({ root }) => root.post('/v1/orgs', [])],
  ['unknown key of a PATCH', 'validation_failed', ({ root }, { org }) => root.patch(`/v1/orgs/${org}`, { nmae: 'X' })],
  [
    'null where null is no value',
    'validation_failed',
    ({ root }, { org }) => root.patch(`/v1/orgs/${org}`, { name: null }),
  ],
  ['PATCH without a field', 'bad_request', ({ root }, { org }) => root.patch(`/v1/orgs/${org}`, {})],
  ['control character', 'validation_failed', ({ root }) => root.post('/v1/orgs', { name: 'A\u0007' })],
  [
    'one bad row of a batch',
    'validation_failed',
    ({ root }, { src }) =>
      root.post(`/v1/sources/${src}/releases/batch`, { releases: [releaseRow('7.0.0'), { content: 'nameless' }] }),
  ],
  [
    'impossible date in a body',
    'validation_failed',
    ({ root }, { src }) =>
      root.post(`/v1/sources/${src}/releases`, { ...releaseRow('7.0.0'), publishedAt: '2026-02-30' }),
  ],
  [
    'too many rows',
    'payload_too_large',
    ({ root }, { src }) =>
      root.post(`/v1/sources/${src}/releases/batch`, {
        releases: Array.from({ length: 501 }, (_, n) => releaseRow(`7.${n}.0`)),
      }),
  ],
  [
    'oversized body',
    'payload_too_large',
    ({ root }) => root.post('/v1/orgs', { name: 'X', description: 'x'.repeat(70_000) }),
  ],
  [
    'announce and silent',
    'bad_request',
    ({ root }, { src }) =>
      root.post(`/v1/sources/${src}/releases/batch`, { releases: [releaseRow('7.0.0')], announce: true, silent: true }),
  ],
  ['taken slug', 'conflict', ({ root }, { org }) => root.post('/v1/orgs', { name: 'X', slug: org })],
  ['reserved slug', 'slug_reserved', ({ root }) => root.post('/v1/orgs', { name: 'X', slug: 'search' })],
  ['shared slug', 'ambiguous_slug', ({ anonymous }) => anonymous.get('/v1/lookups/source-by-slug?slug=shared')],
  [
    'shared slug on the latest feed',
    'ambiguous_slug',
    ({ anonymous }) => anonymous.get('/v1/releases/latest?source=shared'),
  ],
  [
    'short idempotency key',
    'bad_request',
    ({ root }) => root.post('/v1/orgs', { name: 'X' }, { 'Idempotency-Key': 'short' }),
  ],
];

forEachEngine('bad input', (engine) => {
  it('answers each case with its code and leaves the registry as it was', async () => {
    const app = await engine.openTestApp();
    const { ctx } = app;
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    for (const owner of [await createOrg(ctx), await createOrg(ctx)])
      await createSource(ctx, { orgId: owner.id, slug: 'shared' });
    const { insertedIds } = await postReleases(ctx, source.id, [releaseRow('1.0.0')]);
    const service = await startService(app);
    const before = await contents();

    for (const [name, code, call] of CASES) {
      const answer = await call(service, { org: org.slug, src: source.id, rel: insertedIds[0] ?? '' });
      const type = ERROR_CODES[code];
      assert.equal(answer.body?.error?.code, code, `${name}: ${answer.text.slice(0, 300)}`);
      assert.deepEqual([answer.status, answer.body.error.type], [ERROR_STATUS[type], type], name);
      assert.equal(typeof answer.body.error.message, 'string', name);
      assert.equal(answer.headers.get('cache-control'), 'private, no-store', name);
      assert.ok(answer.headers.get('x-request-id'), name);
    }

    assert.deepEqual(await contents(), before);

    async function contents() {
      const tables = ['orgs', 'products', 'sources', 'releases', 'events', 'audit_log', 'idempotency'] as const;
      const rows = await Promise.all(tables.map((table) => ctx.store.read.selectFrom(table).selectAll().execute()));
      return rows.map((list) => JSON.stringify(list));
    }
  });

  it('names the scope that is missing', async () => {
    const app = await engine.openTestApp();
    const service = await startService(app);
    const { body } = await service.root.post('/v1/tokens', { name: 'reader', scopes: ['read'] });

    const answer = await service.as(body.token).post('/v1/orgs', { name: 'X' });

    assert.deepEqual(
      [answer.status, answer.body.error.code, answer.body.error.details],
      [403, 'insufficient_scope', { required: 'write' }],
    );
  });
});
