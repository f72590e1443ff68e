// Liveness, readiness and metrics for an operator's tools.
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { SYSTEM } from '../../../contract/caller.ts';
import { field } from '../../../contract/fields.ts';
import type { CredentialCheck } from '../../kernel/caller.ts';
import { readinessFailure } from '../../kernel/failure.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, type RouteGroup, route } from '../../kernel/route.ts';
import type { MetricsText } from './metrics.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

export function healthRoutes(kernel: Kernel, version: string): RouteDeclaration[] {
  const startedAt = kernel.ctx.clock().getTime();
  const health = route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the process lives',
    tag: 'Operation',
    access: 'public',
    answers: {
      200: z.object({ ok: field.ok, service: z.string(), version: field.version, uptimeSeconds: z.int() }),
    },
    run: async ({ clock }) => {
      const uptimeSeconds = Math.floor((clock().getTime() - startedAt) / 1000);
      const body = { ok: true, service: 'release-registry', version, uptimeSeconds };
      return new Reply(200, body, NO_STORE);
    },
  });
  const ready = route({
    method: 'GET',
    path: '/ready',
    summary: 'Whether the process takes traffic: its database answers, is up to date and takes writes',
    tag: 'Operation',
    access: 'public',
    answers: { 200: z.object({ ok: field.ok, db: z.literal('ok'), migrations: z.literal('current') }) },
    errors: ['service_unavailable', 'database_not_initialized'],
    run: async (ctx) => {
      const failure = await readinessFailure(ctx, kernel);
      if (failure) throw failure;
      return new Reply(200, { ok: true, db: 'ok', migrations: 'current' }, NO_STORE);
    },
  });
  return [health, ready];
}

export function metricsGroup({ ctx, credentials }: Kernel, read: () => Promise<MetricsText>): RouteGroup {
  const { access } = ctx.config.metrics;
  const declaration = route({
    method: 'GET',
    path: '/metrics',
    summary: 'Figures in the Prometheus text format',
    tag: 'Operation',
    access: access === 'public' ? 'public' : 'admin',
    answers: { 200: z.string() },
    run: async () => {
      const { text, type } = await read();
      return new Reply(200, text, { 'Content-Type': type, ...NO_STORE });
    },
  });
  return {
    prefix: '',
    routes: access === 'off' ? [] : [declaration],
    credentials: metricsReaders(ctx.config, credentials),
  };
}

// A credential below admin is answered 401, not 403, as the contract requires for this route.
function metricsReaders({ metrics }: Config, credentials: CredentialCheck): CredentialCheck {
  return {
    async identify(bearer) {
      if (metrics.token !== null && sameText(bearer, metrics.token)) return { ...SYSTEM, name: 'metrics' };
      const caller = await credentials.identify(bearer);
      return caller?.scope === 'admin' ? caller : null;
    },
  };
}

function sameText(a: string, b: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(a), hashOf(b));
}
