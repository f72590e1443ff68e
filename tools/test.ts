// `npm test`: all checks in one command that needs nothing but npm. `npm test -- unit lint` runs only those steps,
// `npm test -- changed` the tests that say most of what differs from the main branch, `npm test -- <file>` those of a file.
// Checks and batches of tests share one queue, so that no core waits for the end of a step.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { COMPILER, COMPILER_ARGS, COMPILER_ENV } from '../test/support/compiler.ts';
import { POSTGRES_VARIABLE, startPostgres } from '../test/support/postgres.ts';
import { PROGRAM_VARIABLE, TEST_PROGRAMS } from '../test/support/program.ts';
import { FILLED_VARIABLE } from '../test/support/scratch.ts';
import { buildRunnable } from './build-package.ts';
import { CHANGED, isFile, type Picked, pickTests } from './changed-tests.ts';
import { addCounts, type Counts, dealBatches, NO_TESTS, runBatch } from './test-batches.ts';
import { runBeside } from './test-jobs.ts';
import { bundlePackages, PACKAGES_VARIABLE } from './test-packages.ts';

type Program = [path: string, ...args: string[]];

const CACHE = resolve('node_modules', '.cache', 'release-registry');
// The incremental state of the compiler.
const TYPES_FILE = join(CACHE, 'types.tsbuildinfo');

const CHECKS: Record<string, Program> = {
  types: [COMPILER, ...COMPILER_ARGS, '--incremental', '--tsBuildInfoFile', TYPES_FILE],
  lint: [join('node_modules', '.bin', 'biome'), 'check', '.'],
  'lint changelog': [process.execPath, 'bin/registry.mjs', 'lint', 'CHANGELOG.md', '--against', 'none'],
  layers: [process.execPath, 'tools/layers.ts'],
  'dead code': [process.execPath, 'tools/dead-code.ts'],
  bounds: [process.execPath, 'tools/bounds.ts'],
};

const TESTS: Record<string, string[]> = {
  'unit tests': ['src/**/*.test.ts', 'tools/**/*.test.ts'],
  'service tests': ['test/**/*.test.ts'],
};

const PICKED = 'picked tests';

const LOGS = 'logs';
const LOGS_PROGRAM: Program = [process.execPath, 'tools/scan-logs.ts'];

interface Outcome {
  ok: boolean;
  // The time of its parts, which run in parallel with those of other steps.
  seconds: number;
  counts?: Counts;
}

interface Job {
  step: string;
  run(): Promise<{ ok: boolean; counts?: Counts }>;
}

async function runCheck(step: string, [path, ...args]: Program, env: NodeJS.ProcessEnv): Promise<{ ok: boolean }> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close').catch((error: Error) => [error.message]);
  console.log(`\n== ${step}\n${(await printed).join('')}${typeof code === 'string' ? code : ''}`);
  return { ok: code === 0 };
}

async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<{ ok: boolean; counts: Counts }> {
  const { ok, counts, failure } = await runBatch(files, env);
  if (failure) console.log(`  FAILED  ${failure}, running\n    ${files.join('\n    ')}`);
  return { ok, counts };
}

// The checks come first, because their findings are known soon.
function planJobs(isChosen: (step: string) => boolean, picked: Picked, env: NodeJS.ProcessEnv): Job[] {
  const checks = Object.entries(CHECKS)
    .filter(([step]) => isChosen(step))
    .map(([step, program]): Job => ({ step, run: () => runCheck(step, program, env) }));
  const groups = Object.entries(TESTS)
    .filter(([step]) => isChosen(step))
    .map(([step, patterns]) => ({ step, files: globSync(patterns) }));
  const stepOf = new Map(groups.flatMap(({ step, files }) => files.map((file) => [file, step])));
  const batches = dealBatches([...stepOf.keys()]).map((files): Job => {
    return { step: stepOf.get(files[0] ?? '') ?? '', run: () => runTests(files, env) };
  });
  // One batch a core, each of which begins with rules.
  const hands = Object.values(Object.groupBy(picked.files, (_, index) => index % availableParallelism()));
  const ofPicked = hands.map((files = []): Job => {
    return { step: PICKED, run: () => runTests(files, { ...env, ...picked.env }) };
  });
  return [...checks, ...ofPicked, ...batches];
}

async function runJobs(jobs: readonly Job[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const runJob = async ({ step, run }: Job) => {
    const started = performance.now();
    const { ok, counts } = await run();
    const known = outcomes.get(step) ?? { ok: true, seconds: 0 };
    outcomes.set(step, {
      ok: known.ok && ok,
      seconds: known.seconds + (performance.now() - started) / 1000,
      ...(counts ? { counts: addCounts(known.counts ?? NO_TESTS, counts) } : {}),
    });
  };
  await runBeside(jobs.map((job) => () => runJob(job)));
  return outcomes;
}

async function runAll(words: readonly string[]): Promise<Map<string, Outcome>> {
  const isChosen = (step: string) => words.length === 0 || words.includes(step.split(' ')[0] ?? '');
  const picked = pickTests(words);
  const runsTests = Object.keys(TESTS).some(isChosen);
  const program = join(CACHE, 'program');
  const packages = join(CACHE, 'packages');
  // For the compiler and for the bundler, which this process starts too.
  Object.assign(process.env, COMPILER_ENV);
  const [server] = runsTests
    ? await Promise.all([
        startPostgres({ socket: true }),
        buildRunnable(program, TEST_PROGRAMS),
        bundlePackages(packages),
      ])
    : [null];
  // The services of the tests log here, and the last step scans it.
  const logs = await mkdtemp(join(tmpdir(), 'registry-logs-'));
  const filled = await mkdtemp(join(tmpdir(), 'registry-filled-'));
  const env = {
    ...process.env,
    // Many short processes load the same files; most of their start is compiling them. The path is absolute, because
    // some programs run in another folder.
    NODE_COMPILE_CACHE: resolve('node_modules', '.cache', 'node-compile'),
    REGISTRY_TEST_LOG_DIR: logs,
    [FILLED_VARIABLE]: filled,
    ...(server ? { [POSTGRES_VARIABLE]: server.url, [PROGRAM_VARIABLE]: program, [PACKAGES_VARIABLE]: packages } : {}),
  };
  try {
    const outcomes = await runJobs(planJobs(isChosen, picked, env));
    if (isChosen(LOGS)) {
      const found = await runJobs([{ step: LOGS, run: () => runCheck(LOGS, LOGS_PROGRAM, env) }]);
      for (const [step, outcome] of found) outcomes.set(step, outcome);
    }
    // The logs stay when a secret was found in them.
    if (outcomes.get(LOGS)?.ok !== false) await rm(logs, { recursive: true, force: true });
    return outcomes;
  } finally {
    await rm(filled, { recursive: true, force: true });
    await server?.stop();
  }
}

const STEPS = [...Object.keys(CHECKS), ...Object.keys(TESTS), LOGS].map((step) => step.split(' ')[0] ?? '');
// Steps of one first word are chosen together.
const words = process.argv.slice(2);
const unknown = words.filter((word) => ![...STEPS, CHANGED].includes(word) && !isFile(word));
if (unknown.length > 0) {
  console.error(
    `no such step: ${unknown.join(', ')}\nnpm test takes any of: ${[...new Set(STEPS)].join(', ')}; without one it runs all.`,
  );
  console.error(`The tests of what you changed: npm test -- ${CHANGED}. Of one file: npm test -- <file>`);
  process.exit(2);
}

const started = performance.now();
const outcomes = await runAll(words);
const ok = (outcomes.size > 0 || words.includes(CHANGED)) && [...outcomes.values()].every((outcome) => outcome.ok);
for (const [step, { ok, seconds, counts }] of outcomes) {
  const tally = counts ? `, ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped` : '';
  console.log(`  ${ok ? 'ok' : 'FAILED'}  ${step}  ${seconds.toFixed(1)} s${tally}`);
}
console.log(`\n${ok ? 'PASSED' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
process.exitCode = ok ? 0 : 1;
