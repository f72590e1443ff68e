// A pool of threads for work on untrusted documents. A task that takes too much processor time is stopped together with its
// thread, which is replaced, so that no document can hold up requests or deliveries.
import { Worker } from 'node:worker_threads';
import { besideCaller } from './beside-caller.ts';
import { type Task, type TaskMessage, TaskOutOfMemory, TaskTimeout, TooManyTasks } from './task.ts';

interface ThreadPoolOptions {
  threads: number;
  // Processor time that the work itself may take, from when its module is loaded. Waiting for a busy machine does not count.
  limitMs: number;
  // Tasks that may wait for a thread; more are refused.
  maxQueued: number;
  // Memory limit of one thread; a task that needs more fails alone.
  maxMemoryMb?: number;
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
const LEAST_WAIT_MS = 20;

export class TaskPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<TaskThread>();
  readonly #idle: TaskThread[] = [];
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(options: ThreadPoolOptions) {
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
    const thread = this.#idle.pop() ?? (this.#threads.size < this.#options.threads ? this.#start() : null);
    if (thread === null) return;
    thread.do(this.#waiting.shift() as Job, (alive) => {
      if (alive) this.#idle.push(thread);
      else this.#threads.delete(thread);
      this.#next();
    });
  }

  #start(): TaskThread {
    const thread = new TaskThread(this.#options.maxMemoryMb ?? 512);
    this.#threads.add(thread);
    return thread;
  }
}

class TaskThread {
  readonly #worker: Worker;
  #job: Job | null = null;
  // The timers of the next check of the processor time and of the stall limit.
  #timers: NodeJS.Timeout[] = [];
  #free: (alive: boolean) => void = () => {};

  constructor(maxMemoryMb: number) {
    this.#worker = new Worker(SCRIPT, {
      name: 'documents',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (message: TaskMessage) => this.#take(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#settle(({ reject }) => reject(isOutOfMemory ? new TaskOutOfMemory(maxMemoryMb, error) : error), false);
    });
    this.#worker.on('exit', () => this.#settle(({ reject }) => reject(new Error('a document thread ended')), false));
  }

  do(job: Job, free: (alive: boolean) => void): void {
    this.#job = job;
    this.#free = free;
    this.#after(STALLED_MS, () => this.#stop(STALLED_MS));
    this.#worker.ref();
    const { module, name } = job.task;
    try {
      this.#worker.postMessage({ module, name, input: job.input });
    } catch (error) {
      // Input that cannot be cloned is an error of the caller; the thread has not received it.
      this.#settle(({ reject }) => reject(error as Error), true);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  // Ends the thread if it does this job.
  abort(job: Job): void {
    if (this.#job !== job) return;
    this.#settle(() => {}, false);
    void this.#worker.terminate();
  }

  #take(message: TaskMessage): void {
    if (message.kind === 'started') this.#watch(this.#job, message.at);
    else if (message.kind === 'done') this.#settle(({ resolve }) => resolve(message.output), true);
    else this.#settle(({ reject }) => reject(message.error), true);
  }

  // Processor time never runs faster than the clock, so the first check is due when the limit has passed on the clock.
  #watch(job: Job | null, startedAt: number, usedMs = 0): void {
    if (job === null) return;
    this.#after(Math.max(job.limitMs - usedMs, usedMs === 0 ? 0 : LEAST_WAIT_MS), async () => {
      const used = (await processorTime(this.#worker)) - startedAt;
      if (this.#job !== job) return;
      if (used >= job.limitMs) this.#stop(job.limitMs);
      else this.#watch(job, startedAt, used);
    });
  }

  #after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, ms));
  }

  #stop(limitMs: number): void {
    this.#settle(({ reject }) => reject(new TaskTimeout(limitMs)), false);
    void this.#worker.terminate();
  }

  #settle(answer: (job: Job) => void, alive: boolean): void {
    const job = this.#job;
    if (job === null) return;
    this.#job = null;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    this.#worker.unref();
    answer(job);
    this.#free(alive);
  }
}

// The processor time of a thread in milliseconds. Node before 24.6 does not report it, so the clock is used there.
async function processorTime(worker: Worker): Promise<number> {
  const { cpuUsage } = worker as Partial<Pick<Worker, 'cpuUsage'>>;
  if (cpuUsage === undefined) return Infinity;
  // A thread that ends meanwhile reports nothing, and has no task either.
  return cpuUsage.call(worker).then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  );
}
