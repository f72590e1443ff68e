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

interface MetricsParts {
  // Of one server; several may live in one process.
  own: Registry;
  // Of the whole registry: the same from every process, so no process is named.
  shared: Registry;
  processName?: string;
}

// A scrape reaches one process of several. Each names itself, so that its counters never seem to fall, and a sum over
// the label is the whole.
export function createMetricsText({ own, shared, processName }: MetricsParts): () => Promise<string> {
  const process = processRegistry();
  if (processName !== undefined) for (const one of [own, process]) one.setDefaultLabels({ process: processName });
  const registries = [own, shared, process];
  return async () => (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n');
}
