// The composition root, which connects the real clock, database, log and ports.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { ensureServiceSecrets } from './accounts/installation-secrets.ts';
import type { Config } from './config.ts';
import { type Context, type Ports, plainAnswer, systemClock } from './context.ts';
import { SYSTEM } from './contract/caller.ts';
import { pooledRandom } from './domain/ids.ts';
import { coverReleases } from './ingest/coverage/cover-releases.ts';
import { createHostRobots } from './ingest/queue/host-robots.ts';
import { budgetedHosts } from './ingest/queue/host-state.ts';
import { enqueueReadings } from './ingest/readings/enqueue.ts';
import { enqueueReapply } from './ingest/reapply/enqueue.ts';
import { createFetch, type GuardedFetch } from './net/fetch.ts';
import { createGuard } from './net/guard.ts';
import { createHostGate, type HostGate } from './net/host-gate.ts';
import { createResolve, type Lookup } from './net/resolve.ts';
import { createRobotsCache } from './net/robots-cache.ts';
import { notePackagesOf } from './packages/listings/new-releases.ts';
import { insertFigures, refreshOrgCount } from './releases/figures.ts';
import { eraseWithReleases } from './releases/write/erase-with-releases.ts';
import { relistSources } from './releases/write/relist.ts';
import { matchFeed, matchFeedAmong } from './search/match-feed.ts';
import { createVectors } from './search/vectors/index.ts';
import { openStore } from './store/open.ts';
import { readVersion } from './version.ts';
import { eventExists, recordEvents } from './webhooks/events.ts';
import { noteReclassified } from './webhooks/reclassified.ts';
import { dropTargets, moveTarget, pauseOwner } from './webhooks/subscriptions/target-changes.ts';

export interface App {
  ctx: Context;
  close(): Promise<void>;
}

export interface AppOverrides {
  clock?: () => Date;
  randomBytes?: (size: number) => Uint8Array;
  log?: Context['log'];
  fetch?: GuardedFetch;
  // Replaces the resolver of the machine.
  lookup?: Lookup;
  // Replaces the hashing of the sign-in library, which takes a tenth of a second of processor time per password.
  passwords?: Context['passwords'];
  ports?: Partial<Ports>;
}

export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? pino({ level: config.logLevel, base: null });
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    databaseDirectUrl: config.databaseDirectUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePool,
    statementMs: config.databaseTimeoutMs,
    now: clock,
    onError: (error) => log.error({ err: error }, 'database connection failed'),
    onNarrowed: (narrowed) => log.warn(narrowed, 'others could read data of the registry; its mode was narrowed'),
  });
  const { upstream, egress } = config;
  const { lookup } = overrides;
  const hostsWithoutDelay = new Set([...budgetedHosts(upstream), ...ownServices(config), ...packageRegistries(config)]);
  const gate = createHostGate({ delayMs: (host) => (hostsWithoutDelay.has(host) ? 0 : egress.hostDelayMs) });
  const fetch = overrides.fetch ?? openFetch(config, { clock, gate, lookup });
  const random = overrides.randomBytes ?? pooledRandom((size) => randomBytes(size));
  const ctx: Context = {
    store,
    config,
    secrets: ensureServiceSecrets({ config, randomBytes: random }),
    passwords: overrides.passwords,
    clock,
    randomBytes: random,
    log,
    fetch,
    guard: createGuard({ ...egressOf(config), resolve: createResolve({ lookup }) }),
    robots: createRobotsCache({ fetch, clock, ...createHostRobots({ store, gate, log }) }),
    ports: { ...createPorts(config), ...overrides.ports },
    caller: SYSTEM,
    answer: plainAnswer(),
  };
  return {
    ctx,
    close: async () => {
      await ctx.ports.vectors.close();
      await store.close();
    },
  };
}

function createPorts(config: Config): Ports {
  return {
    fullText: { match: matchFeed, matchAmong: matchFeedAmong },
    coverage: { cover: coverReleases },
    releases: { relist: relistSources, countOrg: refreshOrgCount, countNew: insertFigures, erase: eraseWithReleases },
    packages: { releasesAdded: notePackagesOf },
    settings: { changed: enqueueReapply },
    readings: { enqueue: enqueueReadings },
    webhooks: { recordEvents, eventExists, noteReclassified, dropTargets, moveTarget, pauseOwner },
    vectors: createVectors(config.embedder.kind),
  };
}

interface Surroundings {
  clock: () => Date;
  gate: HostGate;
  lookup: Lookup | undefined;
}

function openFetch(config: Config, surroundings: Surroundings): GuardedFetch {
  const userAgent = `ReleaseRegistry/${readVersion()} (+${config.baseUrl}/about/crawler)`;
  return createFetch({ userAgent, ...egressOf(config), ...surroundings });
}

// Services that the operator runs or pays for are not crawled, so requests to them need no pause.
function ownServices({ embedder }: Config): string[] {
  return embedder.kind === 'endpoint' ? [new URL(embedder.url).host] : [];
}

// They answer installers with hundreds of requests, and are asked two at a time.
function packageRegistries({ packages }: Config): string[] {
  return Object.values(packages.urls).map((url) => new URL(url).host);
}

// The addresses that may be contacted, and those that never may, the service itself included.
function egressOf({ baseUrl, webUrl, host, port, egress }: Config) {
  const listensOn = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { allow: egress.allow, deny: egress.deny, ownHosts: [baseUrl, webUrl, listensOn] };
}
