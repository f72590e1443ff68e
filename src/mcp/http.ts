// POST /mcp as a declaration of the HTTP kernel, which checks sizes, limits and credentials. The protocol is the SDK's.
// Nothing is remembered between requests: each gets a server of its own.
import { z } from 'zod';
import type { Context } from '../context.ts';
import { ApiError, badRequest } from '../contract/errors.ts';
import { isRecord } from '../domain/records.ts';
import type { CredentialCheck } from '../http/kernel/caller.ts';
import { JSON_TYPE, Reply } from '../http/kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, type RouteGroup, route } from '../http/kernel/route.ts';
import { MAX_MESSAGE_LENGTH } from './budget.ts';
import type { McpHandler } from './http-handler.ts';

const PATH = '/mcp';
// The SDK reads every message of a batch in one turn.
const MAX_MESSAGES = 100;
// Error codes of JSON-RPC.
const PARSE_ERROR = -32700;

interface McpGroupOptions {
  // The routes of the API, which answer what tools read.
  routes: readonly RouteDeclaration[];
  credentials: CredentialCheck;
  version: string;
}

interface McpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  request: RequestInfo;
}

export function createMcpGroup(ctx: Context, { routes, credentials, version }: McpGroupOptions): RouteGroup {
  // The SDK and the tools are loaded with the first request, so that they do not delay the start.
  let loading: Promise<McpHandler> | undefined;
  const handler = () => {
    loading ??= import('./http-handler.ts').then(({ createHandler }) => createHandler(ctx, { routes, version }));
    return loading;
  };

  async function run(callCtx: Context, { method, body, request }: McpRequest): Promise<Reply> {
    requireOwnOrigin(callCtx, request);
    requireValidCredential(callCtx, request);
    const { caller, isAbandoned } = callCtx;
    const refused = method === 'POST' ? refusalOf(request, body) : null;
    requireShortBatch(body);
    const requested = new Request(new URL(PATH, ctx.config.baseUrl), {
      method,
      headers: toHeaders(request.headers),
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    const answer = await handler();
    const admitted = { caller, refused, takeReads: request.takeReads, isAbandoned };
    return toReply(await answer(requested, { ...admitted, ...(method === 'POST' ? { parsedBody: body } : {}) }));
  }

  const common = {
    path: '',
    tag: 'Agents',
    access: 'public',
    answers: null,
    cache: 'never',
    query: null,
    failure,
  } as const;
  return {
    prefix: PATH,
    isApi: true,
    // Cookies do not count: a page could make a browser send them unasked.
    credentials: { identify: (bearer) => credentials.identify(bearer) },
    vary: ['Authorization', 'Origin', 'Accept-Encoding'],
    routes: [
      route({
        ...common,
        method: 'POST',
        summary: 'Tools for agents over MCP',
        accepts: 'any',
        body: z.unknown(),
        bodyLimit: MAX_MESSAGE_LENGTH,
        reads: messagesIn,
        takesReads: true,
        run: (callCtx, { body }, request) => run(callCtx, { method: 'POST', body, request }),
      }),
      ...(['GET', 'DELETE'] as const).map((method) =>
        route({
          ...common,
          method,
          summary: 'There are no sessions',
          run: (callCtx, _input, request) => run(callCtx, { method, request }),
        }),
      ),
    ],
  };
}

// Every message of a batch counts.
const messagesIn = (body: unknown) => (Array.isArray(body) ? Math.max(1, body.length) : 1);

// A model that calls tools too often finds that in their results, where it can read how long to wait; every other message
// is refused as a whole.
function refusalOf(request: RequestInfo, body: unknown): ApiError | null {
  try {
    request.takeReads(messagesIn(body));
    return null;
  } catch (error) {
    const messages = Array.isArray(body) ? body : [body];
    const isCall = (message: unknown) => isRecord(message) && message.method === 'tools/call';
    if (error instanceof ApiError && messages.every(isCall)) return error;
    throw error;
  }
}

function requireShortBatch(body: unknown): void {
  const messages = messagesIn(body);
  if (messages <= MAX_MESSAGES) return;
  throw badRequest('body', `a batch has at most ${MAX_MESSAGES} messages, this one has ${messages}: send it in parts`);
}

// Agents send no origin; a page that does must be one of ours.
function requireOwnOrigin({ config }: Context, { headers: { origin } }: RequestInfo): void {
  if (origin === undefined || config.trustedOrigins.includes(origin)) return;
  throw new ApiError('forbidden', 'the request comes from a page that is not trusted', { reason: 'origin' });
}

function requireValidCredential({ config, caller }: Context, { headers }: RequestInfo): void {
  if (headers.authorization === undefined || caller.kind !== 'anonymous') return;
  const metadata = `${config.baseUrl}/.well-known/oauth-protected-resource${PATH}`;
  throw new ApiError('unauthorized', 'the credential is not valid', undefined, {
    'WWW-Authenticate': `Bearer realm="registry", error="invalid_token", resource_metadata="${metadata}"`,
  });
}

// Text that is no JSON is refused in the words of the protocol, everything else in the common envelope.
function failure(error: ApiError): Reply {
  const parseError = { code: PARSE_ERROR, message: error.message };
  const body = error.code === 'invalid_json' ? { jsonrpc: '2.0', error: parseError, id: null } : error.toBody();
  return new Reply(error.status, JSON.stringify(body), { 'Content-Type': JSON_TYPE });
}

function toHeaders(headers: RequestInfo['headers']): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'content-length') copied.set(name, String(value));
  }
  return copied;
}

async function toReply(response: Response): Promise<Reply> {
  const headers = ['Content-Type', 'Allow'].flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const text = await response.text();
  return new Reply(response.status, text === '' ? null : text, Object.fromEntries(headers));
}
