// The errors of an operation: those it declares and those that follow from its input.
import { z } from 'zod';
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts';
import type { JsonSchema } from '../../contract/query.ts';
import { keysOf } from '../../domain/records.ts';
import type { RouteDeclaration } from '../kernel/route.ts';
import type { Operation } from './document-types.ts';
import type { SchemaBook } from './schemas.ts';

export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Stable machine code; the set may grow.' }),
      type: z.enum(keysOf(ERROR_STATUS)),
      message: z.string().meta({ description: 'For people; may change.' }),
      details: z.unknown().optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Every answer of status 400 and above.' });

export function errorCodes(declaration: RouteDeclaration): ErrorCode[] {
  const { method, access, path, body, query, limiters } = declaration;
  const reads = method === 'GET';
  const onlyReads = reads || declaration.reads !== undefined;
  const takesBody = body !== undefined || (!reads && method !== 'DELETE');
  const codes: (ErrorCode | false)[] = [
    'bad_request',
    onlyReads && 'rate_limited',
    limiters !== undefined && 'rate_limited',
    access !== 'public' && 'unauthorized',
    (access === 'write' || access === 'admin' || access === 'account:write') && 'insufficient_scope',
    // A call that is authenticated by a cookie must come from a trusted origin.
    access.startsWith('account') && !reads && 'forbidden',
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

// The error responses of a page, which are pages too.
export function failurePagesOf(codes: readonly ErrorCode[]): Operation['responses'] {
  const groups = [...Map.groupBy(codes, statusOf)];
  const content = { 'text/html': { schema: { type: 'string' } } };
  return Object.fromEntries(groups.map(([status, group]) => [status, { description: group.join(', '), content }]));
}

// The error responses by status. Operations with the same codes share one schema.
export function failuresOf(
  codes: readonly ErrorCode[],
  book: SchemaBook,
  errorRef: JsonSchema,
): Operation['responses'] {
  const responses: Operation['responses'] = {};
  for (const [status, group] of Map.groupBy(codes, statusOf)) {
    const code = { enum: group };
    const narrowed = { properties: { error: { type: 'object', properties: { code } } } };
    const name = group.map((each) => each.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())).join('');
    const schema = book.named(`Error${status}${name}`, { allOf: [errorRef, narrowed] });
    responses[String(status)] = { description: group.join(', '), content: { 'application/json': { schema } } };
  }
  return responses;
}

function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[ERROR_CODES[code]];
}
