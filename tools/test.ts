// `npm test`: everything that has to hold, in one command that needs nothing but npm. `npm test -- unit lint` runs
// those steps alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POSTGRES_VARIABLE, startPostgres } from '../test/support/postgres.ts';
import { runTestFiles } from './test-batches.ts';

interface Step {
  name: string;
  run(env: NodeJS.ProcessEnv): Promise<boolean>;
  needsPostgres?: boolean;
}

const bin = (name: string) => join('node_modules', '.bin', name);

const STEPS: Step[] = [
  { name: 'lint', run: (env) => runProgram(bin('biome'), ['check', '.'], env) },
  { name: 'types', run: (env) => runProgram(bin('tsc'), ['--noEmit'], env) },
  { name: 'layers', run: (env) => runProgram(process.execPath, ['tools/layers.ts'], env) },
  { name: 'dead code', run: (env) => runProgram(process.execPath, ['tools/dead-code.ts'], env) },
  {
    name: 'unit tests',
    run: (env) => runTestFiles(['src/**/*.test.ts', 'tools/**/*.test.ts'], env),
    needsPostgres: true,
  },
  { name: 'service tests', run: (env) => runTestFiles(['test/**/*.test.ts'], env), needsPostgres: true },
  { name: 'logs', run: (env) => runProgram(process.execPath, ['tools/scan-logs.ts'], env) },
];

interface Outcome {
  name: string;
  ok: boolean;
  seconds: number;
}

async function runProgram(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  const [code] = await once(child, 'close').catch((error: Error) => {
    console.error(error.message);
    return [1];
  });
  return code === 0;
}

async function runStep({ name, run }: Step, env: NodeJS.ProcessEnv): Promise<Outcome> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const ok = await run(env);
  return { name, ok, seconds: (performance.now() - started) / 1000 };
}

async function runAll(): Promise<Outcome[]> {
  const only = process.argv.slice(2);
  const steps = STEPS.filter(({ name }) => only.length === 0 || only.includes(name.split(' ')[0] ?? ''));
  const server = steps.some((step) => step.needsPostgres) ? await startPostgres() : null;
  // The services of the tests log here, and the last step reads it.
  const logs = await mkdtemp(join(tmpdir(), 'registry-logs-'));
  const env = {
    ...process.env,
    // Many short processes load the same files; most of their start is compiling them.
    NODE_COMPILE_CACHE: join('node_modules', '.cache', 'node-compile'),
    REGISTRY_TEST_LOG_DIR: logs,
    ...(server ? { [POSTGRES_VARIABLE]: server.url } : {}),
  };
  try {
    const outcomes: Outcome[] = [];
    for (const step of steps) outcomes.push(await runStep(step, env));
    // Left in place when something was found in it.
    if (outcomes.every(({ name, ok }) => ok || name !== 'logs')) await rm(logs, { recursive: true, force: true });
    return outcomes;
  } finally {
    await server?.stop();
  }
}

const outcomes = await runAll();
const ok = outcomes.every((outcome) => outcome.ok);
const total = outcomes.reduce((sum, { seconds }) => sum + seconds, 0);
const parts = outcomes.map(
  (outcome) => `${outcome.name} ${outcome.ok ? 'ok' : 'FAILED'} ${outcome.seconds.toFixed(1)} s`,
);
console.log(`\n${ok ? 'PASSED' : 'FAILED'} in ${total.toFixed(0)} s: ${parts.join(', ')}`);
process.exitCode = ok ? 0 : 1;
