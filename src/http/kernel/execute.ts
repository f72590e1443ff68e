// The order of checks, once for every route.
import { plainAnswer } from '../../context.ts';
import type { Answer } from './answer.ts';
import type { CompiledRoute } from './compile.ts';
import { type Identity, identifyCaller, requireAccess } from './credentials.ts';
import type { Exchange } from './exchange.ts';
import type { Kernel } from './kernel.ts';
import { createSettlement, takeLimiter } from './limits.ts';
import { requireTrustedOrigin } from './origin.ts';
import { executeRead } from './read.ts';
import { executeWrite } from './write.ts';

export async function executeRoute(
  kernel: Kernel,
  route: CompiledRoute,
  exchange: Exchange,
  params: Record<string, string>,
): Promise<Answer> {
  const identity = await identify(kernel, route, exchange);
  if (identity.byCookie && route.declaration.method !== 'GET') {
    requireTrustedOrigin(kernel.ctx.config, exchange.request.headers);
  }
  if (identity.setCookie) exchange.response.setHeader('Set-Cookie', identity.setCookie);
  await applyLimits(kernel, route, exchange, identity);
  requireAccess(route.declaration.access, identity);
  const ctx = { ...kernel.ctx, caller: identity.caller, answer: plainAnswer() };
  const request = { ctx, route, exchange, params };
  return route.declaration.method === 'GET' ? executeRead(kernel, request) : executeWrite(kernel, request);
}

// A path that leads nowhere costs its caller what a read costs.
export async function limitUnmatched(kernel: Kernel, exchange: Exchange): Promise<void> {
  const { request, response, target, client } = exchange;
  if (!/^\/v1(\/|$)/.test(target.path) || request.method === 'OPTIONS') return;
  const { authorization, cookie } = request.headers;
  const presented = { authorization, cookies: cookie, ip: client.ip };
  const identity = await identifyCaller(kernel.credentials, presented, 'public');
  const refused = identity.presented && identity.caller.kind === 'anonymous';
  if (request.method !== 'GET' && request.method !== 'HEAD' && !refused) return;
  createSettlement(response)(kernel.tiers.take(identity.caller, client));
}

// Public routes at the root must answer without the database, so they do not look at credentials.
function identify(kernel: Kernel, route: CompiledRoute, { request, client }: Exchange): Promise<Identity> {
  const credentials = route.credentials ?? kernel.credentials;
  const looks = route.underApi || route.declaration.access !== 'public';
  const { authorization, cookie } = looks ? request.headers : {};
  return identifyCaller(credentials, { authorization, cookies: cookie, ip: client.ip }, route.declaration.access);
}

async function applyLimits(
  kernel: Kernel,
  route: CompiledRoute,
  { client, response }: Exchange,
  { caller, presented }: Identity,
): Promise<void> {
  const { method, limiter, path, reads } = route.declaration;
  const settle = createSettlement(response);
  // A wrong credential counts whatever it was sent with, so that nobody tries many.
  const refused = presented && caller.kind === 'anonymous';
  if (route.underApi && (method === 'GET' || reads || refused)) settle(kernel.tiers.take(caller, client));
  if (limiter) settle(await takeLimiter(kernel.ctx, { limiter, path, caller, client }));
}
