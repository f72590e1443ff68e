// Figures for Prometheus. `metrics` is what doors and loops of this process count; a server adds its own on a read.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

const shared = new Registry();
const registers = [shared];

export const metrics = {
  releasesInserted: new Counter({
    name: 'registry_releases_inserted_total',
    help: 'Releases inserted by this process',
    registers,
  }),
  releasesUpdated: new Counter({
    name: 'registry_releases_updated_total',
    help: 'Releases changed by this process',
    registers,
  }),
  fetches: new Counter({
    name: 'registry_fetches_total',
    help: 'Source fetches of this process by outcome',
    labelNames: ['outcome'],
    registers,
  }),
  fetchQueueAge: new Gauge({
    name: 'registry_fetch_queue_age_seconds',
    help: 'How long the source that waits longest has been due',
    registers,
  }),
  deliveryLag: new Gauge({
    name: 'registry_delivery_lag_seconds',
    help: 'From event to delivery, of the latest delivery',
    registers,
  }),
  deliveryQueue: new Gauge({
    name: 'registry_delivery_queue_length',
    help: 'Webhook deliveries that wait',
    registers,
  }),
};

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
export function createMetricsText(own: Registry): () => Promise<string> {
  const registries = [own, shared, processRegistry()];
  return async () => (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n');
}
