// A pool of threads for work on untrusted documents. A task that takes too much processor time is stopped together with its
// thread, which is replaced, so that no document can hold up requests or deliveries.
import { besideCaller } from './beside-caller.ts';
import { ThreadCalls } from './calls.ts';
import { THREADS } from './start.ts';
import {
  type Task,
  TaskFailed,
  TaskOutOfMemory,
  type TaskQuestion,
  type TaskStarted,
  TaskStopped,
  TaskTimeout,
  ThreadEnded,
  TooManyTasks,
} from './task.ts';

interface TaskPoolOptions {
  // Which threads of the table do the tasks.
  name: 'documents' | 'requests' | 'transactions' | 'evidence' | 'pictures' | 'checker';
  // Processor time that the work itself may take, from when its module is loaded. Waiting for a busy machine does not count.
  limitMs: number;
  // Tasks that may wait for a thread; more are refused.
  maxQueued: number;
  // Other limits than those of the table. A task that needs more memory fails alone.
  threads?: number;
  memoryMb?: number;
  // Whatever a task throws is the fault of what it read: it is stopped, and its thread with it, because the program that it
  // runs may be left in any state. Elsewhere this holds for what is too deep or too large alone.
  stopsAtFaults?: boolean;
}

interface Job {
  task: Task<never, unknown>;
  input: unknown;
  limitMs: number;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

const SCRIPT = besideCaller(import.meta.url, 'thread');
// A task that has not ended after this time is stalled, because even a busy machine gives it enough processor time by then.
const STALLED_MS = 10 * 60_000;
// The shortest pause between two checks of a task that has nearly used up its time.
const MIN_WAIT_MS = 20;

export class TaskPool {
  readonly #options: TaskPoolOptions;
  readonly #threads = new Set<TaskThread>();
  readonly #idle: TaskThread[] = [];
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(options: TaskPoolOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  // An aborted signal ends the task with its thread, and rejects with the reason of the signal.
  run<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    { limitMs = this.#options.limitMs, signal }: { limitMs?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#closed) return reject(new Error('the thread pool is closed'));
      if (this.#waiting.length >= this.#options.maxQueued) return reject(new TooManyTasks('too many documents wait'));
      const settle = resolve as (output: unknown) => void;
      const abort = () => this.#abort(job, signal?.reason);
      const settled = <T>(answer: (value: T) => void) => {
        return (value: T) => {
          signal?.removeEventListener('abort', abort);
          answer(value);
        };
      };
      const job: Job = {
        task: task as Task<never, unknown>,
        input,
        limitMs,
        resolve: settled(settle),
        reject: settled(reject),
      };
      signal?.addEventListener('abort', abort);
      this.#waiting.push(job);
      this.#next();
    });
  }

  #abort(job: Job, reason: Error): void {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    else for (const thread of this.#threads) thread.abort(job);
    job.reject(reason);
  }

  // Ends the threads; running and waiting tasks are rejected.
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the thread pool is closed'));
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const { name, threads = THREADS[name].most } = this.#options;
    const thread = this.#idle.pop() ?? (this.#threads.size < threads ? this.#start() : null);
    if (thread === null) return;
    thread.do(this.#waiting.shift() as Job, (alive) => {
      if (alive) this.#idle.push(thread);
      else this.#threads.delete(thread);
      this.#next();
    });
  }

  #start(): TaskThread {
    const thread = new TaskThread(this.#options);
    this.#threads.add(thread);
    return thread;
  }
}

class TaskThread {
  readonly #calls: ThreadCalls<TaskStarted>;
  readonly #memoryMb: number;
  readonly #stopsAtFaults: boolean;
  #job: Job | null = null;
  // The timers of the next check of the processor time and of the stall limit.
  #timers: NodeJS.Timeout[] = [];
  #free: (alive: boolean) => void = () => {};

  constructor({ name, memoryMb = THREADS[name].memoryMb, stopsAtFaults = false }: TaskPoolOptions) {
    this.#memoryMb = memoryMb;
    this.#stopsAtFaults = stopsAtFaults;
    this.#calls = new ThreadCalls(name, SCRIPT, {
      memoryMb,
      onNotice: ({ startedAt }) => this.#watch(this.#job, startedAt),
    });
  }

  do(job: Job, free: (alive: boolean) => void): void {
    this.#job = job;
    this.#free = free;
    this.#after(STALLED_MS, () => this.#stop(job, STALLED_MS));
    const { module, name } = job.task;
    this.#calls.ask({ module, name, input: job.input } satisfies TaskQuestion).then(
      (output) => this.#settle(job, true, () => job.resolve(output)),
      (error: Error) => this.#fail(job, this.#faultOf(error)),
    );
  }

  async end(): Promise<void> {
    await this.#calls.end();
  }

  // Ends the thread if it does this job.
  abort(job: Job): void {
    if (this.#job !== job) return;
    this.#settle(job, false, () => {});
    void this.end();
  }

  // Processor time never runs faster than the clock, so the first check is due when the limit has passed on the clock.
  #watch(job: Job | null, startedAt: number, usedMs = 0): void {
    if (job === null) return;
    this.#after(Math.max(job.limitMs - usedMs, usedMs === 0 ? 0 : MIN_WAIT_MS), async () => {
      const used = (await this.#calls.processorTime()) - startedAt;
      if (this.#job !== job) return;
      if (used >= job.limitMs) this.#stop(job, job.limitMs);
      else this.#watch(job, startedAt, used);
    });
  }

  #after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, ms));
  }

  #stop(job: Job, limitMs: number): void {
    this.#settle(job, false, () => job.reject(new TaskTimeout(limitMs)));
    void this.end();
  }

  // A thread whose task was stopped does no other.
  #fail(job: Job, fault: Error): void {
    const isFit = !(this.#calls.hasEnded || fault instanceof TaskStopped);
    if (!isFit) void this.end();
    this.#settle(job, isFit, () => job.reject(fault));
  }

  // The error of a task, or the one with which its thread ended.
  #faultOf(error: Error): Error {
    if (error instanceof ThreadEnded && !(error.cause instanceof Error)) return error;
    const fault = error instanceof ThreadEnded ? (error.cause as NodeJS.ErrnoException) : error;
    if ('code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY') return new TaskOutOfMemory(this.#memoryMb, fault);
    const isOfInput = fault instanceof RangeError || (this.#stopsAtFaults && fault.name !== 'DataCloneError');
    return isOfInput ? new TaskFailed(fault) : fault;
  }

  #settle(job: Job, alive: boolean, answer: () => void): void {
    if (this.#job !== job) return;
    this.#job = null;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    answer();
    this.#free(alive);
  }
}
