// The HTTP server: the kernel, the routes of every server, and the route groups that the caller passes in.
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
  // The API and its pages; null for a server with only the further groups, health and metrics.
  api: ApiParts | null;
  // Further route groups: sign-in, pages, protocols.
  groups?: readonly RouteGroup[];
  pool?: () => PoolFigures;
  // The process label of the metrics, where several processes share a port.
  processName?: string;
  arrival?: typeof ARRIVAL_LIMITS;
}

export function createHttpServer(input: HttpServerInput): HttpServer {
  const kernel = createKernel(input);
  const groups = [...(input.groups ?? []), ...serviceGroups(kernel, input)];
  return createKernelServer(kernel, { groups, ...(input.arrival && { arrival: input.arrival }) });
}
