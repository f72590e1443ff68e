// The path, query and header parameters of an operation.
import type { JsonSchema, QueryParameter } from '../../contract/query.ts';
import type { RouteDeclaration } from '../kernel/route.ts';
import { pathParameter } from './path-parameters.ts';

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  // A value for the examples of calls, of everything that they must give.
  example?: unknown;
  schema: JsonSchema;
}

// The path of a route from the root of the server.
export function describedPath({ path, isRoot }: Pick<RouteDeclaration, 'path' | 'isRoot'>): string {
  return `${isRoot ? '/bots' : '/v1'}${path}`;
}

export function parametersOf(route: RouteDeclaration): Parameter[] {
  return [...pathParameters(route.path), ...queryParameters(route), ...headerParameters(route)];
}

function pathParameters(path: string): Parameter[] {
  const segments = path.split('/').map((segment) => segment.replace(/^\{(.+)\}$/, '$1'));
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameter(name, segments[segments.indexOf(name) - 1] ?? ''),
    schema: { type: 'string' },
  }));
}

interface QueryMeta {
  param?: QueryParameter;
  description?: string;
  example?: string;
}

function queryParameters({ query }: RouteDeclaration): Parameter[] {
  return Object.entries(query ?? {}).map(([name, schema]) => {
    const { param, ...words } = (schema as { meta?: () => QueryMeta | undefined }).meta?.() ?? {};
    const { required = false, ...form }: QueryParameter = param ?? { type: 'string' };
    return { name, in: 'query', required, ...words, schema: form };
  });
}

function headerParameters({ method, reads, live }: RouteDeclaration): Parameter[] {
  if (live) {
    const description = 'The last event that was received; those after it are sent first.';
    return [{ name: 'Last-Event-ID', in: 'header', required: false, description, schema: { type: 'string' } }];
  }
  if (method !== 'POST' || reads) return [];
  const description = 'Repeating the call with the same key and body has no further effect for 24 hours.';
  const schema = { type: 'string', minLength: 16, maxLength: 255 };
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
}
