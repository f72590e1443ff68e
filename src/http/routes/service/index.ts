// The routes that every server has, besides those of the registry itself: home, descriptions, health, metrics, files.
import { readFileSync } from 'node:fs';
import { registryCounts } from '../../../catalog/registry/counts.ts';
import type { Context } from '../../../context.ts';
import { loadAssets } from '../../kernel/assets.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { RouteDeclaration, RouteGroup } from '../../kernel/route.ts';
import { docsRoute, type ReferenceWriter } from '../../openapi/docs-page.ts';
import { type Counts, homeRoute } from './home.ts';
import { catalogRoutes, describedRoutes, indexBody } from './machine.ts';
import { mediaRoute } from './media.ts';
import { createMetricsText } from './metrics.ts';
import { healthRoutes, metricsGroup } from './operating.ts';
import { createServerFigures, type PoolFigures } from './server-figures.ts';
import { createWorkMetrics } from './work-metrics.ts';

interface ServiceParts {
  // The routes of the API, below `/v1`. Null: only health and metrics.
  routes: readonly RouteDeclaration[] | null;
  counts?: (ctx: Context) => Promise<Counts>;
  home?: (index: Record<string, unknown>) => RouteDeclaration;
  reference?: ReferenceWriter;
  pool?: () => PoolFigures;
  processName?: string;
}

export function serviceGroups(kernel: Kernel, parts: ServiceParts): RouteGroup[] {
  const { ctx } = kernel;
  const version = packageVersion();
  const figures = createServerFigures(kernel, { pool: parts.pool ?? ctx.store.pool, version });
  const metricsText = createMetricsText({
    own: figures,
    shared: createWorkMetrics(ctx),
    processName: parts.processName,
  });
  const health = healthRoutes(kernel, version);
  const metrics = metricsGroup(kernel, metricsText);
  if (parts.routes === null) return [{ prefix: '', routes: health }, metrics];
  const { mediaStore } = ctx.config;
  const assets = loadAssets();
  const stylesheet = assets.pathOf('pages.css');
  const api = describedRoutes(ctx, parts.routes, (document) =>
    docsRoute({
      config: ctx.config,
      document,
      stylesheet,
      script: assets.pathOf('reference.js'),
      ...(parts.reference && { draw: parts.reference }),
    }),
  );
  const root = [
    parts.home?.(indexBody(ctx.config)) ??
      homeRoute({ index: indexBody(ctx.config), counts: parts.counts ?? registryCounts, stylesheet }),
    ...health,
    ...catalogRoutes(ctx),
    assets.route,
    ...(mediaStore === null ? [] : [mediaRoute(mediaStore)]),
  ];
  return [{ prefix: '/v1', routes: api, isApi: true }, { prefix: '', routes: root }, metrics];
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
