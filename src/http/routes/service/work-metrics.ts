// Metrics of the work of all processes, read from the database at each scrape: a worker has no port of its own.
import { Counter, Gauge, Registry } from 'prom-client';
import type { Context } from '../../../context.ts';
import { type WorkFigures, workFigures } from '../../../packages/work-figures.ts';

export function createWorkMetrics(ctx: Context): Registry {
  const registry = new Registry();
  const registers = [registry];
  // All metrics of one scrape share one read, which the first of them starts.
  let reading: Promise<WorkFigures> | null = null;
  const read = () => {
    reading ??= workFigures(ctx).finally(() => {
      reading = null;
    });
    return reading;
  };
  const total = (name: string, help: string, pick: (figures: WorkFigures) => number) =>
    new Counter({
      name,
      help,
      registers,
      async collect() {
        const value = pick(await read());
        this.reset();
        this.inc(value);
      },
    });
  const level = (name: string, help: string, pick: (figures: WorkFigures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(pick(await read()));
      },
    });
  total('registry_releases_inserted_total', 'Releases inserted', (figures) => figures.releasesInserted);
  total('registry_releases_updated_total', 'Releases changed', (figures) => figures.releasesUpdated);
  const byOutcome = (name: string, help: string, pick: (figures: WorkFigures) => WorkFigures['fetches']) =>
    new Counter({
      name,
      help,
      labelNames: ['outcome'],
      registers,
      async collect() {
        const outcomes = pick(await read());
        this.reset();
        for (const { outcome, count } of outcomes) this.inc({ outcome }, count);
      },
    });
  byOutcome('registry_fetches_total', 'Source fetches by outcome', (figures) => figures.fetches);
  byOutcome('registry_webhook_attempts_total', 'Webhook attempts by outcome', (figures) => figures.attempts);
  byOutcome(
    'registry_comparisons_total',
    'Pairs of published packages by what came of their comparison',
    (figures) => figures.comparisons,
  );
  total(
    'registry_compared_bytes_total',
    'Bytes of packages downloaded to be compared',
    (figures) => figures.comparedBytes,
  );
  level(
    'registry_comparisons_waiting',
    'Pairs of published packages that wait to be compared',
    (figures) => figures.comparisonsWaiting,
  );
  new Counter({
    name: 'registry_changelog_outside_characters_total',
    help: 'Characters of changelog files that stand in no release, by where they stand',
    labelNames: ['kind'],
    registers,
    async collect() {
      const { outsideText } = await read();
      this.reset();
      for (const { kind, characters } of outsideText) this.inc({ kind }, characters);
    },
  });
  level(
    'registry_fetch_queue_age_seconds',
    'How long the source that waits longest has been due',
    (figures) => figures.fetchQueueAgeSeconds,
  );
  new Gauge({
    name: 'registry_packages',
    help: 'Packages by what the last reading of their registry gave',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const { packages } = await read();
      this.reset();
      for (const { outcome, count } of packages) this.set({ outcome }, count);
    },
  });
  level(
    'registry_package_queue_age_seconds',
    'How long the package that waits longest has been due',
    (figures) => figures.packageQueueAgeSeconds,
  );
  level(
    'registry_delivery_lag_seconds',
    'Age of the oldest event that is not handed on yet',
    (figures) => figures.oldestEventSeconds,
  );
  level('registry_delivery_queue_length', 'Events that wait to be handed on', (figures) => figures.eventsWaiting);
  level(
    'registry_webhook_deliveries_waiting',
    'Webhooks that wait for their time or for a place',
    (figures) => figures.deliveriesWaiting,
  );
  level('registry_webhook_deliveries_in_flight', 'Webhooks being sent', (figures) => figures.deliveriesInFlight);
  byOutcome('registry_digests_total', 'Digest mails by what came of them', (figures) => figures.digests);
  level('registry_digests_waiting', 'Digest mails that wait for the mail server', (figures) => figures.digestsWaiting);
  level(
    'registry_digests_put_off',
    'Digest mails that wait because the mail server did not take them',
    (figures) => figures.digestsPutOff,
  );
  return registry;
}
