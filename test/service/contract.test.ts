// Sends every documented operation to the real service and checks each response against the published document.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Context, now, transact } from '../../src/context.ts';
import { botRoutes } from '../../src/http/routes/bots.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createFetch } from '../../src/net/fetch.ts';
import { toJson } from '../../src/store/json-text.ts';
import type { ReadingRow } from '../../src/store/schema/readings.ts';
import { signUp } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { startOutsideWorld } from '../support/outside-world.ts';
import { startService } from '../support/service.ts';
import {
  type AccountWorld,
  defaultParams,
  isPlainRead,
  LAST,
  makeWorld,
  READING_ID,
  SAMPLES,
  type Sample,
  STACK_BODY,
  WAITING_HOST,
  type World,
} from './samples.ts';
import { makeWebhooks } from './webhook-world.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
  parameters?: { name: string; in: string; required?: boolean }[];
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

// Only a user key may call this operation.
const SELF_REVOKING = 'DELETE /tokens/me';
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

// A path under an org uses the sample of the bare path, with the org's own parameters.
function sampleOf(name: string, world: World): Sample | null {
  const bare = name
    .replace('/orgs/{org}/sources/{source}', '/sources/{src}')
    .replace('/orgs/{org}/products/{product}', '/products/{prod}');
  const make = SAMPLES[name] ?? SAMPLES[bare];
  if (make) return make(world);
  return isPlainRead(name) ? {} : null;
}

// The document is the same on both engines, and most of this test would be compiling its validators twice.
const validators = new Map<string, ReturnType<typeof validator>>();

function validatorOf(document: Document) {
  const text = JSON.stringify(document);
  const known = validators.get(text) ?? validator(document);
  validators.set(text, known);
  return known;
}

function validator(document: Document) {
  const compiled = new Map<string, ValidateFunction>();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'doc', components: document.components } as object);
  return (schema: object, value: unknown): string | null => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors).slice(0, 500);
  };
}

// A code host with one file, a page that reads like a changelog, and no other host.
async function startOutside() {
  const world = await startOutsideWorld();
  const fetch = createFetch({
    userAgent: 'test',
    allow: ['127.0.0.1'],
    rules: { retry: false },
    lookup: async () => [],
  });
  const entries = ['1.2.0', '1.1.0', '1.0.0'].map(
    (version) =>
      `<h2>${version} (2026-01-0${version[2]})</h2><p>Added a thing that is told of at some length here.</p>`,
  );
  const html = `<html><head><title>Changelog</title></head><body><main>${entries.join('')}</main></body></html>`;
  world.route('/changelog', { headers: { 'content-type': 'text/html' }, body: html });
  world.route('/robots.txt', { status: 404 });
  const repository = (coordinate: string) => {
    const tree = [{ path: 'CHANGELOG.md', type: 'blob', mode: '100644', sha: 'a'.repeat(40), size: 100 }];
    const body = JSON.stringify({ sha: 'b'.repeat(40), truncated: false, tree });
    world.route(`/repos/${coordinate}/git/trees/HEAD`, { headers: { 'content-type': 'application/json' }, body });
  };
  return { url: world.url, fetch, repository, close: () => world.close() };
}

async function makeAccountWorld(account: Client): Promise<AccountWorld> {
  const mint = async () => String((await account.post('/v1/me/api-keys', { name: 'spare' })).body.id);
  const { feedUrl } = (await account.post('/v1/me/feed/token', {})).body;
  for (const name of ['kept', 'spare', 'spare-feed']) await account.put(`/v1/me/stacks/${name}`, STACK_BODY);
  const stackFeed = (await account.post('/v1/me/stacks/kept/feed', {})).body.feedUrl;
  const tokenIn = (url: unknown) => String(url).split('/').at(-1) ?? '';
  return { spareKeys: [await mint(), await mint()], feedToken: tokenIn(feedUrl), stackToken: tokenIn(stackFeed) };
}

// A source whose flood waits for an operator, a host that asked to be left alone, and what was read for a question.
async function holdSource(ctx: Context, sourceId: string): Promise<void> {
  const at = now(ctx);
  const until = new Date(ctx.clock().getTime() + 3_600_000).toISOString();
  const hold = {
    source_id: sourceId,
    fetch_priority: 'normal' as const,
    reason: 'many',
    found: 90,
    allowed: 50,
    held_at: at,
  };
  const wait = { host: WAITING_HOST, claims: 0, next_request_at: until, wait_reason: 'retry_after' } as const;
  await transact(ctx, async ({ tx }) => {
    await tx.insertInto('source_holds').values(hold).execute();
    await tx.insertInto('hosts').values(wait).execute();
    await tx.insertInto('readings').values(readingRow(at)).execute();
  });
}

function readingRow(at: string): ReadingRow {
  return {
    id: READING_ID,
    ecosystem: 'npm',
    name: 'sample',
    spelling: 'sample',
    question: 'npm:sample',
    from_version: '1.0.0',
    to_version: 'latest',
    priority: 0,
    anonymous: 1,
    state: 'done',
    parts: toJson([{ part: 'listing', state: 'done', text: 'Its versions are read from npm' }]),
    reason: null,
    payer: null,
    turn_at: '2026-01-01T00:00:00.000Z',
    ordered_at: at,
    started_at: at,
    ended_at: at,
  };
}

forEachEngine('the published document', (engine) => {
  it('holds for every operation it names', async (test) => {
    const outside = await startOutside();
    test.after(() => outside.close());
    const app = await openDemoApp(engine, {
      fetch: outside.fetch,
      lookup: async () => [],
      env: { REGISTRY_GITHUB_API_URL: outside.url },
    });
    const service = await startService(app);
    const document: Document = (await service.anonymous.get('/v1/openapi.json')).body;
    const { session: account } = await signUp(service);
    const key = service.as((await account.post('/v1/me/api-keys', { name: 'sample' })).body.key);
    const made = await makeWorld(service, outside.url);
    const world = {
      ...made,
      webhooks: await makeWebhooks(app.ctx, { service, account, org: made.org }),
      account: await makeAccountWorld(account),
    };
    await holdSource(app.ctx, world.github.sourceId);
    outside.repository(world.coordinate);
    const check = validatorOf(document);
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
      const client = name === SELF_REVOKING ? key : /^\w+ \/(?:me|api-keys)\b/.test(name) ? account : service.root;
      // An opened stream does not end.
      const live = operation.responses['200']?.content?.['text/event-stream'] !== undefined;
      const answer = await client.request(live ? 'HEAD' : method.toUpperCase(), target, sample.body, sample.headers);
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
    // Document, reference and index describe the API itself; the rest is health and metrics at the root.
    const known = [
      'GET ',
      'GET /openapi.json',
      'GET /docs',
      'GET /docs/{group}',
      'GET /docs/schemas',
      'GET /docs/schemas/{schema}',
      'GET /health',
      'GET /ready',
      'GET /metrics',
      'GET /schemas/releases-v2.json',
      'GET /.well-known/api-catalog',
      ...botRoutes().map(({ path }) => `GET /bots${path}`),
    ];
    assert.deepEqual(
      extra.filter((name) => !known.includes(name)),
      [],
    );
  });
});
