// A hundred kills and restarts of one part of the service under load, on each engine: nothing that was acknowledged may
// be lost, no event may be missing, and every part has to come back.
import { rm } from 'node:fs/promises';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startLoad } from '../test/support/load.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../test/support/postgres.ts';
import {
  assertNothingLost,
  killPart,
  loadEnvironment,
  type RunningService,
  runService,
} from '../test/support/running-service.ts';
import { scratchFolder } from '../test/support/scratch.ts';
import { type Figure, median } from './figures.ts';

const KILLS = 100;

export async function benchRestarts(kills = KILLS): Promise<Figure[]> {
  const folder = await scratchFolder('registry-restarts-');
  const server = await startPostgres({ durable: true });
  const { url } = await createDatabase(server.url);
  const figures = [
    await killOnEngine('SQLite', { REGISTRY_DATA_DIR: folder }, null, kills),
    await killOnEngine('PostgreSQL', { REGISTRY_DATA_DIR: folder, REGISTRY_DATABASE_URL: url }, server, kills),
  ];
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  return figures;
}

async function killOnEngine(
  name: string,
  database: Record<string, string>,
  server: PostgresServer | null,
  kills: number,
): Promise<Figure> {
  const env = { ...loadEnvironment(database), REGISTRY_LOG_LEVEL: 'info' };
  const web = await runService(['web', '--processes', '2'], env);
  const whole = await runService(['serve'], env);
  const load = startLoad(web);
  const parts: (() => Promise<void>)[] = [
    () => killPart(web, /^web/),
    () => killPart(whole, /^worker/),
    ...(server ? [() => server.restart('fast'), () => server.restart('immediate')] : []),
  ];
  const recoveries: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await load.succeeded(3);
    const startedAt = performance.now();
    await parts[kill % parts.length]?.();
    await load.succeeded(3);
    recoveries.push(performance.now() - startedAt);
  }
  const { acknowledged, statuses, unanswered } = await load.stop();
  const codes = await Promise.all([web, whole].map(stopService));
  const app = await createApp(readConfig(env));
  const loss = await assertNothingLost(app.ctx, acknowledged).then(
    () => null,
    (error: Error) => error.message,
  );
  await app.close();
  const refused = (statuses['read 503'] ?? 0) + (statuses['write 503'] ?? 0);
  const unforeseen = Object.keys(statuses).filter((key) => !/^read 200$|^write 20[01]$| 503$/.test(key));
  return {
    name: `${kills} kills or restarts under load (${name})`,
    value: median(recoveries) / 1000,
    unit: 's',
    target: 'nothing lost',
    holds: loss === null && unforeseen.length === 0 && codes.every((code) => code === 0),
    detail: [
      'median until three further reads and writes succeed',
      `longest ${(Math.max(...recoveries) / 1000).toFixed(1)} s`,
      `${acknowledged.length} releases acknowledged`,
      loss ?? 'none lost, no gap in events',
      `${refused} answers of 503`,
      `${unanswered} connections cut by kills`,
      ...unforeseen.map((key) => `${key}: ${statuses[key]}`),
    ].join('; '),
  };
}

async function stopService({ registry }: RunningService): Promise<number | null> {
  registry.child.kill('SIGTERM');
  return (await registry.ended).code;
}
