// Reads answered by the routes of this process, for one caller.
import { ClientGone, type Context, plainAnswer } from '../context.ts';
import type { Caller } from '../contract/caller.ts';
import { ApiError, badRequest } from '../contract/errors.ts';
import { readBodyInput } from '../http/kernel/body-input.ts';
import { requireAccess } from '../http/kernel/caller.ts';
import { outageOfRequest } from '../http/kernel/failure.ts';
import { Reply } from '../http/kernel/reply.ts';
import type { RequestInfo, RouteDeclaration } from '../http/kernel/route.ts';
import { type CompiledRoute, compileRoute, runRoute } from '../http/kernel/router.ts';
import { checkPathIds, readQueryInput } from '../http/kernel/target.ts';
import { queryTexts, READS, type ReadInput, type RegistryApi, SENDS } from './registry-api.ts';

export interface CallOfAgent {
  // Counts what a call costs beyond the message that asked for it.
  takeReads?: ((count: number) => void) | undefined;
  isAbandoned?: Context['isAbandoned'];
}

type LocalApis = (caller: Caller, call?: CallOfAgent) => RegistryApi;

// Of the request itself, reads only use the format of the answer.
const FACTS = { format: 'json' } as RequestInfo;
const API = { prefix: '/v1', routes: [], isApi: true };

export function createLocalApis(ctx: Context, routes: readonly RouteDeclaration[]): LocalApis {
  const compiled = new Map<string, CompiledRoute>();
  for (const route of routes) {
    if (route.method === 'GET' && route.path in READS) compiled.set(route.path, compileRoute(API, route));
    const call = `${route.method} ${route.path}`;
    if (call in SENDS) compiled.set(call, compileRoute(API, route));
  }
  const missing = [...Object.keys(READS), ...Object.keys(SENDS)].filter((path) => !compiled.has(path));
  if (missing.length > 0) throw new Error(`no route answers ${missing.join(', ')}`);

  const routeOf = (path: string): CompiledRoute => {
    const route = compiled.get(path);
    if (!route) throw new Error(`no route answers ${path}`);
    return route;
  };

  // With the rights of the caller, as over HTTP.
  async function run(
    { caller, isAbandoned }: Pick<Context, 'caller' | 'isAbandoned'>,
    route: CompiledRoute,
    input: Parameters<typeof runRoute>[1]['input'],
  ) {
    const { declaration } = route;
    const identity = { caller, presented: caller.kind !== 'anonymous', byCookie: false, setCookie: null };
    requireAccess(declaration.access, identity, ctx.clock());
    try {
      const isRead = declaration.method === 'GET' || declaration.reads !== undefined;
      const called = { ...ctx, caller, answer: plainAnswer(), ...(isRead ? { isAbandoned } : {}) };
      const answer = await runRoute(declaration, { ctx: called, request: FACTS, input });
      return answer instanceof Reply ? answer.body : answer;
    } catch (error) {
      if (error instanceof ClientGone) throw new ApiError('service_unavailable', 'nobody waits for this answer');
      throw outageOfRequest(ctx, error, { err: error, route: declaration.path }) ?? error;
    }
  }

  return (caller, { takeReads, isAbandoned } = {}) => ({
    get: async (path, input = {}) => {
      const route = routeOf(path);
      return (await run({ caller, isAbandoned }, route, parseInput(route, path, input))) as never;
    },
    send: async (call, { params = {}, body } = {}) => {
      const route = routeOf(call);
      const input = parseInput(route, call, { params });
      const read = body === undefined ? undefined : readBodyInput(route, body);
      const reads = (route.declaration.reads as ((body: unknown) => number) | undefined)?.(read) ?? 1;
      if (reads > 1) takeReads?.(reads - 1);
      return (await run({ caller, isAbandoned }, route, { ...input, body: read })) as never;
    },
  });
}

// Parses the input by the rules of the HTTP API, so that the same requests are refused.
function parseInput(route: CompiledRoute, path: string, { params = {}, query }: ReadInput) {
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
