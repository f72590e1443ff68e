// The text that Prometheus reads: figures of this server, of the whole registry's work, and of the process.
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Kernel } from '../../kernel/kernel.ts';
import { createServerFigures, type FigureParts } from './server-figures.ts';
import { createWorkMetrics } from './work-metrics.ts';

let processFigures: Registry | null = null;

// Observing the process costs a little, so it starts with the first scrape.
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

// Three registries: of this server, because several may live in one process; of the whole registry, where every process
// tells the same and none is named; of the process. A scrape reaches one process of several. Each names itself, so that its
// counters never seem to fall, and a sum over the label is the whole.
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
