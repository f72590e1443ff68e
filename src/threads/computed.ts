// Results of work on long texts for code inside a transaction, which cannot wait for a thread. A missing result rolls the
// transaction back, is computed on a thread, and the transaction runs again: no text blocks the process or the lock of the
// database.
import { AsyncLocalStorage } from 'node:async_hooks';
import { onThread, SMALL } from './documents.ts';
import type { Task } from './task.ts';

// Work on one text. `size` is the length of the text, and `key` names the result where the input holds more than decides
// on it, such as the time of day.
export interface Computation<Input, Output> {
  task: Task<Input, Output>;
  input: Input;
  size: number;
  key?: unknown;
}

// Thrown when a result is missing. Only `whenComputed` catches it.
class NotComputed extends Error {
  override name = 'NotComputed';
  readonly missing: readonly { name: string; computation: Computation<never, unknown> }[];

  constructor(missing: NotComputed['missing']) {
    super('a result is not there yet');
    this.missing = missing;
  }
}

// The state of one run of `whenComputed`; null inside of `computeInline`. Work that was started in a run may
// outlive it and then no longer belongs to it.
interface ComputationRun {
  results: Map<string, unknown> | null;
  // Numbers the long texts of this run, so that no text has to be hashed or copied to identify a result.
  texts: Map<string, number>;
  isOver: boolean;
}

// Bounds the number of runs of work that needs new results every time.
const MOST_RUNS = 100;

const runs = new AsyncLocalStorage<ComputationRun>();

function currentRun(): ComputationRun | null {
  const run = runs.getStore();
  return run && !run.isOver ? run : null;
}

// The result of a computation. Small texts are computed at once; so are long ones outside of `whenComputed`, where nobody
// could wait for a thread.
export function computed<Input, Output>(computation: Computation<Input, Output>): Output {
  const { task, input, size } = computation;
  const run = size <= SMALL ? null : currentRun();
  if (!run?.results) return task.run(input);
  const name = nameOf(run, computation);
  if (!run.results.has(name)) throw notComputed([{ name, computation }]);
  return run.results.get(name) as Output;
}

// Requests many results together, so that they are computed together.
export function requireComputed<Input, Output>(computations: readonly Computation<Input, Output>[]): void {
  const run = currentRun();
  if (!run?.results) return;
  const { results } = run;
  const missing = computations
    .filter(({ size }) => size > SMALL)
    .map((computation) => ({ name: nameOf(run, computation), computation }))
    .filter(({ name }) => !results.has(name));
  if (missing.length > 0) throw notComputed(missing);
}

function notComputed<Input, Output>(missing: { name: string; computation: Computation<Input, Output> }[]): NotComputed {
  return new NotComputed(missing as unknown as NotComputed['missing']);
}

// Runs the work, and runs it again from its start when a result was missing. The work must undo the effects of a run that
// throws.
export function whenComputed<T>(work: () => Promise<T>): Promise<T> {
  if (currentRun()) return work();
  const results = new Map<string, unknown>();
  const run: ComputationRun = { results, texts: new Map(), isOver: false };
  return inRun(run, async () => {
    for (let runs = 1; ; runs += 1) {
      try {
        if (runs > MOST_RUNS) run.results = null;
        return await work();
      } catch (error) {
        if (!(error instanceof NotComputed)) throw error;
        for (const { name, computation } of error.missing) {
          if (!results.has(name)) results.set(name, await onThread(computation.task, computation.input as never));
        }
      }
    }
  });
}

// Computes everything at once, for loaders of our own texts, whose single transaction is too long to be repeated.
export function computeInline<T>(work: () => Promise<T>): Promise<T> {
  return inRun({ results: null, texts: new Map(), isOver: false }, work);
}

function inRun<T>(run: ComputationRun, work: () => Promise<T>): Promise<T> {
  return runs.run(run, work).finally(() => {
    run.isOver = true;
  });
}

function nameOf<Input, Output>(
  { texts }: ComputationRun,
  { task, input, key = input }: Computation<Input, Output>,
): string {
  const short = JSON.stringify(key, (_, value: unknown) => {
    if (value instanceof Set || value instanceof Map) return [...value];
    if (typeof value !== 'string' || value.length <= SMALL) return value;
    const number = texts.get(value) ?? texts.size;
    texts.set(value, number);
    return { text: number };
  });
  return `${task.module}#${task.name} ${short}`;
}
