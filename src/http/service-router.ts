// Puts the declared routes, the routes that the kernel brings itself and mounted handlers behind one router.
import { readFileSync } from 'node:fs';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { registryCounts } from '../catalog/registry/counts.ts';
import type { Context } from '../context.ts';
import { loadAssets } from './kernel/assets.ts';
import { compileRoute } from './kernel/compile.ts';
import type { Kernel } from './kernel/kernel.ts';
import type { RouteDeclaration } from './kernel/route.ts';
import { createRouter, type Mount, type Router, respond } from './kernel/router.ts';
import { docsRoute } from './openapi/docs-page.ts';
import { type Counts, homeAnswer } from './routes/service/home.ts';
import { catalogRoutes, describedRoutes, indexBody } from './routes/service/machine.ts';
import { mediaRoute } from './routes/service/media.ts';
import { createMetricsText } from './routes/service/metrics.ts';
import { operatingRoutes } from './routes/service/operating.ts';
import { createServerFigures, type PoolFigures } from './routes/service/server-figures.ts';
import { createWorkMetrics } from './routes/service/work-metrics.ts';

export interface ServiceParts {
  routes: readonly RouteDeclaration[];
  // Shown on the page at the root.
  counts?: (ctx: Context) => Promise<Counts>;
  pool?: () => PoolFigures;
  // Where several processes share a port, what tells their figures apart.
  processName?: string;
  // Handlers that are not declarations. They come before every other route.
  mount?: Mount;
}

export function createServiceRouter(kernel: Kernel, parts: ServiceParts): Router {
  const { ctx } = kernel;
  const { mediaStore } = ctx.config;
  const assets = loadAssets();
  const stylesheet = assets.pathOf('pages.css');
  const described = describedRoutes(ctx, parts.routes, (document) =>
    docsRoute({ config: ctx.config, document, stylesheet, script: assets.pathOf('reference.js') }),
  );
  const version = packageVersion();
  const figures = createServerFigures(kernel, { pool: parts.pool ?? ctx.store.pool, version });
  const routes = [
    ...described.map((declaration) => compileRoute(declaration)),
    ...operatingRoutes(kernel, {
      version,
      metricsText: createMetricsText({ own: figures, shared: createWorkMetrics(ctx), processName: parts.processName }),
    }),
    ...catalogRoutes(ctx),
    compileRoute(assets.route, { underApi: false }),
    ...(mediaStore === null ? [] : [compileRoute(mediaRoute(mediaStore), { underApi: false })]),
  ];
  const home = { ctx, index: indexBody(ctx.config), counts: parts.counts ?? registryCounts, stylesheet };
  return createRouter(kernel, routes, (router, tools) => {
    parts.mount?.(router, tools);
    tools.announce('GET', '/');
    router.get('/', async (c) => {
      const { exchange } = c.env;
      exchange.route = '/';
      await respond(kernel, exchange, ['Accept', 'Cookie', 'Accept-Encoding'], () => homeAnswer(home, exchange));
      return RESPONSE_ALREADY_SENT;
    });
  });
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
