import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { limitLike } from '../../contract/query.ts';
import { route } from './route.ts';
import { compileRoute } from './router.ts';
import { readQueryInput } from './target.ts';

const BODY = 'A'.repeat(21);

describe('path identifiers and query', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture();
  });
  after(() => service.close());

  it('400 bare_slug_rejected with a hint to the lookup', async () => {
    const cases: [path: string, entity: string, slug: string][] = [
      ['/v1/sources/next.js%20x/echo', 'source', 'next.js%20x'],
      [`/v1/sources/org_${BODY}/echo`, 'source', `org_${BODY}`],
      ['/v1/products/next/echo', 'product', 'next'],
    ];
    for (const [path, entity, slug] of cases) {
      const answer = await service.call(path);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.error.code, 'bare_slug_rejected');
      assert.deepEqual(answer.json.error.details, { entity, hint: `/v1/lookups/${entity}-by-slug?slug=${slug}` });
    }
  });

  it('404 not_found for ids that are malformed', async () => {
    const cases: [path: string, entity: string, value: string][] = [
      ['/v1/sources/src_short/echo', 'source', 'src_short'],
      ['/v1/products/prod_short/echo', 'product', 'prod_short'],
      ['/v1/releases/anything', 'release', 'anything'],
      [`/v1/releases/rel_${BODY}x`, 'release', `rel_${BODY}x`],
    ];
    for (const [path, entity, value] of cases) {
      const answer = await service.call(path);
      assert.equal(answer.status, 404, path);
      assert.deepEqual(answer.json.error.details, { entity, value });
    }
  });

  it('reads ids in their accepted spellings', async () => {
    const cases: [path: string, params: Record<string, string>][] = [
      [`/v1/sources/src_${BODY}/echo`, { src: `src_${BODY}` }],
      [`/v1/products/prd_${BODY}/echo`, { prod: `prod_${BODY}` }],
      [`/v1/orgs/acme/products/prd_${BODY}/echo`, { org: 'acme', product: `prod_${BODY}` }],
      ['/v1/orgs/acme/sources/some-slug/echo', { org: 'acme', source: 'some-slug' }],
      [`/v1/releases/rel_${BODY}-v1.0-what-is-new`, { rel: `rel_${BODY}` }],
    ];
    for (const [path, params] of cases) assert.deepEqual((await service.call(path)).json.params, params, path);
  });

  it('400 bad_request names every broken parameter', async () => {
    const answer = await service.call('/v1/notes?kind=c&hidden=maybe&limit=junk&unknown=1');
    const { message, details } = answer.json.error;
    assert.equal(answer.status, 400);
    assert.equal(answer.json.error.code, 'bad_request');
    assert.equal(details.parameter, 'kind');
    assert.match(message, /kind: must be one of a, b; hidden: must be true/);
    assert.deepEqual((await service.call('/v1/find')).json.error.details, { parameter: 'q', reason: 'is required' });
  });

  it('takes the first of repeated scalars and decodes plus signs', async () => {
    const answer = await service.call('/v1/find?q=a+b%2Bc&q=second&&=x&flag');
    assert.deepEqual(answer.json.query, { q: 'a b+c' });
  });

  it('looks at the path before the query, and at the query before the body', async () => {
    assert.equal((await service.call('/v1/sources/slug/echo?kind=c')).json.error.code, 'bare_slug_rejected');
  });
});

it('gives every request without a query the defaults, whatever an earlier one did with them', () => {
  const declaration = route({
    method: 'GET',
    path: '/defaults',
    summary: 'For tests',
    tag: 'Fixture',
    access: 'public',
    query: { limit: limitLike({ default: 20, max: 100 }) },
    answers: { 200: z.null() },
    run: async () => null,
  });
  const compiled = compileRoute({ prefix: '/v1', routes: [declaration] }, declaration);
  const first: Record<string, unknown> = readQueryInput(compiled, '');
  assert.deepEqual(first, { limit: 20 });
  first.limit = 1;
  assert.deepEqual(readQueryInput(compiled, ''), { limit: 20 });
  assert.deepEqual(readQueryInput(compiled, 'limit=3'), { limit: 3 });
});
