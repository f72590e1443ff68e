// The Prometheus metrics: of this server, of the work of all processes, and of this process.
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Kernel } from '../../kernel/kernel.ts';
import { createServerFigures, type FigureParts } from './server-figures.ts';
import { createWorkMetrics } from './work-metrics.ts';

let processFigures: Registry | null = null;

// Observing the process has a cost, so it starts with the first scrape.
function processRegistry(): Registry {
  if (processFigures === null) {
    processFigures = new Registry();
    collectDefaultMetrics({ register: processFigures });
  }
  return processFigures;
}

export interface MetricsText {
  text: string;
  // The content type.
  type: string;
}

interface MetricsParts extends FigureParts {
  processName: string | undefined;
}

// There are three registries: one per server, because several can run in one process; one for the work of all
// processes, which is the same everywhere and has no process label; and one for the process. A scrape reaches one of
// several processes. The label keeps their counters apart, so that a counter never seems to fall and the sum over the
// label is the total.
export function createMetricsText(kernel: Kernel, { processName, ...parts }: MetricsParts): () => Promise<MetricsText> {
  const own = createServerFigures(kernel, parts);
  const process = processRegistry();
  if (processName !== undefined) for (const one of [own, process]) one.setDefaultLabels({ process: processName });
  const registries = [own, createWorkMetrics(kernel.ctx), process];
  return async () => ({
    text: (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n'),
    type: Registry.PROMETHEUS_CONTENT_TYPE,
  });
}
