// The order of checks, once for every route.
import { plainAnswer } from '../context.ts';
import type { Answer } from './answer.ts';
import { requireTrustedOrigin } from './auth/origin.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { type Identity, identifyCaller, requireAccess } from './credentials.ts';
import type { Exchange } from './exchange.ts';
import type { Kernel } from './kernel.ts';
import { type LimitReport, limitHeaders, rateLimited, takeLimiter } from './limits.ts';
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
  { caller }: Identity,
): Promise<void> {
  const { method, limiter, path, reads } = route.declaration;
  const reports: LimitReport[] = [];
  const settle = (allowance: (LimitReport & { allowed: boolean }) | null) => {
    if (!allowance) return;
    reports.push(allowance);
    for (const [name, value] of limitHeaders(reports)) response.setHeader(name, value);
    if (!allowance.allowed) throw rateLimited(allowance);
  };
  if (route.underApi && (method === 'GET' || reads)) settle(kernel.tiers.take(caller, client));
  if (limiter) settle(await takeLimiter(kernel.ctx, { limiter, path, caller, client }));
}
