// The request target: path and query as sent, their safe decoding, and what they give the `run` of a route: checked ids and
// the parameters of its schema.
import type { z } from 'zod';
import { ApiError, badRequest, notFound } from '../../contract/errors.ts';
import { idPrefixOf, isId, releaseIdOf, toProductId } from '../../domain/ids.ts';
import type { CompiledRoute } from './router.ts';

export interface RequestTarget {
  // The path, still percent-encoded, without one trailing slash.
  path: string;
  query: string;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;
const UNDECODABLE = 'percent-encoding does not decode to UTF-8';

export function readTarget(url: string): RequestTarget {
  const local = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: withoutSlash(path || '/'), query: mark < 0 ? '' : local.slice(mark + 1) };
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

// The path with single slashes and no trailing one; null when it already is so. Browsers read a backslash as a slash.
export function tidiedPath(url: string): string | null {
  const path = (url.startsWith('/') ? url : url.replace(ORIGIN, '')).split('?', 1)[0] ?? '';
  const tidied = withoutSlash(path.replaceAll(/[/\\]+/g, '/'));
  return tidied === path ? null : tidied;
}

export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ApiError('bad_request', `path: ${UNDECODABLE}`, { parameter: 'path', reason: UNDECODABLE });
  }
}

// Filters by meaning that only some paths have. One that was ignored would pass for a list without such releases.
const MEANING_FILTERS = ['minBreaking', 'minImportance', 'security'];

function refuseOtherFilters({ shape }: z.ZodObject, query: string): void {
  const given = new URLSearchParams(query);
  const parameter = MEANING_FILTERS.find((name) => given.has(name) && !Object.hasOwn(shape, name));
  if (parameter === undefined) return;
  const reason = 'is no filter of this path';
  throw new ApiError('bad_request', `${parameter}: ${reason}`, { parameter, reason });
}

// Values of `lenient` parameters that cannot be decoded count as empty; those of all others are refused.
function readQuery(query: string, lenient: readonly string[] = []): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (query === '') return values;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = readValue(equals < 0 ? '' : pair.slice(equals + 1), name, lenient.includes(name));
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

function readValue(text: string, name: string, isLenient: boolean): string {
  try {
    const value = decoded(text, name);
    // No stored text contains a NUL, and PostgreSQL refuses it as a parameter.
    if (value.includes('\0')) throw badRequest(name, 'must not contain a NUL character');
    return value;
  } catch (error) {
    if (isLenient) return '';
    throw error;
  }
}

function decoded(text: string, name = text): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw badRequest(name, UNDECODABLE);
  }
}

type QueryInput = Record<string, never>;

// What a route gets when the request has no query, as most have: the defaults.
const defaults = new WeakMap<CompiledRoute, QueryInput>();

export function readQueryInput(route: CompiledRoute, query: string): QueryInput {
  if (route.declaration.query === null) return {};
  if (query !== '') return parseInput(route, query);
  const known = defaults.get(route) ?? parseInput(route, query);
  defaults.set(route, known);
  return { ...known };
}

function parseInput({ declaration, query: schema }: CompiledRoute, query: string): QueryInput {
  refuseOtherFilters(schema, query);
  const parse = declaration.html ? parsePageQuery : parseQuery;
  return parse(schema, query, declaration.lenientQuery) as QueryInput;
}

// Values of `lenient` parameters that cannot be decoded count as empty.
export function parseQuery<S extends z.ZodObject>(schema: S, query: string, lenient?: readonly string[]): z.output<S> {
  return checked(schema, valuesOf(schema, query, lenient));
}

// A GET form sends every field, so an empty one counts as absent, and an invalid filter is ignored.
export function parsePageQuery<S extends z.ZodObject>(
  schema: S,
  query: string,
  lenient: readonly string[] = [],
): z.output<S> {
  const given = Object.entries(valuesOf(schema, query, lenient)).filter(([, list]) =>
    list.some((value) => value !== ''),
  );
  const result = schema.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const broken = new Set(result.error.issues.map(({ path }) => String(path[0])));
  return checked(schema, Object.fromEntries(given.filter(([name]) => !broken.has(name) || !lenient.includes(name))));
}

function valuesOf(schema: z.ZodObject, query: string, lenient?: readonly string[]): Record<string, string[]> {
  const { shape } = schema;
  return Object.fromEntries([...readQuery(query, lenient)].filter(([name]) => Object.hasOwn(shape, name)));
}

function checked<S extends z.ZodObject>(schema: S, values: Record<string, string[]>): z.output<S> {
  const result = schema.safeParse(values);
  if (!result.success) throw queryFailure(result.error);
  return result.data;
}

// The message names every invalid parameter; `details` holds the first.
function queryFailure(error: z.core.$ZodError): ApiError {
  const issues = error.issues.map((issue) => ({ parameter: String(issue.path[0] ?? ''), reason: issue.message }));
  const message = issues.map(({ parameter, reason }) => `${parameter}: ${reason}`).join('; ');
  return new ApiError('bad_request', message, issues.length > 1 ? { ...issues[0], issues } : issues[0]);
}

// Checks the ids in the path of a request: an id of the wrong kind is refused before any query.

export function checkPathIds(params: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) checked[name] = checkPathId(name, value);
  return checked;
}

function checkPathId(name: string, value: string): string {
  switch (name) {
    case 'src':
      // `org/source`, with its slash encoded, names one source as lists print it.
      if (/^[^/]+\/[^/]+$/.test(value)) return value;
      return typedId('source', 'src', value);
    case 'prod':
      return typedId('product', 'prod', toProductId(value));
    case 'product':
      return toProductId(value);
    case 'rel': {
      const id = releaseIdOf(value);
      if (id === null) throw notFound('release', value);
      return id;
    }
    default:
      return value;
  }
}

function typedId(entity: 'source' | 'product', prefix: 'src' | 'prod', value: string): string {
  if (isId(value, prefix)) return value;
  if (idPrefixOf(value) === prefix) throw notFound(entity, value);
  const hint = `/v1/lookups/${entity}-by-slug?slug=${encodeURIComponent(value)}`;
  throw new ApiError('bare_slug_rejected', `a slug does not name one ${entity}; use its id or ${hint}`, {
    entity,
    hint,
  });
}
