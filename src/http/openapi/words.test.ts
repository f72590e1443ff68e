// Everything in the document of the whole API has a description and an example.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'zod/v4/core';
import { readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { JsonSchema } from '../../contract/query.ts';
import { referencePages } from '../../web/pages/reference.ts';
import type { RouteDeclaration } from '../kernel/route.ts';
import { ROUTES } from '../routes/index.ts';
import { describedApi } from '../routes/service/described-api.ts';
import { accessText } from './document.ts';
import type { Example, OpenApiDocument, Operation } from './document-types.ts';
import { walkSchema } from './schemas.ts';

interface Described {
  name: string;
  operation: Operation;
  route: RouteDeclaration;
}

describe('the words of openapi.json', () => {
  let document: OpenApiDocument;
  let described: Described[];
  let validate: (schema: JsonSchema, value: unknown) => string | null;

  before(async () => {
    const config = readConfig({});
    const api = describedApi({ config } as Context, { routes: ROUTES, reference: referencePages });
    document = await api.document();
    described = api.routes.map((route) => {
      const operation = document.paths[`/v1${route.path}`]?.[route.method.toLowerCase()];
      assert.ok(operation, route.path);
      return { name: `${route.method} ${route.path}`, operation, route };
    });
    const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema({ $id: 'doc', components: document.components });
    validate = (schema, value) => {
      const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')));
      return check(value) ? null : ajv.errorsText(check.errors).slice(0, 300);
    };
  });

  const valueFor = (example: Example | undefined): unknown => {
    if (example && '$ref' in example) {
      return valueFor(document.components.examples[example.$ref.replace('#/components/examples/', '')]);
    }
    return example?.value;
  };

  it('describes every operation in sentences of its own and says who may call it', () => {
    const poor = described.filter(({ operation: { summary, description }, route }) => {
      const own = description.slice(0, -accessText(route.access).length).trim();
      return !/^[A-Z`].+\.$/s.test(own) || own === `${summary}.` || !description.endsWith(accessText(route.access));
    });
    assert.deepEqual(
      poor.map(({ name }) => name),
      [],
    );
  });

  it('describes every parameter', () => {
    const silent = described.flatMap(({ name, operation }) =>
      operation.parameters.filter((each) => !each.description).map((each) => `${name}: ${each.in} ${each.name}`),
    );
    assert.deepEqual(silent, []);
  });

  it('describes every field of every schema', () => {
    const silent = new Set<string>();
    const check = (where: string, schema: JsonSchema) =>
      walkSchema(schema, ({ properties = {} }) => {
        for (const [name, field] of Object.entries(properties)) {
          if (typeof field.description !== 'string' || field.description === '') silent.add(`${where}: ${name}`);
        }
      });
    for (const [name, schema] of Object.entries(document.components.schemas)) check(name, schema);
    for (const { name, operation } of described) {
      const contents = [operation.requestBody, ...Object.values(operation.responses)].map(
        (each) => each?.content ?? {},
      );
      for (const { schema } of contents.flatMap((content) => Object.values(content))) check(name, schema);
    }
    assert.deepEqual([...silent], []);
  });

  it('shows an answer of every operation that its own schema allows', () => {
    const wrong = described.flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2') && status !== '204')
        .flatMap(([status, { content = {} }]) => {
          const [media] = Object.values(content);
          const value = valueFor(media?.examples?.sample);
          if (!media || value === undefined) return [`${name} ${status}: no example`];
          const problem = validate(media.schema, value);
          return problem === null ? [] : [`${name} ${status}: ${problem}`];
        }),
    );
    assert.deepEqual(wrong, []);
  });

  it('shows a body that the route itself takes', () => {
    const wrong = described.flatMap(({ name, operation, route }) => {
      if (!route.body) return [];
      const media = operation.requestBody?.content['application/json'];
      const value = valueFor(media?.examples?.sample);
      const result = route.body.safeParse(value);
      const problem = media ? validate(media.schema, value) : 'no body';
      return result.success && problem === null ? [] : [`${name}: ${problem ?? result.error?.message}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('names the default of every parameter that has one', () => {
    const count = document.paths['/v1/releases/latest']?.get?.parameters.find(({ name }) => name === 'count');
    assert.deepEqual(count?.schema, { type: 'integer', minimum: 1, maximum: 100, default: 10 });
    const inputs = described.find(({ route }) => route.path === '/orgs/{org}/overview/inputs');
    const window = inputs?.route.query?.window;
    assert.ok(window);
    assert.equal(parse(window, []), 30, 'absent, the window is that of the description');
    const silent = described.flatMap(({ name, route, operation }) =>
      Object.entries(route.query ?? {}).flatMap(([parameter, schema]) => {
        const shown = operation.parameters.find((each) => each.name === parameter)?.schema.default;
        const used = requiredIn(operation, parameter) ? undefined : parse(schema, []);
        return used === undefined || used === shown ? [] : [`${name}: ${parameter}`];
      }),
    );
    assert.deepEqual(silent, []);
  });
});

function requiredIn(operation: Operation, parameter: string): boolean {
  return operation.parameters.some(({ name, required }) => name === parameter && required);
}
