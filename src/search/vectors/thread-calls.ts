// Questions to a thread and its answers. The process stays alive while somebody waits for one, and only then.
import { Worker } from 'node:worker_threads';

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export interface ThreadAnswer {
  id: number;
  answer?: unknown;
  error?: string;
}

export interface ThreadOptions {
  workerData: unknown;
  /** For messages that answer no question. */
  onNotice?: (notice: unknown) => void;
  onEnd?: () => void;
}

export class ThreadCalls {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly ended: Promise<void>;
  #next = 1;

  constructor(url: URL, { workerData, onNotice, onEnd }: ThreadOptions) {
    this.#worker = new Worker(url, { workerData });
    this.#worker.unref();
    this.#worker.on('message', (message: ThreadAnswer | { notice: unknown }) => {
      if ('notice' in message) return onNotice?.(message.notice);
      const { id, answer, error } = message;
      this.#settle(id, (pending) => (error === undefined ? pending.resolve(answer) : pending.reject(new Error(error))));
    });
    let cause = 'the thread ended';
    this.#worker.on('error', (error) => {
      cause = String(error);
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        onEnd?.();
        for (const id of [...this.#pending.keys()]) this.#settle(id, (pending) => pending.reject(new Error(cause)));
        resolve();
      });
    });
  }

  ask<T>(question: object): Promise<T> {
    const id = this.#next;
    this.#next += 1;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#worker.ref();
      this.#worker.postMessage({ ...question, id });
    });
  }

  /** Nobody waits for it. */
  tell(message: object): void {
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.ended;
  }

  #settle(id: number, settle: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    settle(pending);
  }
}

/** A file beside the caller's, with the ending that the caller has: the packed service holds JavaScript. */
export function besideCaller(callerUrl: string, name: string): URL {
  return new URL(`./${name}${callerUrl.slice(callerUrl.lastIndexOf('.'))}`, callerUrl);
}
