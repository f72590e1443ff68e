// Runs test files many to a process: starting one and loading the service costs about a second, and there are hundreds
// of files. What a file leaves behind reaches the files of its batch and nobody else; hooks belong inside of a suite,
// because those at the top of a file would run for the whole batch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface BatchOutcome extends Counts {
  ok: boolean;
  // How the process ended, when that is more than its tests say.
  trouble: string | null;
}

// Holds the number of the pipe to which a batch writes its counts. Not a channel of messages: programs under test look
// for one.
export const COUNTS_PIPE = 'REGISTRY_TEST_COUNTS_PIPE';

const BATCH_FILES = 12;
const TEST_LIMIT_MS = 300_000;
// Nothing but a process that something keeps open takes so long.
const BATCH_LIMIT_MS = 400_000;

// Long ones start first, each in a batch of its own, so that a run does not end with waiting for one of them.
const LONG = [
  'src/domain/changelog/chunks.test.ts',
  'src/search/vectors/index-thread/hnsw.test.ts',
  'test/accounts/auth-sign-in.test.ts',
  'test/cli/serve.test.ts',
  'test/search/vectors.test.ts',
  'test/service/contract.test.ts',
  'test/service/demo.test.ts',
  'test/service/pages.test.ts',
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
      if (outcome.trouble) console.log(`  FAILED  ${outcome.trouble}, running\n    ${files.join('\n    ')}`);
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
  { limitMs = BATCH_LIMIT_MS, output = 'inherit' as 'inherit' | 'ignore' } = {},
): Promise<BatchOutcome> {
  const options = [
    '--test-isolation=none',
    '--test-reporter=./tools/test-reporter.ts',
    `--test-timeout=${TEST_LIMIT_MS}`,
  ];
  const child = spawn(process.execPath, ['--test', ...options, ...files], {
    stdio: ['ignore', output, output, 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
    // Set where this runs inside of a test.
    env: { ...env, [COUNTS_PIPE]: '3', NODE_TEST_CONTEXT: undefined },
  });
  const told = text(child.stdio[3] as Readable);
  const [code, signal] = await once(child, 'close');
  const counts = JSON.parse((await told) || 'null') as Counts | null;
  if (!counts) {
    const trouble = `a process ended with ${signal ?? code} before it had told its counts`;
    return { ok: false, passed: 0, failed: 0, skipped: 0, trouble };
  }
  const ok = code === 0 && counts.failed === 0;
  const trouble = ok || counts.failed > 0 ? null : `a process ended with ${signal ?? code}`;
  return { ok, ...counts, trouble };
}
