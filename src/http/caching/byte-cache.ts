// Public answers cached as bytes while the data they show is unchanged.
import type { Dependencies } from '../../store/changes/change-feed.ts';
import type { Changes } from '../../store/store.ts';
import type { Answer } from '../kernel/answer.ts';
import type { OfferedFormats } from '../kernel/compile.ts';
import type { Format } from '../kernel/reply.ts';
import type { Series } from '../kernel/request-meter.ts';

export interface CachedAnswer {
  answer: Answer;
  // Template of the route, for the metrics.
  route: string;
  // The answer carries `X-Cache`.
  showsXCache: boolean;
  // A read of the API, which counts in the tiers of callers.
  isCounted: boolean;
  expiresAt: number;
  dependencies: Dependencies;
  // Up to here it is known that nothing it depends on has changed.
  mark: number;
  // Header lists of the fast lane, by coding, and where it counts its hits.
  lines: Record<string, string[]>;
  series: Series | null;
}

// One address with its answers by format.
export interface CacheSlot {
  offered: OfferedFormats;
  answers: Partial<Record<Format, CachedAnswer>>;
  weight: number;
  // The entry was read since the last search for something to drop.
  used: boolean;
}

// `mark` is the one seen before the answer was read.
interface NewEntry
  extends Pick<CachedAnswer, 'answer' | 'route' | 'showsXCache' | 'isCounted' | 'dependencies' | 'mark'> {
  format: Format;
  offered: OfferedFormats;
  seconds: number;
}

interface ByteCacheOptions {
  changes: Changes;
  now: () => number;
  mostBytes?: number;
}

// Some thousands of pages.
const MOST_BYTES = 128 * 1024 * 1024;
// Room for the coded forms is counted from the start: both together take less than half of the plain one.
const WITH_CODED_FORMS = 1.5;
const OVERHEAD = 1024;
const LONGEST_TURN_MS = 1;

export class ByteCache {
  readonly #slots = new Map<string, CacheSlot>();
  readonly #options: Required<ByteCacheOptions>;
  #mark = 0;
  #bytes = 0;
  #now = 0;
  #looked = false;
  #lookedAt = 0;

  constructor(options: ByteCacheOptions) {
    this.#options = { mostBytes: MOST_BYTES, ...options };
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#slots.size;
  }

  // Looks at data and clock. Returns the mark that an answer carries which is read from now on.
  look(): number {
    this.#mark = this.#options.changes.mark();
    this.#now = this.#options.now();
    return this.#mark;
  }

  // Looks at data and clock at most once for all requests that one turn of the event loop brings. They had all begun to
  // arrive when the turn began, so none of them can know of a commit that this look missed. The bound in milliseconds
  // covers turns that go on polling because a thousand sockets were ready at once. For request listeners only: in
  // other phases of the loop a turn is not over when the immediate runs.
  lookOnceATurn(now: number): void {
    if (this.#looked && now - this.#lookedAt < LONGEST_TURN_MS) return;
    this.look();
    this.#lookedAt = now;
    if (!this.#looked) setImmediate(this.#endTurn);
    this.#looked = true;
  }

  readonly #endTurn = () => {
    this.#looked = false;
  };

  // Whether anything may be cached for the address; asked before looking at the data, which costs more.
  peek(url: string): CacheSlot | undefined {
    return this.#slots.get(url);
  }

  // As of the last look.
  find(url: string, format: Format): CachedAnswer | null {
    const slot = this.#slots.get(url);
    const cached = slot?.answers[format];
    if (!slot || !cached || cached.expiresAt <= this.#now) return null;
    if (!this.#holds(cached)) {
      this.#drop(url, slot, format);
      return null;
    }
    slot.used = true;
    return cached;
  }

  // Answers are looked at when they are asked for: a commit costs nothing for those that nobody reads.
  #holds(cached: Pick<CachedAnswer, 'mark' | 'dependencies'>): boolean {
    if (cached.mark === this.#mark) return true;
    if (this.#options.changes.changedSince(cached.mark, cached.dependencies)) return false;
    cached.mark = this.#mark;
    return true;
  }

  #drop(url: string, slot: CacheSlot, format: Format): void {
    const { [format]: dropped, ...others } = slot.answers;
    const weight = dropped ? weightOf(url, dropped.answer) : 0;
    slot.answers = others;
    slot.weight -= weight;
    this.#bytes -= weight;
    if (Object.keys(others).length === 0) this.#slots.delete(url);
  }

  // A commit that changed what the answer shows while it was read makes it worthless.
  store(url: string, entry: NewEntry): void {
    const { format, offered, seconds, answer, route, showsXCache, isCounted, dependencies } = entry;
    const weight = weightOf(url, answer);
    const current = { dependencies, mark: entry.mark };
    this.look();
    if (!this.#holds(current) || weight > this.#options.mostBytes / 8) return;
    const slot = this.#slots.get(url) ?? { offered, answers: {}, weight: 0, used: true };
    const replaced = slot.answers[format];
    const change = weight - (replaced ? weightOf(url, replaced.answer) : 0);
    const expiresAt = this.#now + seconds * 1000;
    slot.answers[format] = { answer, route, showsXCache, isCounted, expiresAt, lines: {}, series: null, ...current };
    slot.weight += change;
    this.#bytes += change;
    this.#slots.set(url, slot);
    this.#makeRoom();
  }

  // Second chance: a slot that was read since the last round moves to the back instead of leaving.
  #makeRoom(): void {
    for (const [url, slot] of this.#slots) {
      if (this.#bytes <= this.#options.mostBytes) return;
      this.#slots.delete(url);
      if (slot.used) {
        slot.used = false;
        this.#slots.set(url, slot);
      } else {
        this.#bytes -= slot.weight;
      }
    }
  }
}

function weightOf(url: string, answer: Answer): number {
  return (answer.body?.length ?? 0) * WITH_CODED_FORMS + url.length * 2 + OVERHEAD;
}
