// The client of the index thread: its last known state, and searches with a time limit.
import type { Logger } from 'pino';
import type { DegradedReason, VectorAnswer } from '../../domain/retrieval/retrievers.ts';
import type { VectorKind } from '../../ports.ts';
import { besideCaller } from '../../threads/beside-caller.ts';
import { ThreadCalls } from '../../threads/calls.ts';
import type { IndexOrder, IndexSettings, IndexState, Notice } from './index-thread/messages.ts';
import type { NearestQuery } from './nearest/nearest.ts';

const FOLLOW_MS = 1_000;
// The time limit of a search. While the index is written to disk, which takes a second at a million vectors, it does not answer.
const PATIENCE_MS = 2_000;

const NOTHING: IndexState = {
  space: null,
  dims: null,
  untouched: false,
  kinds: {
    release: { serves: false, count: 0, complete: false },
    chunk: { serves: false, count: 0, complete: false },
    entity: { serves: false, count: 0, complete: false },
  },
};

interface IndexClientOptions {
  settings: IndexSettings;
  clock: () => Date;
  log: Logger;
  onEnd: () => void;
}

export class IndexClient {
  readonly #thread: ThreadCalls<Notice>;
  readonly #clock: () => Date;
  readonly #timer: NodeJS.Timeout;
  #state: IndexState = NOTHING;

  constructor({ settings, clock, log, onEnd }: IndexClientOptions) {
    this.#clock = clock;
    this.#thread = new ThreadCalls('index', besideCaller(import.meta.url, 'index-thread/thread'), {
      workerData: settings,
      onNotice: (notice) => this.#take(notice, log),
      onEnd: (err) => {
        if (err) log.error({ err }, 'the thread of the vector indexes ended');
        clearInterval(this.#timer);
        this.#state = NOTHING;
        onEnd();
      },
    });
    this.#timer = setInterval(() => this.#thread.send(this.#followOrder()), FOLLOW_MS).unref();
    this.#thread.send(this.#followOrder());
  }

  get state(): IndexState {
    return this.#state;
  }

  // Why this kind cannot answer at the moment; null when it can.
  lacks(kind: VectorKind): DegradedReason | null {
    if (this.#state.kinds[kind].serves) return null;
    return this.#state.untouched ? 'index_empty' : 'index_unavailable';
  }

  // Whether so many documents still have no vector that hits of the others would crowd out lexical hits. Without any vector at
  // all the index is reported as empty and not as being built.
  isBuilding(kind: VectorKind): boolean {
    const { kinds } = this.#state;
    return !kinds[kind].complete && Object.values(kinds).some(({ count }) => count > 0);
  }

  follow(): Promise<void> {
    return this.#thread.ask(this.#followOrder());
  }

  async search(question: NearestQuery): Promise<VectorAnswer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<VectorAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ degraded: 'index_unavailable' }), PATIENCE_MS);
    });
    const order: IndexOrder = { order: 'search', question };
    try {
      return await Promise.race([this.#thread.ask<VectorAnswer>(order), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.ask({ order: 'close' } satisfies IndexOrder).catch(() => {});
    await this.#thread.end();
  }

  #followOrder(): IndexOrder {
    return { order: 'follow', now: this.#clock().toISOString() };
  }

  #take(notice: Notice, log: Logger): void {
    if ('state' in notice) this.#state = notice.state;
    else log[notice.log.level](notice.log.facts, notice.log.message);
  }
}
