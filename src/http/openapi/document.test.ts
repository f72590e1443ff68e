import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { fixtureRoutes } from '../../../test/support/kernel-routes.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import { botRoutes } from '../routes/bots.ts';
import type { OpenApiDocument, Operation } from './document-types.ts';

describe('openapi.json', () => {
  let service: Fixture;
  let document: OpenApiDocument;
  before(async () => {
    service = await startFixture();
    document = (await service.call('/v1/openapi.json')).json;
  });
  after(() => service.close());

  const operations = (): [string, string, Operation][] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
    );
  const operation = (method: string, path: string): Operation => {
    const found = document.paths[path]?.[method];
    assert.ok(found, `${method} ${path}`);
    return found;
  };

  it('describes every declaration, the index and itself', () => {
    const declared = fixtureRoutes().routes.map((route) => `${route.method.toLowerCase()} /v1${route.path}`);
    const described = operations().map(([path, method]) => `${method} ${path}`);
    const own = ['', '/docs', '/docs/{group}', '/docs/schemas', '/docs/schemas/{schema}', '/openapi.json'];
    const bots = botRoutes().map(({ path }) => `get /bots${path}`);
    assert.deepEqual(described.sort(), [...declared, ...own.map((path) => `get /v1${path}`), ...bots].sort());
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, '1.0.0');
    assert.deepEqual(document.components.securitySchemes, { bearerAuth: { type: 'http', scheme: 'bearer' } });
    assert.match(document.servers[0]?.url ?? '', /^http:\/\/localhost/);
  });

  it('says that the reference is a page, and its errors are in the envelope', () => {
    for (const path of ['/v1/docs', '/v1/docs/{group}', '/v1/docs/schemas', '/v1/docs/schemas/{schema}']) {
      const { responses } = operation('get', path);
      for (const [status, { content }] of Object.entries(responses)) {
        const type = status === '200' ? 'text/html' : 'application/json';
        if (status !== '304') assert.deepEqual(Object.keys(content ?? {}), [type], `${path} ${status}`);
      }
      assert.equal('404' in responses, path.includes('{'), path);
    }
  });

  it('has unique operation ids and every path parameter', () => {
    const ids = operations().map(([, , { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(
      operation('get', '/v1/orgs/{org}/sources/{source}/echo').operationId,
      'getOrgsByOrgSourcesBySourceEcho',
    );
    assert.equal(operation('get', '/v1').operationId, 'getIndex');
    for (const [path, , { parameters }] of operations()) {
      const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      assert.deepEqual(
        inPath,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
    }
  });

  it('has no reference that leads nowhere, and no zod-only reference', () => {
    const text = JSON.stringify(document);
    for (const [, ref = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
      const [, kind = '', name = ''] = /^#\/components\/(schemas|examples)\/(.+)$/.exec(ref) ?? [];
      assert.ok(document.components[kind as 'schemas' | 'examples']?.[name], ref);
    }
    assert.doesNotMatch(text, /\$defs/);
  });

  it('gives the form of query parameters', () => {
    const { parameters } = operation('get', '/v1/notes');
    const kind = parameters.find(({ name }) => name === 'kind');
    assert.deepEqual(kind, {
      name: 'kind',
      in: 'query',
      required: false,
      description: 'Only entries of this kind.',
      schema: { type: 'string', enum: ['a', 'b'] },
    });
    assert.equal(operation('get', '/v1/find').parameters[0]?.required, true);
  });

  it('lists the errors of each operation under the status of their type', () => {
    const create = operation('post', '/v1/notes');
    assert.deepEqual(
      create.responses['400']?.description,
      'bad_request, validation_failed, invalid_json, unsupported_media_type',
    );
    assert.equal(create.responses['401']?.description, 'unauthorized');
    assert.equal(create.responses['403']?.description, 'insufficient_scope');
    assert.equal(create.responses['413']?.description, 'payload_too_large');
    assert.equal(create['x-scope'], 'write');
    assert.deepEqual(create.security, [{ bearerAuth: [] }]);
    const echo = operation('get', '/v1/sources/{src}/echo');
    assert.match(echo.responses['400']?.description ?? '', /bare_slug_rejected/);
    assert.equal(echo.responses['404']?.description, 'not_found');
    assert.equal(echo.responses['429']?.description, 'rate_limited');
    assert.equal(echo['x-scope'], undefined);
    assert.match(operation('get', '/v1/notes').responses['400']?.description ?? '', /invalid_cursor/);
    assert.equal(operation('get', '/v1/upstream').responses['502']?.description, 'upstream_error');
    for (const [, , { 'x-error-codes': codes }] of operations()) {
      assert.ok(codes.includes('internal_error'));
      for (const code of codes) assert.ok(code in ERROR_CODES);
    }
  });

  it('describes answers and errors as they are', async () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema({ $id: 'openapi', ...document });
    const check = (path: string, status: string, body: unknown) => {
      const pointer = `openapi#/paths/${path.replaceAll('/', '~1')}/get/responses/${status}/content/application~1json/schema`;
      const validate = ajv.getSchema(pointer);
      assert.ok(validate, pointer);
      assert.ok(validate(body), JSON.stringify(validate.errors));
      return validate;
    };
    check('/v1/notes', '200', (await service.call('/v1/notes')).json);
    const failures = check('/v1/notes', '400', (await service.call('/v1/notes?kind=c')).json);
    assert.equal(failures({ error: { code: 'payload_too_large', type: 'validation', message: '' } }), false);
  });

  it('offers markdown and bodies where they are declared', () => {
    const read = operation('get', '/v1/notes').responses['200']?.content ?? {};
    assert.deepEqual(Object.keys(read), ['application/json', 'text/markdown']);
    assert.deepEqual(read['application/json']?.schema, { $ref: '#/components/schemas/FixtureNotes' });
    const create = operation('post', '/v1/notes');
    assert.equal(create.requestBody?.required, true);
    const body = create.requestBody?.content['application/json'];
    assert.deepEqual(body?.schema, { $ref: '#/components/schemas/FixtureInput' });
    assert.deepEqual(Object.keys(body?.examples ?? {}), ['sample']);
    assert.equal(operation('delete', '/v1/notes/{id}').responses['204']?.content, undefined);
  });
});
