// Public answers, cached as bytes while the data that they show is unchanged, and the compressed form of any answer.
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { preferredEncoding } from '../../domain/content-negotiation.ts';
import type { Dependencies } from '../../store/changes/change-feed.ts';
import type { Changes } from '../../store/store.ts';
import type { Answer, ContentCoding } from '../kernel/answer.ts';
import type { Series } from '../kernel/kernel.ts';
import type { Format } from '../kernel/reply.ts';
import type { OfferedFormats } from '../kernel/router.ts';

// Cached answers expire even without a commit, because some figures and windows move with the clock.
export const CACHED_SECONDS = 60;

export interface CachedAnswer {
  answer: Answer;
  // The template of the route, for the metrics.
  route: string;
  // The request is a read of the API, which counts against the rate limit of its caller.
  isCounted: boolean;
  expiresAt: number;
  dependencies: Dependencies;
  // The answer was valid at this mark: nothing that it depends on had changed.
  mark: number;
  // The data version at that mark, and the one from which the answer was made.
  version: number;
  madeAt: number;
  // What the fast lane sends, by content coding, and the counter of its hits.
  responses: Partial<Record<ContentCoding | 'identity', CachedResponse>>;
  series: Series | null;
  weight: number;
}

export interface CachedResponse {
  // Names and values of headers in turn, as of a data version. The last is the id of the request, which is different for
  // each of them.
  lines: readonly string[];
  version: number;
  body: string | Buffer;
  hits: number;
}

// The answers of one URL by format.
export interface CacheSlot {
  offered: OfferedFormats;
  answers: Partial<Record<Format, CachedAnswer>>;
  weight: number;
  // The slot was read since the last eviction.
  used: boolean;
}

// `mark` and `madeAt` are the position of the change feed and the data version before the answer was read.
interface NewEntry extends Pick<CachedAnswer, 'answer' | 'route' | 'isCounted' | 'dependencies' | 'mark' | 'madeAt'> {
  format: Format;
  offered: OfferedFormats;
  seconds: number;
}

interface ByteCacheOptions {
  changes: Changes;
  now: () => number;
  mostBytes?: number;
  log?: CacheLog | null;
}

// Is told what an answer hangs on, and which change dropped it.
export interface CacheLog {
  stored(url: string, cached: CachedAnswer): void;
  dropped(url: string, cached: CachedAnswer, version: number): void;
}

// This is enough for some thousands of pages.
const MAX_BYTES = 128 * 1024 * 1024;
// The compressed forms count from the start: together they take less than half of the plain body.
const WITH_CODED_FORMS = 1.5;
const OVERHEAD = 1024;
// Node sends headers and a text in one write, but headers and bytes in two, so a body up to this size that is read often is
// also kept as a text. Longer ones cost more to copy than one write saves.
const MAX_TEXT_BYTES = 16 * 1024;
const HITS_FOR_TEXT = 16;
const MAX_TURN_MS = 1;

export class ByteCache {
  readonly #slots = new Map<string, CacheSlot>();
  readonly #options: Required<ByteCacheOptions>;
  #mark = 0;
  #bytes = 0;
  #now = 0;
  #refreshed = false;
  #refreshedAt = 0;

  constructor(options: ByteCacheOptions) {
    this.#options = { mostBytes: MAX_BYTES, log: null, ...options };
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#slots.size;
  }

  // The data version of the last refresh.
  get version(): number {
    return this.#options.changes.version();
  }

  // Reads the change feed and the clock. Returns the mark for an answer that is read from now on.
  refresh(): number {
    this.#mark = this.#options.changes.mark();
    this.#now = this.#options.now();
    return this.#mark;
  }

  // Reads the change feed and the clock at most once for all requests of one turn of the event loop. They had all begun
  // to arrive when the turn began, so none of them can know of a commit that this read missed. The limit in
  // milliseconds covers turns that continue polling because a thousand sockets were ready at once. Only request
  // listeners may call this: in other phases of the loop a turn is not over when the immediate runs.
  refreshOncePerTurn(now: number): void {
    if (this.#refreshed && now - this.#refreshedAt < MAX_TURN_MS) return;
    this.refresh();
    this.#refreshedAt = now;
    if (!this.#refreshed) setImmediate(this.#endTurn);
    this.#refreshed = true;
  }

  readonly #endTurn = () => {
    this.#refreshed = false;
  };

  // Whether the URL may have a cached answer. The check is cheaper than reading the change feed, so it comes first.
  peek(url: string): CacheSlot | undefined {
    return this.#slots.get(url);
  }

  // The result is as of the last refresh.
  find(url: string, format: Format): CachedAnswer | null {
    const slot = this.#slots.get(url);
    const cached = slot?.answers[format];
    if (!slot || !cached || cached.expiresAt <= this.#now) return null;
    if (!this.#isCurrent(cached)) {
      this.#options.log?.dropped(url, cached, this.version);
      this.#drop(url, slot, format);
      return null;
    }
    slot.used = true;
    return cached;
  }

  // Answers are checked when they are requested, so a commit costs nothing for those that nobody reads.
  #isCurrent(cached: Pick<CachedAnswer, 'mark' | 'dependencies' | 'version'>): boolean {
    if (cached.mark === this.#mark) return true;
    if (this.#options.changes.changedSince(cached.mark, cached.dependencies)) return false;
    cached.mark = this.#mark;
    cached.version = this.version;
    return true;
  }

  #drop(url: string, slot: CacheSlot, format: Format): void {
    const { [format]: dropped, ...others } = slot.answers;
    const weight = dropped?.weight ?? 0;
    slot.answers = others;
    slot.weight -= weight;
    this.#bytes -= weight;
    if (Object.keys(others).length === 0) this.#slots.delete(url);
  }

  // The answer is not stored when a commit changed its data while it was read.
  store(url: string, entry: NewEntry): void {
    const { format, offered, seconds, answer, route, isCounted, dependencies, madeAt } = entry;
    const weight = weightOf(url, answer);
    const current = { dependencies, mark: entry.mark, version: madeAt };
    this.refresh();
    if (!this.#isCurrent(current) || weight > this.#options.mostBytes / 8) return;
    const slot = this.#slots.get(url) ?? { offered, answers: {}, weight: 0, used: true };
    const replaced = slot.answers[format];
    const change = weight - (replaced?.weight ?? 0);
    const expiresAt = this.#now + seconds * 1000;
    const cached: CachedAnswer = {
      answer,
      route,
      isCounted,
      expiresAt,
      responses: {},
      series: null,
      weight,
      madeAt,
      ...current,
    };
    slot.answers[format] = cached;
    slot.weight += change;
    this.#bytes += change;
    this.#slots.set(url, slot);
    this.#options.log?.stored(url, cached);
    this.#evict();
  }

  countHit(slot: CacheSlot, cached: CachedAnswer, response: CachedResponse): void {
    response.hits += 1;
    const { body } = response;
    if (response.hits !== HITS_FOR_TEXT || typeof body === 'string' || body.length > MAX_TEXT_BYTES) return;
    // Each byte is one character of Latin-1, whatever the bytes mean.
    response.body = body.toString('latin1');
    cached.weight += body.length;
    slot.weight += body.length;
    this.#bytes += body.length;
    this.#evict();
  }

  // Evicts with a second chance: a slot that was read since the last round moves to the back of the queue instead.
  #evict(): void {
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

// The compressed bodies of an answer.

const gzipBytes = promisify(gzip);
const brotliBytes = promisify(brotliCompress);

const SMALLEST_CODED = 1024;
// One level more saves 4 % of the bytes of a long answer for twice (brotli) or one and a half times (gzip) the time.
const BROTLI_LEVEL = 4;
const GZIP_LEVEL = 4;

const remembered = new Map<string, ContentCoding | null>();
const MAX_REMEMBERED = 500;

// Clients send few different values of this header and it is read on every request, so the result is memoized.
function codingFor(header: string | undefined): ContentCoding | null {
  if (header === undefined) return null;
  let coding = remembered.get(header);
  if (coding === undefined) {
    coding = preferredEncoding(header);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(header, coding);
  }
  return coding;
}

export function chooseCoding(answer: Answer, acceptEncoding: string | string[] | undefined): ContentCoding | null {
  if (answer.body === null || answer.body.length <= SMALLEST_CODED) return null;
  return codingFor(acceptEncoding?.toString());
}

export async function codedBody(answer: Answer, coding: ContentCoding | null): Promise<Buffer | null> {
  if (answer.body === null || coding === null) return answer.body;
  const body = answer.coded[coding] ?? (await compress(answer.body, coding));
  answer.coded[coding] = body;
  return body;
}

function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return gzipBytes(body, { level: GZIP_LEVEL });
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return brotliBytes(body, { params });
}
