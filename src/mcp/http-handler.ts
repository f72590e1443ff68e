// Answers an admitted request to /mcp by an SDK server of its own, which reads with the rights of the caller.
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Context } from '../context.ts';
import { ANONYMOUS, type Caller } from '../contract/caller.ts';
import { ApiError } from '../contract/errors.ts';
import type { RouteDeclaration } from '../http/kernel/route.ts';
import { type CallOfAgent, createLocalApis } from './local-api.ts';
import type { RegistryApi } from './registry-api.ts';
import { createMcpServer } from './server.ts';

interface HandlerOptions {
  routes: readonly RouteDeclaration[];
  version: string;
}

interface AdmittedRequest extends Pick<CallOfAgent, 'isAbandoned'> {
  caller: Caller;
  // Why reads are refused; the results of tools report it.
  refused: ApiError | null;
  parsedBody?: unknown;
  // Counts further reads for the rate limit; throws when there are too many.
  takeReads: (count: number) => void;
}

export type McpHandler = (request: Request, admitted: AdmittedRequest) => Promise<Response>;

export function createHandler(ctx: Context, { routes, version }: HandlerOptions): McpHandler {
  const apis = createLocalApis(ctx, routes);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const refused = authInfo?.extra?.refused;
      const api = refused instanceof ApiError ? refusingApi(refused) : apis(callerOf(authInfo), callOf(authInfo));
      return createMcpServer({ api, log: ctx.log, version });
    },
    {
      legacy: 'stateless',
      // There is nothing to subscribe to.
      maxSubscriptions: 0,
      onerror: (error) => ctx.log.debug({ err: error }, 'MCP request refused'),
    },
  );
  return (request, { caller, refused, takeReads, isAbandoned, ...body }) => {
    const authInfo = {
      token: '',
      clientId: caller.name,
      scopes: [],
      extra: { caller, takeReads, isAbandoned, ...(refused && { refused }) },
    };
    return handler.fetch(request, { authInfo, ...body });
  };
}

function refusingApi(error: ApiError): RegistryApi {
  return { get: () => Promise.reject(error), send: () => Promise.reject(error) };
}

function callOf(authInfo: AuthInfo | undefined): CallOfAgent {
  return (authInfo?.extra ?? {}) as CallOfAgent;
}

function callerOf(authInfo: AuthInfo | undefined): Caller {
  return (authInfo?.extra?.caller as Caller | undefined) ?? ANONYMOUS;
}
