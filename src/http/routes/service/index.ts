// The route groups of every server: the API with its descriptions, the home page, health, metrics, hosted images.
import type { PoolFigures } from '../../../store/store.ts';
import { readVersion } from '../../../version.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { RouteDeclaration, RouteGroup } from '../../kernel/route.ts';
import { botGroup } from '../bots.ts';
import { type DescribedParts, describedApi, indexBody } from './described-api.ts';
import { catalogRoutes } from './machine.ts';
import { mediaRoute } from './media.ts';
import type { MetricsText } from './metrics.ts';
import { healthRoutes, metricsGroup } from './operating.ts';

export interface ApiParts extends DescribedParts {
  // Declares the home page; the argument is the body for clients that prefer JSON.
  home: (index: Record<string, unknown>) => RouteDeclaration;
}

interface ServiceParts {
  // Null for a server with health and metrics only.
  api: ApiParts | null;
  pool?: () => PoolFigures;
  processName?: string;
}

export function serviceGroups(kernel: Kernel, parts: ServiceParts): RouteGroup[] {
  const { ctx } = kernel;
  const version = readVersion();
  const figures = { pool: parts.pool ?? ctx.store.pool, version, processName: parts.processName };
  // Loaded with the first scrape, so that the start does not wait for it.
  let metricsText: Promise<() => Promise<MetricsText>> | undefined;
  const readMetrics = async () => {
    metricsText ??= import('./metrics.ts').then(({ createMetricsText }) => createMetricsText(kernel, figures));
    return (await metricsText)();
  };
  const health = healthRoutes(kernel, version);
  const metrics = metricsGroup(kernel, readMetrics);
  if (parts.api === null) return [{ prefix: '', routes: health }, metrics];
  const { mediaStore } = ctx.config;
  const root = [
    parts.api.home(indexBody(ctx.config)),
    ...health,
    ...catalogRoutes(ctx),
    ...(mediaStore === null ? [] : [mediaRoute(mediaStore)]),
  ];
  const { routes } = describedApi(ctx, parts.api);
  return [{ prefix: '/v1', routes, isApi: true }, botGroup(kernel), { prefix: '', routes: root }, metrics];
}
