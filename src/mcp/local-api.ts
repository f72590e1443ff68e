// Reads answered by the routes of this process, for one caller.
import { type Context, plainAnswer } from '../context.ts';
import type { Caller } from '../contract/caller.ts';
import { ApiError, badRequest } from '../contract/errors.ts';
import { readQueryInput } from '../http/kernel/input.ts';
import type { RequestFacts, RouteDeclaration } from '../http/kernel/route.ts';
import { type CompiledRoute, compileRoute, runRoute } from '../http/kernel/router.ts';
import { checkPathIds } from '../http/kernel/target.ts';
import { findOutage } from '../store/outage.ts';
import { queryTexts, READS, type ReadInput, type ReadPath, type RegistryApi } from './registry-api.ts';

type LocalApis = (caller: Caller) => RegistryApi;

// Of the request itself, reads only use the format of the answer.
const FACTS = { format: 'json' } as RequestFacts;
const API = { prefix: '/v1', routes: [], isApi: true };

export function createLocalApis(ctx: Context, routes: readonly RouteDeclaration[]): LocalApis {
  const compiled = new Map<string, CompiledRoute>();
  for (const route of routes) {
    if (route.method === 'GET' && route.path in READS) compiled.set(route.path, compileRoute(API, route));
  }
  const missing = Object.keys(READS).filter((path) => !compiled.has(path));
  if (missing.length > 0) throw new Error(`no route answers ${missing.join(', ')}`);

  return (caller) => ({
    get: async (path, input = {}) => {
      const route = compiled.get(path);
      if (!route) throw new Error(`no route answers ${path}`);
      const call = { ctx: { ...ctx, caller, answer: plainAnswer() }, request: FACTS };
      const parsed = parseInput(route, path, input);
      try {
        return (await runRoute(route.declaration, { ...call, input: parsed })) as never;
      } catch (error) {
        throw findOutage(error, ctx.store.dialect.outageOf) === null ? error : unavailable();
      }
    },
  });
}

function unavailable(): ApiError {
  return new ApiError('service_unavailable', 'the database does not answer', undefined, { 'Retry-After': '5' });
}

// Parses the input by the rules of the HTTP API, so that the same requests are refused.
function parseInput(route: CompiledRoute, path: ReadPath, { params = {}, query }: ReadInput) {
  for (const [name, value] of Object.entries(params)) {
    if (value.includes('\0')) throw badRequest(name, 'must not contain a NUL character');
    if (value === '') throw badRequest(name, `${path} needs a value`);
  }
  return {
    params: checkPathIds(params),
    query: readQueryInput(route, new URLSearchParams(queryTexts(query)).toString()),
    body: undefined,
  };
}
