// Several processes under a mixed load for minutes, on both engines and through a pooler: two web processes and two workers
// answer reads, searches and writes and deliver a webhook for each release, and afterwards nothing may be missing.
import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT_KEY } from '../../test/support/engines.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import { loadEnvironment } from '../../test/support/running-service.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { type Figure, notMeasured } from '../figures.ts';
import { nextMessage, RECEIVER, type Received } from '../webhooks.ts';
import { figuresOf } from './figures.ts';
import { countLosses } from './losses.ts';
import type { LoadOrder, MixedLoad } from './mix.ts';
import { findPgbouncer, startPgbouncer } from './pgbouncer.ts';
import { startProcesses } from './processes.ts';
import { fillRegistry } from './registry.ts';

const LOAD = fileURLToPath(new URL('./load.ts', import.meta.url));
// The pooler is tried for a part of the time: what it can break shows at once.
const POOLER_SHARE = 0.1;
const MIN_SECONDS = 10;

export async function benchMixed(minutes: number): Promise<Figure[]> {
  const seconds = Math.max(MIN_SECONDS, Math.round(minutes * 60));
  const sqlite = await onFreshFolder((env) => run({ engine: 'SQLite', env, seconds }));
  const server = await startPostgres({ durable: true });
  try {
    const postgres = await onFreshFolder(async (env) => {
      const { url } = await createDatabase(server.url);
      return run({ engine: 'PostgreSQL', env: { ...env, REGISTRY_DATABASE_URL: url }, seconds });
    });
    return [...sqlite, ...postgres, ...(await throughPooler(server.url, seconds))];
  } finally {
    await server.stop();
  }
}

async function throughPooler(serverUrl: string, seconds: number): Promise<Figure[]> {
  const engine = 'PostgreSQL through pgbouncer';
  const program = findPgbouncer();
  if (program === null) return [notMeasured(`mixed load (${engine})`, 'pgbouncer is not installed')];
  const { url } = await createDatabase(serverUrl);
  const pooler = await startPgbouncer(program, url);
  try {
    return await onFreshFolder((env) =>
      run({
        engine,
        env: { ...env, REGISTRY_DATABASE_URL: pooler.url, REGISTRY_DATABASE_DIRECT_URL: url },
        seconds: Math.max(MIN_SECONDS, Math.round(seconds * POOLER_SHARE)),
      }),
    );
  } finally {
    await pooler.stop();
  }
}

async function onFreshFolder(work: (env: Record<string, string>) => Promise<Figure[]>): Promise<Figure[]> {
  const folder = await scratchFolder('registry-mixed-');
  try {
    return await work({ REGISTRY_DATA_DIR: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface RunInput {
  engine: string;
  env: Record<string, string>;
  seconds: number;
}

async function run({ engine, env: database, seconds }: RunInput): Promise<Figure[]> {
  const env = {
    ...loadEnvironment(database),
    REGISTRY_LOG_LEVEL: 'info',
    REGISTRY_EMBEDDER: 'off',
    REGISTRY_EGRESS_ALLOW: '127.0.0.1',
    REGISTRY_WEBHOOK_RATE: '0',
  };
  const receiver = fork(RECEIVER, ['1']);
  try {
    const { ports } = await nextMessage<{ ports: number[] }>(receiver);
    const loaded = await fillRegistry(env, `http://127.0.0.1:${ports[0]}/timed`);
    const received = () => {
      receiver.send('tell');
      return nextMessage<Received>(receiver);
    };
    const processes = await startProcesses(env);
    try {
      const load = await startLoad({ ...loaded, url: processes.web.url, rootKey: ROOT_KEY, seconds });
      const started = processes.states();
      await sleep(seconds * 500);
      const halfway = processes.states();
      const result = await load.ended;
      const states = { started, halfway, ended: processes.states() };
      const { acknowledged } = result;
      const losses = await countLosses({ env, sources: loaded.sources, acknowledged, received });
      const [died, errors] = [processes.died(), processes.errors()];
      return figuresOf(engine, { load: result, losses, states, died, errors, codes: await processes.stop() });
    } finally {
      await processes.stop();
    }
  } finally {
    receiver.disconnect();
  }
}

// Begins when it has sent each kind of request alone.
async function startLoad(order: LoadOrder): Promise<{ ended: Promise<MixedLoad> }> {
  const generator = fork(LOAD);
  generator.send(order);
  await nextMessage(generator);
  return { ended: nextMessage<MixedLoad>(generator) };
}
