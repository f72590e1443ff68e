// The HTTP interface put together: the kernel, the routes that it brings itself, and the lists of routes that the caller
// hands in.
import type { Context } from '../context.ts';
import type { RouteDeclaration, RouteGroup } from './kernel/route.ts';
import {
  type ARRIVAL_LIMITS,
  createKernel,
  createKernelServer,
  type HttpServer,
  type KernelInput,
} from './kernel/server.ts';
import type { ReferenceWriter } from './openapi/docs-page.ts';
import type { Counts } from './routes/service/home.ts';
import { serviceGroups } from './routes/service/index.ts';
import type { PoolFigures } from './routes/service/server-figures.ts';

export interface HttpServerInput extends KernelInput {
  // The routes of the API, below `/v1`. Null: only the further lists, and the routes that watch over the process.
  routes: readonly RouteDeclaration[] | null;
  // Further lists of routes: sign-in, pages, protocols.
  groups?: readonly RouteGroup[];
  // Shown on the page at the root.
  counts?: (ctx: Context) => Promise<Counts>;
  // The page at the root, given what a client that prefers JSON gets there.
  home?: (index: Record<string, unknown>) => RouteDeclaration;
  // The reference of the API as a page.
  reference?: ReferenceWriter;
  pool?: () => PoolFigures;
  // Where several processes share a port, the name that separates their metrics.
  processName?: string;
  arrival?: typeof ARRIVAL_LIMITS;
}

export function createHttpServer(input: HttpServerInput): HttpServer {
  const kernel = createKernel(input);
  const groups = [...(input.groups ?? []), ...serviceGroups(kernel, input)];
  return createKernelServer(kernel, { groups, ...(input.arrival && { arrival: input.arrival }) });
}
