// The HTTP interface put together: the kernel, the routes that it brings itself, and the lists of routes that the caller
// hands in.
import type { PoolFigures } from '../store/store.ts';
import type { RouteGroup } from './kernel/route.ts';
import {
  type ARRIVAL_LIMITS,
  createKernel,
  createKernelServer,
  type HttpServer,
  type KernelInput,
} from './kernel/server.ts';
import { type ApiParts, serviceGroups } from './routes/service/index.ts';

export interface HttpServerInput extends KernelInput {
  // The API and its pages. Null: only the further groups, and the routes that watch over the process.
  api: ApiParts | null;
  // Further lists of routes: sign-in, pages, protocols.
  groups?: readonly RouteGroup[];
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
