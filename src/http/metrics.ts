// The text that Prometheus reads: figures of this server, of the whole registry's work, and of the process.
import { collectDefaultMetrics, Registry } from 'prom-client';

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

let processFigures: Registry | null = null;

// Observing the process costs a little, so it starts with the first server that shows it.
function processRegistry(): Registry {
  if (processFigures === null) {
    processFigures = new Registry();
    collectDefaultMetrics({ register: processFigures });
  }
  return processFigures;
}

// `own` are the figures of one server; several may live in one process.
export function createMetricsText(...own: Registry[]): () => Promise<string> {
  const registries = [...own, processRegistry()];
  return async () => (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n');
}
