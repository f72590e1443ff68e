// The composition root: the one place where a real clock, database, log and the ports are put together.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { SYSTEM } from './contract/caller.ts';
import { pooledRandom } from './domain/random-pool.ts';
import { deriveByRules } from './insight/derive.ts';
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
  const ctx: Context = {
    store,
    config,
    clock,
    randomBytes: overrides.randomBytes ?? pooledRandom((size) => randomBytes(size)),
    log,
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
    events: { record: recordEvents },
  };
}
