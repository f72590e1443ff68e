// The client of the index thread: its last known state, and searches with a time limit.
import type { Logger } from 'pino';
import type { DegradedReason, VectorAnswer } from '../../domain/retrieval/retrievers.ts';
import type { VectorKind } from '../../ports.ts';
import { besideCaller } from '../../threads/beside-caller.ts';
import type { IndexOrder, IndexSettings, IndexState, Notice } from './index-thread/messages.ts';
import type { NearestQuery } from './index-thread/nearest.ts';
import { isIncomplete } from './index-thread/pending.ts';
import { ThreadCalls } from './thread-calls.ts';

const FOLLOW_MS = 1_000;
// Pending documents are counted at every fifth update.
const COUNT_EVERY = 5;
// The time limit of a search. While the index is written to disk, which takes a second at a million vectors, it does not answer.
const PATIENCE_MS = 2_000;

const NOTHING: IndexState = {
  space: null,
  dims: null,
  untouched: false,
  kinds: {
    release: { serves: false, count: 0, pending: 0 },
    chunk: { serves: false, count: 0, pending: 0 },
    entity: { serves: false, count: 0, pending: 0 },
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
    this.#thread = new ThreadCalls(besideCaller(import.meta.url, 'index-thread/thread'), {
      workerData: settings,
      onNotice: (notice) => this.#take(notice, log),
      onEnd: (err) => {
        if (err) log.error({ err }, 'the thread of the vector indexes ended');
        clearInterval(this.#timer);
        this.#state = NOTHING;
        onEnd();
      },
    });
    let turn = 0;
    this.#timer = setInterval(() => {
      turn += 1;
      this.#thread.send(this.#followOrder(turn % COUNT_EVERY === 0));
    }, FOLLOW_MS).unref();
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

  // Whether so many documents still have no vector that hits of the others would crowd out lexical hits.
  isBuilding(kind: VectorKind): boolean {
    const { count, pending } = this.#state.kinds[kind];
    return isIncomplete({ count, pending });
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

  #followOrder(count = true): IndexOrder {
    return { order: 'follow', now: this.#clock().toISOString(), count };
  }

  #take(notice: Notice, log: Logger): void {
    if ('state' in notice) this.#state = notice.state;
    else log[notice.log.level](notice.log.facts, notice.log.message);
  }
}
