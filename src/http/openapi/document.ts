// Builds the OpenAPI 3.1 document from the route declarations.
import { setImmediate as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts';
import type { JsonSchema } from '../../contract/query.ts';
import { apiError } from '../../contract/scalars.ts';
import type { Access, SessionAccess } from '../kernel/caller.ts';
import type { RouteDeclaration } from '../kernel/route.ts';
import type { Content, OpenApiDocument, Operation } from './document-types.ts';
import { addExamples } from './examples.ts';
import { describedPath, parametersOf } from './parameters.ts';
import { createSchemaBook, type SchemaBook } from './schemas.ts';

const MEANING: Record<string, string> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '204': 'Done, no body',
  '301': 'Moved',
};

// The work pauses after this many routes, so that other requests are answered in between.
const STEP = 2;

export async function createOpenApi(
  config: Pick<Config, 'baseUrl' | 'siteName'>,
  routes: readonly RouteDeclaration[],
): Promise<OpenApiDocument> {
  const book = createSchemaBook();
  const errorRef = book.answer(errorEnvelope);
  const paths: OpenApiDocument['paths'] = {};
  for (const [index, route] of routes.entries()) {
    if (index % STEP === STEP - 1) await pause();
    const path = describedPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(book, route, errorRef) };
  }
  await pause();
  const { document, schemas } = book.finish(paths);
  await pause();
  const examples = await addExamples({ paths: document, schemas, routes });
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.siteName} API`,
      version: '1.0.0',
      description: 'A registry of software changelogs: organizations, products, sources and their releases.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.baseUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths: document,
    components: { schemas, examples, securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
  };
}

function describe(book: SchemaBook, route: RouteDeclaration, errorRef: JsonSchema): Operation {
  const codes = errorCodes(route);
  const scope = scopeOf(route.access);
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: [route.description ?? `${route.summary}.`, accessText(route.access)].join(' '),
    tags: [route.tag],
    parameters: parametersOf(route),
    ...requestBody(book, route),
    responses: {
      ...answers(book, route),
      ...failuresOf(codes, book, errorRef),
    },
    security: scope === null ? [{}, { bearerAuth: [] }] : [{ bearerAuth: [] }],
    ...(scope === null ? {} : { 'x-scope': scope }),
    'x-error-codes': codes,
  };
}

// The name is derived from method and path, which never change once a route is released.
function operationId({ method, path }: Pick<RouteDeclaration, 'method' | 'path'>): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((segment) => segment.replace(/^\{(.+)\}$/, 'by-$1'));
  const joined = words.join('-').replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${method.toLowerCase()}${joined.charAt(0).toUpperCase()}${joined.slice(1) || 'Index'}`;
}

function requestBody(book: SchemaBook, { body }: RouteDeclaration): Pick<Operation, 'requestBody'> {
  if (!body) return {};
  const required = !body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': { schema: book.body(body) } } } };
}

function answers(book: SchemaBook, route: RouteDeclaration): Operation['responses'] {
  const responses: Operation['responses'] = {};
  for (const [status, schema] of Object.entries(route.answers ?? {})) {
    const content: Content = {};
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

const SENTENCES = {
  public: 'Anyone may call it.',
  credential: 'Any valid credential may call it.',
  account: 'For the session, a user key or an app of an account.',
  'account:write': 'For the session or a user key of an account, or an app that was granted `account`.',
  'account:session': "For an account's own session only.",
  stacks: 'For the session, a user key or an app of an account, and for a user key with the scope `stacks`.',
  'stacks:push':
    'For the session or a user key of an account, also one with the scope `stacks`, or an app that was granted `account`.',
  publish: 'Needs the scope `publish`.',
  write: 'Needs the scope `write`.',
  admin: 'Needs the scope `admin`.',
} satisfies Record<Exclude<Access, SessionAccess>, string>;

export function accessText(access: Access): string {
  const sentences: Partial<Record<Access, string>> = SENTENCES;
  return sentences[access] ?? '';
}

// The scope in the security extension of the document; null for public operations.
function scopeOf(access: Access): string | null {
  if (access === 'public') return null;
  return access === 'credential' ? 'read' : access;
}

// The errors of an operation: those it declares and those that follow from its input.

const errorEnvelope = z
  .object({ error: apiError })
  .meta({ id: 'Error', description: 'Every answer of status 400 and above.' });

function errorCodes(declaration: RouteDeclaration): ErrorCode[] {
  const { method, access, path, body, query, limiters } = declaration;
  const reads = method === 'GET';
  const onlyReads = reads || declaration.reads !== undefined;
  const takesBody = body !== undefined || (!reads && method !== 'DELETE');
  const codes: (ErrorCode | false)[] = [
    'bad_request',
    onlyReads && 'rate_limited',
    limiters !== undefined && 'rate_limited',
    access !== 'public' && 'unauthorized',
    ['publish', 'write', 'admin', 'account:write', 'stacks:push'].includes(access) && 'insufficient_scope',
    // A call that is authenticated by a cookie must come from a trusted origin.
    /^(?:account|stacks)/.test(access) && !reads && 'forbidden',
    path.includes('{') && 'not_found',
    /\{(?:src|prod)\}/.test(path) && 'bare_slug_rejected',
    'cursor' in (query ?? {}) && 'invalid_cursor',
    ...(takesBody
      ? (['invalid_json', 'unsupported_media_type', 'validation_failed', 'payload_too_large'] as const)
      : []),
    ...(method === 'POST' && !onlyReads
      ? (['idempotency_conflict', 'idempotency_in_progress', 'idempotency_unavailable'] as const)
      : []),
    ...(declaration.errors ?? []),
    'internal_error',
    'service_unavailable',
    'database_not_initialized',
  ];
  const order = Object.keys(ERROR_CODES);
  const unique = new Set(codes.filter((code) => code !== false));
  return [...unique].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

// The error responses by status. Operations with the same codes share one schema.
function failuresOf(codes: readonly ErrorCode[], book: SchemaBook, errorRef: JsonSchema): Operation['responses'] {
  const responses: Operation['responses'] = {};
  for (const [status, group] of Map.groupBy(codes, statusOf)) {
    const code = { enum: group, description: apiError.shape.code.description };
    const error = { type: 'object', properties: { code }, description: apiError.description };
    const narrowed = { properties: { error } };
    const name = group.map((each) => each.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())).join('');
    const schema = book.named(`Error${status}${name}`, { allOf: [errorRef, narrowed] });
    responses[String(status)] = { description: group.join(', '), content: { 'application/json': { schema } } };
  }
  return responses;
}

function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[ERROR_CODES[code]];
}
