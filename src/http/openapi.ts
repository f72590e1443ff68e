// OpenAPI 3.1 out of the declarations.
import type { Config } from '../config.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { JsonSchema } from '../contract/query.ts';
import { errorCodes, errorEnvelope, statusOf } from './openapi-errors.ts';
import { createSchemaBook, type SchemaBook } from './openapi-schemas.ts';
import type { RouteDeclaration } from './route.ts';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: string;
  info: Json;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Json };
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Json };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
  security: Json[];
  'x-scope'?: string;
  'x-error-codes': ErrorCode[];
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

const PATH_PARAMETERS: Record<string, string> = {
  org: 'Slug, org_ id, primary domain or alias domain of an org',
  src: 'src_ id of a source',
  source: 'Slug or src_ id of a source of the org',
  prod: 'prod_ id of a product',
  product: 'Slug or prod_ id of a product of the org',
  rel: 'rel_ id of a release; text after a hyphen is ignored',
  col: 'Slug or col_ id of a collection',
};

const MEANING: Record<string, string> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '204': 'Done, no body',
  '301': 'Moved',
};

export function createOpenApi(
  config: Pick<Config, 'baseUrl' | 'siteName'>,
  routes: readonly RouteDeclaration[],
): OpenApiDocument {
  const book = createSchemaBook();
  const errorRef = book.answer(errorEnvelope);
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = `/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(book, route, errorRef) };
  }
  const { document, schemas } = book.finish(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.siteName} API`,
      version: '1.0.0',
      description: 'A registry of software changelogs: organisations, products, sources and their releases.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.baseUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths: document,
    components: { schemas, securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
  };
}

function describe(book: SchemaBook, route: RouteDeclaration, errorRef: JsonSchema): Operation {
  const codes = errorCodes(route);
  const gated = route.access !== 'public';
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.tag],
    parameters: [...pathParameters(route.path), ...queryParameters(route), ...headerParameters(route)],
    ...requestBody(book, route),
    responses: { ...answers(book, route), ...failures(codes, errorRef) },
    security: gated ? [{ bearerAuth: [] }] : [{}, { bearerAuth: [] }],
    ...(gated ? { 'x-scope': route.access === 'credential' ? 'read' : route.access } : {}),
    'x-error-codes': codes,
  };
}

// Method and path never change for a route that was shipped, so neither does its name.
export function operationId({ method, path }: Pick<RouteDeclaration, 'method' | 'path'>): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((segment) => segment.replace(/^\{(.+)\}$/, 'by-$1'));
  const joined = words.join('-').replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${method.toLowerCase()}${joined.charAt(0).toUpperCase()}${joined.slice(1) || 'Index'}`;
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(PATH_PARAMETERS[name] ? { description: PATH_PARAMETERS[name] } : {}),
    schema: { type: 'string' },
  }));
}

function queryParameters({ query = {} }: RouteDeclaration): Parameter[] {
  return Object.entries(query).map(([name, schema]) => {
    const meta = (schema as { meta?: () => { param?: JsonSchema; description?: string } | undefined }).meta?.();
    const { required = false, ...form } = (meta?.param ?? { type: 'string' }) as JsonSchema & { required?: boolean };
    return {
      name,
      in: 'query',
      required,
      schema: form,
      ...(meta?.description ? { description: meta.description } : {}),
    };
  });
}

function headerParameters({ method, reads, live }: RouteDeclaration): Parameter[] {
  if (live) {
    const description = 'The last event that was received; those after it are sent first';
    return [{ name: 'Last-Event-ID', in: 'header', required: false, description, schema: { type: 'string' } }];
  }
  if (method !== 'POST' || reads) return [];
  const description = 'Repeating the call with the same key and body has no further effect for 24 hours';
  const schema = { type: 'string', minLength: 16, maxLength: 255 };
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
}

function requestBody(book: SchemaBook, { body }: RouteDeclaration): Pick<Operation, 'requestBody'> {
  if (!body) return {};
  const required = !body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': { schema: book.body(body) } } } };
}

function answers(book: SchemaBook, route: RouteDeclaration): Operation['responses'] {
  const responses: Operation['responses'] = {};
  for (const [status, schema] of Object.entries(route.answers)) {
    const content: Record<string, { schema: JsonSchema }> = {};
    const type = status === '200' ? (route.mediaType ?? 'application/json') : 'application/json';
    if (schema) content[type] = { schema: book.answer(schema) };
    if (route.markdown && status === '200') content['text/markdown'] = { schema: { type: 'string' } };
    if (route.live && status === '200') content['text/event-stream'] = { schema: { type: 'string' } };
    const described = Object.keys(content).length > 0 ? { content } : {};
    responses[status] = { description: MEANING[status] ?? status, ...described };
  }
  if (route.method === 'GET') responses['304'] = { description: 'Unchanged' };
  return responses;
}

function failures(codes: readonly ErrorCode[], errorRef: JsonSchema): Operation['responses'] {
  const responses: Operation['responses'] = {};
  for (const [status, group] of Map.groupBy(codes, statusOf)) {
    const narrowed = { properties: { error: { properties: { code: { enum: group } } } } };
    const schema = { allOf: [errorRef, narrowed] };
    responses[String(status)] = { description: group.join(', '), content: { 'application/json': { schema } } };
  }
  return responses;
}
