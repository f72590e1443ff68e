// Runs many test files per process: starting one and loading the service costs about a second, and there are hundreds
// of files. Side effects of a file reach only the files of its batch; hooks belong inside of a suite, because those at
// the top of a file would run for the whole batch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { NODE_FLAGS } from '../test/support/program.ts';
import { type WatchLimits, watchBatch } from './test-watch.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

interface BatchOutcome {
  ok: boolean;
  counts: Counts;
  // How the process ended, when its tests do not say it.
  failure: string | null;
}

// The number of the pipe to which a batch writes which tests begin and end, and finally its counts, one line of JSON
// each. It is not an IPC channel, because programs under test look for one.
export const PROGRESS_PIPE = 'REGISTRY_TEST_PROGRESS_PIPE';

export type Progress = { begun: string } | { ended: string } | { counts: Counts };

// Starting a process, loading the code and compiling what is hot costs four seconds, so batches are large. A file of `test/`
// takes about five times as long as one beside its code, so these come first, and the last batches are small: all cores
// finish at the same time.
const SERVICE_FILES = 32;
const MAX_FILES = 80;
const MIN_FILES = 20;
const SHARES = 4;
// Their tests are synchronous, so they come last and keep all cores busy to the end.
const RULES = /^src\/(?:contract|domain)\//;

export function dealBatches(files: readonly string[]): string[][] {
  // In the order of their paths, because neighbours load the same code.
  const sorted = [...files].sort();
  const services = sorted.filter((file) => file.startsWith('test/'));
  const units = sorted.filter((file) => !file.startsWith('test/'));
  const ordered = [...units.filter((file) => !RULES.test(file)), ...units.filter((file) => RULES.test(file))];
  return [...evenly(services), ...smallerAndSmaller(ordered)];
}

function evenly(files: readonly string[]): string[][] {
  const batches = Math.ceil(files.length / SERVICE_FILES);
  return Array.from({ length: batches }, (_, index) =>
    files.slice(Math.ceil((index * files.length) / batches), Math.ceil(((index + 1) * files.length) / batches)),
  );
}

function smallerAndSmaller(files: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let start = 0; start < files.length; start += batches.at(-1)?.length ?? 0) {
    const share = Math.ceil((files.length - start) / SHARES);
    batches.push(files.slice(start, start + Math.min(MAX_FILES, Math.max(MIN_FILES, share))));
  }
  return batches;
}

// As an option of Node, so that threads have it too.
const MODULES = new URL('test-modules.ts', import.meta.url).href;

export async function runBatch(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  { limits = {} as Partial<WatchLimits>, output = 'inherit' as 'inherit' | 'ignore' } = {},
): Promise<BatchOutcome> {
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', MODULES, 'tools/test-process.ts', ...files], {
    stdio: ['ignore', output, output, 'pipe'],
    // Node sets this variable inside of a test.
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
    return { ok: false, counts: NO_TESTS, failure };
  }
  const ok = code === 0 && counts.failed === 0;
  return { ok, counts, failure: ok || (counts.failed > 0 && !hung) ? null : ending };
}
