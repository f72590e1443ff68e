// Runs test files many to a process: starting one and loading the service costs about a second, and there are hundreds
// of files. What a file leaves behind reaches the files of its batch and nobody else; hooks belong inside of a suite,
// because those at the top of a file would run for the whole batch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type WatchLimits, watchBatch } from './test-watch.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface BatchOutcome extends Counts {
  ok: boolean;
  // How the process ended, when that is more than its tests say.
  failure: string | null;
}

// Holds the number of the pipe to which a batch writes which tests begin and end, and at last its counts, one line of
// JSON each. Not a channel of messages: programs under test look for one.
export const PROGRESS_PIPE = 'REGISTRY_TEST_PROGRESS_PIPE';

export type Progress = { begun: string } | { ended: string } | { counts: Counts };

const BATCH_FILES = 12;

// Long ones start first, each in a batch of its own, so that a run does not end with waiting for one of them.
const LONG = [
  'test/hostile/growth.test.ts',
  'test/service/demo.test.ts',
  'test/service/contract.test.ts',
  'src/domain/changelog/chunks.test.ts',
  'src/search/vectors/index-thread/hnsw.test.ts',
  'test/accounts/auth-sign-in.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/serve.test.ts',
  'test/cli/stop.test.ts',
  'test/search/vectors.test.ts',
  'test/service/kill-during-ingest.test.ts',
  'test/service/pages.test.ts',
  'test/service/postgres-outage.test.ts',
  'test/service/restarts.test.ts',
  'test/webhooks/delivery-killed.test.ts',
];

export function dealBatches(files: readonly string[]): string[][] {
  const batches = LONG.filter((file) => files.includes(file)).map((file) => [file]);
  // In the order of their paths: neighbours load the same code.
  const rest = files.filter((file) => !LONG.includes(file)).sort();
  for (let at = 0; at < rest.length; at += BATCH_FILES) batches.push(rest.slice(at, at + BATCH_FILES));
  return batches;
}

export async function runTestFiles(patterns: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const started = performance.now();
  const waiting = dealBatches(globSync(patterns));
  const outcomes: BatchOutcome[] = [];
  const work = async () => {
    for (let files = waiting.shift(); files; files = waiting.shift()) {
      const outcome = await runBatch(files, env);
      outcomes.push(outcome);
      if (outcome.failure) console.log(`  FAILED  ${outcome.failure}, running\n    ${files.join('\n    ')}`);
    }
  };
  // A test waits for a disk, a database or another process now and then; one batch more than cores keeps them busy.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  const sum = (kind: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[kind], 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped, ${seconds} s`);
  return outcomes.length > 0 && outcomes.every(({ ok }) => ok);
}

export async function runBatch(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  { limits = {} as Partial<WatchLimits>, output = 'inherit' as 'inherit' | 'ignore' } = {},
): Promise<BatchOutcome> {
  const options = ['--test-isolation=none', '--test-reporter=./tools/test-reporter.ts'];
  const child = spawn(process.execPath, ['--test', ...options, ...files], {
    stdio: ['ignore', output, output, 'pipe'],
    // Set where this runs inside of a test.
    env: { ...env, [PROGRESS_PIPE]: '3', NODE_TEST_CONTEXT: undefined },
  });
  const watch = watchBatch(child.pid ?? 0, limits);
  const running = new Set<string>();
  let counts: Counts | null = null;
  let hung: string | null = null;
  let last = 'the start';
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    watch.heard();
    const progress = JSON.parse(line) as Progress;
    if ('begun' in progress) running.add(progress.begun);
    if ('ended' in progress) {
      running.delete(progress.ended);
      last = progress.ended;
    }
    if ('counts' in progress) counts = progress.counts;
  });
  void watch.hanging.then((reason) => {
    const named = [...running].join(', ');
    hung = named
      ? `${reason} in ${named}`
      : `${reason} after ${last}: something keeps the process open or never yields`;
    child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  watch.end();
  return outcomeOf(counts, { code, signal, hung });
}

interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  hung: string | null;
}

function outcomeOf(counts: Counts | null, { code, signal, hung }: ProcessExit): BatchOutcome {
  const ending = hung ?? `a process ended with ${signal ?? code}`;
  if (!counts) {
    const failure = hung ?? `${ending} before it had sent its counts`;
    return { ok: false, passed: 0, failed: 0, skipped: 0, failure };
  }
  const ok = code === 0 && counts.failed === 0;
  return { ok, ...counts, failure: ok || (counts.failed > 0 && !hung) ? null : ending };
}
