// Metrics of one server: requests, cached answers and the database pool.
import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { PoolFigures } from '../../../store/store.ts';
import { pooledTasks } from '../../../threads/documents.ts';
import { type Kernel, RequestMeter } from '../../kernel/kernel.ts';

export interface FigureParts {
  // Null for an engine without a pool.
  pool: (() => PoolFigures) | null;
  version: string;
}

export function createServerFigures(kernel: Kernel, { pool, version }: FigureParts): Registry {
  const registry = new Registry();
  const registers = [registry];
  const { meter, cache } = kernel;
  new Counter({
    name: 'registry_http_requests_total',
    help: 'Requests by method, route template and status',
    labelNames: ['method', 'route', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { method, route, status, count } of meter.series()) this.inc({ method, route, status }, count);
    },
  });
  registry.registerMetric(latency(meter));
  new Counter({
    name: 'registry_cache_hits_total',
    help: 'Answers served from cached bytes',
    registers,
    collect() {
      this.reset();
      this.inc(meter.cacheHits);
    },
  });
  new Counter({
    name: 'registry_bot_faults_total',
    help: 'Questions of bots that were not answered as asked, or came with a wrong key, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of meter.botFaults) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'registry_document_tasks_total',
    help: 'Long texts that were given to a thread',
    registers,
    collect() {
      this.reset();
      this.inc(pooledTasks());
    },
  });
  gauge(registry, { name: 'registry_cache_bytes', help: 'Weight of cached answers', read: () => cache?.bytes ?? 0 });
  gauge(registry, { name: 'registry_cache_entries', help: 'Number of cached addresses', read: () => cache?.size ?? 0 });
  new Gauge({
    name: 'registry_build_info',
    help: 'Always 1; the labels tell which program runs on what',
    labelNames: ['version', 'node', 'engine'],
    registers,
    collect() {
      this.set({ version, node: process.versions.node, engine: kernel.ctx.store.engineName }, 1);
    },
  });
  if (pool) {
    new Gauge({
      name: 'registry_database_pool_connections',
      help: 'Connections of the database pool by state; waiting counts callers',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, value] of Object.entries(pool())) this.set({ state }, value);
      },
    });
  }
  return registry;
}

function gauge(registry: Registry, { name, help, read }: { name: string; help: string; read: () => number }): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

// The histogram of the library sorts labels on every observation; the request meter has counted already and is only
// written out.
function latency(meter: RequestMeter): Metric {
  const name = 'registry_http_request_duration_seconds';
  const get = async () => ({
    name,
    help: 'Seconds from request to response by method, route template and status',
    type: 'histogram',
    aggregator: 'sum',
    values: meter.series().flatMap((series) => {
      const { method, route, status, count, seconds } = series;
      const labels = { method, route, status };
      const metricName = `${name}_bucket`;
      return [
        ...RequestMeter.cumulative(series).map(([le, value]) => ({ metricName, labels: { ...labels, le }, value })),
        { metricName, labels: { ...labels, le: '+Inf' }, value: count },
        { metricName: `${name}_sum`, labels, value: seconds },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  });
  return { name, get } as unknown as Metric;
}
