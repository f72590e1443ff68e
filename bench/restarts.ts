// A hundred kills and restarts of one part of the service under load, on each engine: nothing that was acknowledged may
// be lost, no event may be missing, and every part has to come back.
import { rm } from 'node:fs/promises';
import { createApp } from '../src/app.ts';
import { createProgress } from '../src/cli/progress.ts';
import { readConfig } from '../src/config.ts';
import { type LoadResult, startLoad } from '../test/support/load.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../test/support/postgres.ts';
import {
  countLosses,
  killPart,
  type Losses,
  loadEnvironment,
  partProcesses,
  type RunningService,
  runService,
} from '../test/support/running-service.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { type Figure, median } from './figures.ts';

// The load is steady and leaves the machine room to start processes: what is measured is loss, not speed.
const PAUSE_MS = 25;
const SUCCESSES = 3;
// Far beyond any slow start. It only ends a run in which something hangs.
const HANGS_AFTER_MS = 10 * 60_000;

export async function benchRestarts(kills: number): Promise<Figure[]> {
  const folder = await scratchFolder('registry-restarts-');
  const server = await startPostgres({ durable: true });
  try {
    const { url } = await createDatabase(server.url);
    return [
      await killOnEngine({ engine: 'SQLite', database: { REGISTRY_DATA_DIR: folder }, server: null, kills }),
      await killOnEngine({
        engine: 'PostgreSQL',
        database: { REGISTRY_DATA_DIR: folder, REGISTRY_DATABASE_URL: url },
        server,
        kills,
      }),
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface KillInput {
  engine: string;
  database: Record<string, string>;
  // Null: the database is a file, and there is nothing to restart.
  server: PostgresServer | null;
  kills: number;
}

async function killOnEngine({ engine, database, server, kills }: KillInput): Promise<Figure> {
  const startedAt = performance.now();
  const env = { ...loadEnvironment(database), REGISTRY_LOG_LEVEL: 'info', REGISTRY_EMBEDDER: 'off' };
  const web = await runService(['web', '--processes', '2'], env);
  const whole = await runService(['serve'], env);
  const load = startLoad(web, { pauseMs: PAUSE_MS });
  const parts: Part[] = [
    { name: 'web', kill: () => killPart(web, /^web/) },
    { name: 'worker', kill: () => killPart(whole, /^worker/) },
  ];
  if (server) {
    parts.push({ name: 'database restarted', kill: () => server.restart('fast') });
    parts.push({ name: 'database crashed', kill: () => server.restart('immediate') });
  }
  const run = await killInTurn({ parts, kills, succeeded: () => load.succeeded(SUCCESSES) });
  const services = [web, whole];
  const down = countDown(services);
  const stopped = load.stop();
  // Requests to a service that hangs are not waited for.
  const result = run.fault ? load.soFar() : await stopped;
  const codes = await Promise.all(services.map((service) => stopService(service, run.fault !== null)));
  const app = await createApp(readConfig(env));
  const losses = await countLosses(app.ctx, result.acknowledged);
  await app.close();
  return figureOf({ engine, kills, run, down, result, losses, codes, seconds: (performance.now() - startedAt) / 1000 });
}

interface Part {
  name: string;
  kill(): Promise<void>;
}

interface KillRun {
  done: Record<string, number>;
  recoveriesMs: number[];
  // Why it ended early.
  fault: string | null;
}

async function killInTurn(input: { parts: Part[]; kills: number; succeeded(): Promise<void> }): Promise<KillRun> {
  const { parts, kills, succeeded } = input;
  const run: KillRun = { done: {}, recoveriesMs: [], fault: null };
  const progress = createProgress({ label: 'kills', total: kills });
  let killing = '';
  try {
    await orHangs(succeeded());
    while (run.recoveriesMs.length < kills) {
      const part = parts[run.recoveriesMs.length % parts.length] as Part;
      killing = part.name;
      const startedAt = performance.now();
      await orHangs(part.kill().then(succeeded));
      run.done[part.name] = (run.done[part.name] ?? 0) + 1;
      run.recoveriesMs.push(performance.now() - startedAt);
      progress.update(run.recoveriesMs.length);
    }
  } catch (error) {
    run.fault = `${killing}: ${(error as Error).message}`;
  }
  progress.finish();
  return run;
}

async function orHangs(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('not up again after ten minutes')), HANGS_AFTER_MS);
  });
  await Promise.race([work, hangs]).finally(() => clearTimeout(timer));
}

// The processes that should run and do not: supervisors, and what they watch.
function countDown(services: readonly RunningService[]): number {
  const supervisors = services.filter(({ registry }) => registry.child.exitCode !== null || registry.child.signalCode);
  const watched = services.flatMap((service) => partProcesses(service, /^(web|worker)/));
  return supervisors.length + watched.filter(({ pid, isReady }) => !isReady || !isAlive(pid)).length;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function stopService({ registry }: RunningService, atOnce: boolean): Promise<number | null> {
  registry.child.kill(atOnce ? 'SIGKILL' : 'SIGTERM');
  return (await registry.ended).code;
}

interface Outcome {
  engine: string;
  kills: number;
  run: KillRun;
  down: number;
  result: LoadResult;
  losses: Losses;
  codes: (number | null)[];
  seconds: number;
}

function figureOf({ engine, kills, run, down, result, losses, codes, seconds }: Outcome): Figure {
  const { acknowledged, statuses, unanswered } = result;
  const refused = (statuses['read 503'] ?? 0) + (statuses['write 503'] ?? 0);
  const unforeseen = Object.keys(statuses).filter((key) => !/^read 200$|^write 20[01]$| 503$/.test(key));
  const failures = losses.lost.length + losses.gaps + losses.unmatched + down;
  const done = run.recoveriesMs.length;
  return {
    name: `writes lost, event gaps and processes down after ${kills} kills (${engine})`,
    value: failures,
    unit: '',
    target: '0',
    holds: failures === 0 && done === kills && unforeseen.length === 0 && codes.every((code) => code === 0),
    detail: [
      `${done} kills done in ${seconds.toFixed(0)} s (${Object.entries(run.done)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')})`,
      `${acknowledged.length} writes acknowledged, ${losses.lost.length} lost`,
      `${losses.gaps} gaps in the numbers of events, ${losses.unmatched} releases without one`,
      `${down} processes down`,
      `up again and serving after ${(median(run.recoveriesMs) / 1000).toFixed(1)} s (median), ${(Math.max(0, ...run.recoveriesMs) / 1000).toFixed(1)} s at most`,
      `${refused} answers of 503, ${unanswered} connections cut`,
      ...unforeseen.map((key) => `${key}: ${statuses[key]}`),
      ...(run.fault ? [`ended early: ${run.fault}`] : []),
      ...(codes.every((code) => code === 0) ? [] : [`ended with ${codes.join(' and ')}`]),
    ].join('; '),
  };
}
