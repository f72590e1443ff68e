// Calls to a thread and its answers. The process stays alive only while a call is waiting.
import type { Worker } from 'node:worker_threads';
import { type StartOptions, startThread, type ThreadName } from './start.ts';
import { ThreadEnded } from './task.ts';

interface PendingCall {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

// What a thread sends back; a message without an id is `{ notice }`.
export interface ThreadAnswer {
  id: number;
  answer?: unknown;
  error?: Error | string;
}

export interface CallOptions<Notice = unknown> extends StartOptions {
  // Receives messages that answer no call.
  onNotice?: (notice: Notice) => void;
  // Called with the error when the thread crashed, else without one.
  onEnd?: (cause: unknown) => void;
}

export class ThreadCalls<Notice = unknown> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #exit: Promise<void>;
  #ended = false;
  #next = 1;

  constructor(name: ThreadName, script: URL, { onNotice, onEnd, ...options }: CallOptions<Notice> = {}) {
    this.#worker = startThread(name, script, options);
    this.#worker.on('message', (message: ThreadAnswer | { notice: Notice }) => {
      if ('notice' in message) return onNotice?.(message.notice);
      const { id, answer, error } = message;
      if (error === undefined) this.#settle(id, ({ resolve }) => resolve(answer));
      else this.#settle(id, ({ reject }) => reject(error instanceof Error ? error : new Error(error)));
    });
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#exit = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#ended = true;
        onEnd?.(cause);
        for (const id of [...this.#pending.keys()]) this.#settle(id, ({ reject }) => reject(new ThreadEnded(cause)));
        resolve();
      });
    });
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  // How many calls wait for their answer.
  get pending(): number {
    return this.#pending.size;
  }

  ask<T>(question: object): Promise<T> {
    const id = this.#next;
    this.#next += 1;
    return new Promise<T>((resolve, reject) => {
      if (this.#ended) return reject(new ThreadEnded());
      this.#pending.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#worker.ref();
      try {
        this.#worker.postMessage({ ...question, id });
      } catch (error) {
        // A question that cannot be cloned is an error of the caller; the thread has not received it.
        this.#settle(id, () => reject(error));
      }
    });
  }

  // Sends a message that has no answer.
  send(message: unknown): void {
    this.#worker.postMessage(message);
  }

  // The processor time of the thread in milliseconds. Node before 24.6 does not report it, so the clock is used there.
  async processorTime(): Promise<number> {
    const { cpuUsage } = this.#worker as Partial<Pick<Worker, 'cpuUsage'>>;
    if (cpuUsage === undefined) return Infinity;
    // A thread that ends meanwhile reports nothing, and has no task either.
    return cpuUsage.call(this.#worker).then(
      ({ user, system }) => (user + system) / 1000,
      () => 0,
    );
  }

  // Waits for a thread that was told to end.
  async ended(): Promise<void> {
    if (!this.#ended) this.#worker.ref();
    await this.#exit;
  }

  // Ends the thread in the middle of whatever it does.
  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.#exit;
  }

  #settle(id: number, settle: (pending: PendingCall) => void): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    settle(pending);
  }
}
