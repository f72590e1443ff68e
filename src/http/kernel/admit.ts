// The checks before the body is read, in the same order for every route: identity, limits, origin, access.
import { type Context, plainAnswer } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { notFound, validationFailed } from '../../contract/errors.ts';
import { writtenReply } from './answer.ts';
import { readBodyInput } from './body-input.ts';
import { refuseOutside } from './bound.ts';
import { callerOf, type Identity, identifyCaller, requireAccess } from './caller.ts';
import { requireTrustedOrigin } from './forms.ts';
import type { HttpExchange, Kernel } from './kernel.ts';
import {
  addressKeyOf,
  type LimitReport,
  limitHeaders,
  rateLimited,
  takeFurtherReads,
  takeLimiter,
  takeShared,
} from './limits.ts';
import { type ForwardedRead, type Reply, toReply } from './reply.ts';
import type { CalledInput, RequestInfo, RouteGroup } from './route.ts';
import { type CompiledRoute, negotiated, type RouteMatch, type Router, runRoute } from './router.ts';
import { checkPathIds, readQueryInput } from './target.ts';

export interface Execution {
  kernel: Kernel;
  router: Router;
  exchange: HttpExchange;
  match: RouteMatch;
}

export interface Admission {
  ctx: Context;
  request: RequestInfo;
}

// `known` is the identity of a caller for whom a page calls the route.
export async function admit(
  { kernel, router, exchange, match: { route, params, format } }: Execution,
  known?: Identity,
): Promise<Admission> {
  const { access, method } = route.declaration;
  const { request, response, client, target } = exchange;
  route.group.requires?.(kernel.ctx);
  const identity = known ?? (await identify(kernel, route, exchange));
  if (identity.setCookie) response.setHeader('Set-Cookie', identity.setCookie);
  const settle = createSettlement(response, { showsAll: route.group.isApi ?? false });
  await applyLimits(kernel, { route, exchange, identity, settle });
  if (identity.byCookie && method !== 'GET') requireTrustedOrigin(kernel.ctx.config, request.headers);
  requireAccess(access, identity, kernel.ctx.clock());
  const caller = callerOf(access, identity);
  if (caller.bound) await refuseOutside({ ...kernel.ctx, caller }, route.declaration, params);
  const ctx = {
    ...kernel.ctx,
    caller,
    answer: { ...plainAnswer(), shows: new Set<string>() },
    // A write is finished, so that its idempotency key tells what was done.
    ...(method === 'GET' || route.declaration.reads
      ? { isAbandoned: () => response.destroyed && !response.writableFinished }
      : {}),
  };
  const facts: RequestInfo = {
    headers: request.headers,
    client,
    target,
    format: format ?? negotiated(route.offered, request.headers.accept),
    byCookie: identity.byCookie,
    form: null,
    takeLimit: async (limit, key) => {
      if (key === undefined && client.exempt) return;
      settle(await takeShared(ctx, limit, `${limit.policy}:${key ?? addressKeyOf(client)}`));
    },
    takeReads: (count) => takeFurtherReads(kernel.tiers, { caller: identity.caller, exchange, reads: count }),
    forward: (path) => forwardRead(ctx, { router, path, request: facts }),
    call: (declaration, input) =>
      callRoute({ kernel, router, exchange, identity }, { route: router.compiled(declaration), input }),
  };
  return { ctx, request: facts };
}

// A page that calls another route on behalf of its reader gets data, whatever format the reader accepts.
async function callRoute(
  { identity, ...parts }: Omit<Execution, 'match'> & { identity: Identity },
  { route, input: { params = {}, query = {}, body } }: { route: CompiledRoute; input: CalledInput },
): Promise<Reply> {
  // Only the operator area can identify its sessions; other routes identify the caller again in their own way.
  const known = identity.caller.kind === 'root' || identity.caller.kind === 'token' ? identity : undefined;
  const { ctx, request } = await admit({ ...parts, match: { route, params, format: null } }, known);
  const target = { path: route.template, query: new URLSearchParams(query).toString() };
  const headers = { ...request.headers, accept: 'application/json' };
  const input = {
    params: checkPathIds(params),
    query: readQueryInput(route, target.query),
    body: await calledBody(ctx, route, body),
  };
  const called = { ...request, headers, target, format: 'json' } as const;
  return toReply(await runRoute(route.declaration, { ctx, input, request: called }));
}

// A route that accepts any body parses it itself.
async function calledBody(ctx: Context, route: CompiledRoute, body: unknown): Promise<unknown> {
  const { accepts = 'json', bodyIssues } = route.declaration;
  if (accepts !== 'json' || route.body === null) return body;
  const read = readBodyInput(route, body ?? {});
  const issues = (await bodyIssues?.(ctx, body)) ?? [];
  if (issues.length > 0) throw validationFailed(issues);
  return read;
}

// A request for an unknown path counts against the same limits as a read or a POST.
export async function limitUnmatched(kernel: Kernel, router: Router, exchange: HttpExchange): Promise<void> {
  const { request, response, target, client } = exchange;
  const { method } = request;
  if (method === 'OPTIONS') return;
  const group = router.groupOf(target.path);
  const settle = createSettlement(response, { showsAll: false });
  if (group?.isApi) {
    const { authorization, cookie } = request.headers;
    const presented = { authorization, cookies: cookie, ip: client.ip };
    const identity = await identifyCaller(kernel.credentials, presented, 'public');
    const refused = identity.presented && identity.caller.kind === 'anonymous';
    if (method === 'GET' || method === 'HEAD' || refused) settle(kernel.tiers.take(identity.caller, client));
  }
  await countAttempt(kernel, { group, exchange, settle, refused: false });
}

// Public routes outside the API must answer without the database, so their credentials are not checked.
async function identify(kernel: Kernel, route: CompiledRoute, { request, client }: HttpExchange): Promise<Identity> {
  const { access } = route.declaration;
  const credentials = route.group.credentials ?? kernel.credentials;
  const looks = route.group.isApi || access !== 'public';
  const { authorization, cookie } = looks ? request.headers : {};
  const identity = await identifyCaller(credentials, { authorization, cookies: cookie, ip: client.ip }, access);
  const isPassive = isCrawler(request.headers['user-agent']);
  const isUnread = isUnasked(request);
  if (!isPassive && !isUnread) return identity;
  const seen = { passive: true as const, ...(isUnread && { unread: true as const }) };
  return { ...identity, caller: { ...identity.caller, ...seen } };
}

// A request that nobody has made by asking: only its headers are wanted, a browser looks ahead, or a page of another site shows it.
function isUnasked({ method, headers }: HttpExchange['request']): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'];
  if (method === 'HEAD' || /prefetch|preview|prerender/i.test(String(purpose ?? ''))) return true;
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';
}

const CRAWLERS =
  /bot\b|bot[/;)]|crawl|spider|slurp|preview|facebookexternalhit|embedly|camo|lighthouse|pingdom|uptime|monitor/i;

// By what a client calls itself. One that calls itself nothing may be a program that somebody waits for.
export function isCrawler(userAgent: string | undefined): boolean {
  return userAgent !== undefined && CRAWLERS.test(userAgent);
}

// Writes the limits that a request counted against into the headers of its response, and throws at the first exhausted
// one. The API reports all of them, sign-in only the last.
type Settlement = (allowance: (LimitReport & { allowed: boolean }) | null) => void;

function createSettlement(response: HttpExchange['response'], { showsAll }: { showsAll: boolean }): Settlement {
  let reports: LimitReport[] = [];
  return (allowance) => {
    if (!allowance) return;
    reports = showsAll ? [...reports, allowance] : [allowance];
    for (const [name, value] of limitHeaders(reports)) response.setHeader(name, value);
    if (!allowance.allowed) throw rateLimited(allowance);
  };
}

interface LimitedCall {
  route: CompiledRoute;
  exchange: HttpExchange;
  identity: Identity;
  settle: Settlement;
}

async function applyLimits(kernel: Kernel, { route, exchange, identity, settle }: LimitedCall): Promise<void> {
  const { caller, presented } = identity;
  const { client } = exchange;
  const { method, limiters = [], path, reads, takesReads } = route.declaration;
  // An invalid credential counts with every method, so that nobody can try many.
  const refused = presented && caller.kind === 'anonymous';
  if (route.group.isApi && (method === 'GET' || (reads && !takesReads) || refused)) {
    settle(kernel.tiers.take(caller, client));
  }
  await countAttempt(kernel, { group: route.group, exchange, settle, refused });
  for (const limiter of limiters) settle(await takeLimiter(kernel.ctx, { limiter, path, caller, client }));
}

interface Attempt extends Pick<LimitedCall, 'exchange' | 'settle'> {
  group: RouteGroup | null;
  refused: boolean;
}

// In a group that limits POSTs an invalid credential counts as one more attempt, whatever the method.
async function countAttempt({ ctx }: Kernel, { group, exchange, settle, refused }: Attempt): Promise<void> {
  const { request, client, target } = exchange;
  if (!group?.postLimiter || (request.method !== 'POST' && !refused)) return;
  const counted = { limiter: group.postLimiter, path: target.path, caller: ANONYMOUS, client };
  settle(await takeLimiter(ctx, counted));
}

// Runs another GET route for the same request, so that a page can serve the response of an API route.

interface ForwardInput {
  router: Router;
  path: string;
  request: RequestInfo;
}

async function forwardRead(ctx: Context, { router, path, request }: ForwardInput): Promise<ForwardedRead> {
  const match = router.match('GET', path);
  if (!match) throw notFound('route', path);
  const { route } = match;
  const input = {
    params: checkPathIds(match.params),
    query: readQueryInput(route, request.target.query),
    body: undefined,
  };
  const anonymousCtx = { ...ctx, caller: ANONYMOUS };
  const reply = toReply(await runRoute(route.declaration, { ctx: anonymousCtx, input, request }));
  const written = { format: request.format, input };
  return { answer: reply.body, reply: writtenReply(anonymousCtx, { route, reply, written }) };
}
