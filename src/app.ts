// The composition root: the one place where a real clock, database, log and the ports are put together.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { ensureServiceSecrets } from './accounts/service-secret.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { SYSTEM } from './contract/caller.ts';
import { pooledRandom } from './domain/random-pool.ts';
import { coverReleases } from './ingest/coverage/index.ts';
import { createHostRobots } from './ingest/queue/host-robots.ts';
import { budgetedHosts } from './ingest/queue/politeness.ts';
import { deriveByRules } from './insight/derive.ts';
import { createFetch, type GuardedFetch } from './net/fetch.ts';
import { createHostGate, type HostGate } from './net/host-gate.ts';
import { createRobotsCache } from './net/robots-cache.ts';
import type { Ports } from './ports.ts';
import { fullText } from './search/index.ts';
import { openStore } from './store/open.ts';
import { recordEvents } from './webhooks/events.ts';

export interface App {
  ctx: Context;
  close(): Promise<void>;
}

export interface AppOverrides {
  clock?: () => Date;
  randomBytes?: (size: number) => Uint8Array;
  log?: Context['log'];
  fetch?: GuardedFetch;
  ports?: Partial<Ports>;
}

export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const clock = overrides.clock ?? (() => new Date());
  const log = overrides.log ?? pino({ level: config.logLevel, base: null });
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePool,
    now: clock,
    onError: (error) => log.error({ err: error }, 'database connection failed'),
  });
  const { upstream, egress } = config;
  const unhurried = budgetedHosts(upstream);
  const gate = createHostGate({ delayMs: (host) => (unhurried.has(host) ? 0 : egress.hostDelayMs) });
  const fetch = overrides.fetch ?? openDoor(config, { clock, gate });
  const random = overrides.randomBytes ?? pooledRandom((size) => randomBytes(size));
  const ctx: Context = {
    store,
    config,
    secrets: ensureServiceSecrets({ config, randomBytes: random }),
    clock,
    randomBytes: random,
    log,
    fetch,
    robots: createRobotsCache({ fetch, clock, ...createHostRobots({ store, gate, log }) }),
    ports: { ...createPorts(), ...overrides.ports },
    caller: SYSTEM,
    answer: { unlisted: false },
  };
  return { ctx, close: () => store.close() };
}

function createPorts(): Ports {
  return {
    derive: deriveByRules,
    fullText,
    coverage: { cover: coverReleases },
    events: { record: recordEvents },
  };
}

function openDoor(config: Config, { clock, gate }: { clock: () => Date; gate: HostGate }): GuardedFetch {
  const { baseUrl, webUrl, host, port, egress } = config;
  return createFetch({
    userAgent: `ReleaseRegistry/${ownVersion()} (+${baseUrl}/about/crawler)`,
    allow: egress.allow,
    deny: egress.deny,
    ownHosts: [baseUrl, webUrl, `${host.includes(':') ? `[${host}]` : host}:${port}`],
    gate,
    clock,
  });
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
