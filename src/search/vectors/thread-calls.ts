// Calls to a thread and its answers. The process stays alive only while a call is waiting.
import { Worker } from 'node:worker_threads';

interface PendingCall {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export interface ThreadAnswer {
  id: number;
  answer?: unknown;
  error?: string;
}

export interface ThreadOptions<Notice = unknown> {
  workerData: unknown;
  // Receives messages that answer no call.
  onNotice?: (notice: Notice) => void;
  // Called with the error when the thread crashed, else without one.
  onEnd?: (cause: unknown) => void;
}

const ENDED = 'the thread has ended';

export class ThreadCalls<Notice = unknown> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #ended: Promise<void>;
  #over = false;
  #next = 1;

  constructor(url: URL, { workerData, onNotice, onEnd }: ThreadOptions<Notice>) {
    this.#worker = new Worker(url, { workerData });
    this.#worker.unref();
    this.#worker.on('message', (message: ThreadAnswer | { notice: Notice }) => {
      if ('notice' in message) return onNotice?.(message.notice);
      const { id, answer, error } = message;
      this.#settle(id, (pending) => (error === undefined ? pending.resolve(answer) : pending.reject(new Error(error))));
    });
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#over = true;
        onEnd?.(cause);
        for (const id of [...this.#pending.keys()]) this.#settle(id, (pending) => pending.reject(new Error(ENDED)));
        resolve();
      });
    });
  }

  ask<T>(question: object): Promise<T> {
    const id = this.#next;
    this.#next += 1;
    return new Promise<T>((resolve, reject) => {
      if (this.#over) return reject(new Error(ENDED));
      this.#pending.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#worker.ref();
      this.#worker.postMessage({ ...question, id });
    });
  }

  // Sends a message that has no answer.
  send(message: object): void {
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended;
  }

  #settle(id: number, settle: (pending: PendingCall) => void): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    settle(pending);
  }
}
