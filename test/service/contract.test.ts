// Sends every documented operation to the real service and holds each answer against the published document.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadDemo } from '../../src/demo/load.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { defaultParams, isPlainRead, LAST, makeWorld, SAMPLES, type Sample, type World } from './samples.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
  parameters?: { name: string; in: string; required?: boolean }[];
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function operationsOf(document: Document): { name: string; method: string; path: string; operation: Operation }[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`,
        method,
        path,
        operation,
      })),
  );
  const place = (name: string) => LAST.indexOf(name);
  return found.sort((a, b) => place(a.name) - place(b.name));
}

// A path under an org takes the sample of the bare path, with the org's own parameters.
function sampleOf(name: string, world: World): Sample | null {
  const bare = name
    .replace('/orgs/{org}/sources/{source}', '/sources/{src}')
    .replace('/orgs/{org}/products/{product}', '/products/{prod}');
  const make = SAMPLES[name] ?? SAMPLES[bare];
  if (make) return make(world);
  return isPlainRead(name) ? {} : null;
}

function validator(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'doc', components: document.components } as object);
  return (schema: object, value: unknown): string | null => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/');
    const validate = ajv.compile(JSON.parse(text));
    return validate(value) ? null : ajv.errorsText(validate.errors).slice(0, 500);
  };
}

forEachEngine('the published document', (engine) => {
  it('holds for every operation it names', async () => {
    const app = await engine.openTestApp();
    await loadDemo(app.ctx, { releases: 250 });
    const service = await startService(app);
    const document: Document = (await service.anonymous.get('/v1/openapi.json')).body;
    const world = await makeWorld(service);
    const check = validator(document);
    const failures: string[] = [];

    for (const { name, method, path, operation } of operationsOf(document)) {
      const sample = sampleOf(name, world);
      if (!sample) {
        failures.push(`${name}: no sample`);
        continue;
      }
      const params = { ...defaultParams(world), ...sample.params };
      const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => params[key as keyof typeof params] ?? `{${key}}`);
      const target = sample.query ? `${filled}?${sample.query}` : filled;
      const answer = await service.root.request(method.toUpperCase(), target, sample.body);
      const documented = operation.responses[String(answer.status)];
      if (answer.status >= 400 || !documented) {
        failures.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
        continue;
      }
      const schema = documented.content?.['application/json']?.schema;
      const problem = schema ? check(schema, answer.body) : null;
      if (problem) failures.push(`${name}: ${problem}`);
    }

    assert.deepEqual(failures, []);
  });
});

forEachEngine('every registered route', (engine) => {
  it('is documented, and the document names no other', async () => {
    const service = await startService(await engine.openTestApp());
    const document: Document = (await service.anonymous.get('/v1/openapi.json')).body;
    const documented = new Set(operationsOf(document).map(({ name }) => name));

    const registered = ROUTES.map((route) => `${route.method} ${route.path}`);
    assert.deepEqual(
      registered.filter((name) => !documented.has(name)),
      [],
    );
    const extra = [...documented].filter((name) => !registered.includes(name));
    // Document, reference and index describe the API itself; the rest is the operating surface at the root.
    const known = [
      'GET ',
      'GET /openapi.json',
      'GET /docs',
      'GET /health',
      'GET /ready',
      'GET /metrics',
      'GET /schemas/releases-v2.json',
      'GET /.well-known/api-catalog',
    ];
    assert.deepEqual(
      extra.filter((name) => !known.includes(name)),
      [],
    );
  });
});
