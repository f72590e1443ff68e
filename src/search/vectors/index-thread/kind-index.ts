// The index of one kind: loaded from its file or built from the table, updated from the table, and saved at intervals. Long
// work is done in small steps, so that searches are answered in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hnsw } from './hnsw.ts';
import { type IndexLocation, loadIndex, readLabel, saveIndex } from './index-file.ts';
import { recallOf, type Sample } from './recall.ts';
import { extentOf, type IndexedRow, rowsAfter, rowsFromKey, type VectorRows } from './vector-rows.ts';

const PAGE = 256;
// Inserting this many vectors takes a few milliseconds.
const STEP = 16;
const SERVES_FROM = 0.9;
const SAVE_EVERY_MS = 10 * 60_000;
const SAVE_CHANGES = 50_000;
const SAMPLES = 20;
const MIN_RECALL = 0.95;

type IndexLog = (level: 'debug' | 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;

interface KindIndexOptions {
  rows: VectorRows;
  location: IndexLocation;
  dims: number;
  log: IndexLog;
  // Called when the index begins to serve or its number of vectors changes.
  changed: () => void;
}

export class KindIndex {
  readonly rows: VectorRows;
  readonly #location: IndexLocation;
  readonly #log: IndexLog;
  readonly #changed: () => void;
  readonly dims: number;
  hnsw: Hnsw;
  #state: 'closed' | 'building' | 'ready' = 'closed';
  #expected = 0;
  #seq = 0;
  #changes = 0;
  #savedAt = 0;
  #stopped = false;

  constructor({ rows, location, dims, log, changed }: KindIndexOptions) {
    this.rows = rows;
    this.dims = dims;
    this.#location = location;
    this.#log = log;
    this.#changed = changed;
    this.hnsw = new Hnsw(dims);
  }

  get serves(): boolean {
    return this.#state === 'ready' || (this.#state === 'building' && this.hnsw.size >= this.#expected * SERVES_FROM);
  }

  stop(): void {
    this.#stopped = true;
  }

  // A failed open is tried again at the next call.
  async open(now: Date): Promise<void> {
    if (this.#state === 'ready') return;
    const loaded = await loadIndex(this.#location, { space: this.rows.space, dims: this.dims, now });
    if ('unusable' in loaded) {
      await this.#rebuild(loaded.unusable, now);
    } else {
      this.hnsw = loaded.index;
      this.#seq = loaded.label.seq;
      this.#savedAt = Date.parse(loaded.label.savedAt);
      await this.#catchUp();
      this.#state = 'ready';
      this.#changed();
    }
  }

  async follow(now: Date): Promise<void> {
    if (this.#stopped) return;
    if (this.#state !== 'ready') return this.open(now);
    await this.#catchUp();
    if (await this.#isSaveDue(now)) await this.#save(now);
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const rows = await rowsAfter(this.rows, this.#seq, PAGE);
      await this.#apply(rows);
      if (rows.length > 0) this.#changed();
      if (rows.length < PAGE || this.#stopped) return;
    }
  }

  async #rebuild(reason: string, now: Date): Promise<void> {
    const { count, lastSeq } = await extentOf(this.rows);
    const { kind, space } = this.rows;
    if (count > 0) this.#log('info', 'vector index is built from the table', { kind, space, count, reason });
    this.hnsw = new Hnsw(this.dims);
    this.#expected = count;
    this.#state = 'building';
    const samples: Sample[] = [];
    const every = Math.max(1, Math.floor(count / SAMPLES));
    let seen = 0;
    for (let after = -1; !this.#stopped; ) {
      const rows = await rowsFromKey(this.rows, after, PAGE);
      await this.#apply(rows);
      for (const { key, data } of rows) {
        if (seen % every === 0 && samples.length < SAMPLES) samples.push({ key, data: Int8Array.from(data) });
        seen += 1;
      }
      if (rows.length < PAGE) break;
      this.#changed();
      after = rows.at(-1)?.key ?? after;
    }
    if (this.#stopped) return;
    // Rows written meanwhile are applied again in commit order.
    this.#seq = lastSeq;
    await this.#catchUp();
    this.#state = 'ready';
    this.#changed();
    if (this.hnsw.size === 0) return;
    await this.#save(now);
    await this.#checkRecall(samples);
  }

  async #apply(rows: readonly IndexedRow[]): Promise<void> {
    for (const [at, { key, seq, data, deleted }] of rows.entries()) {
      if (deleted) this.hnsw.remove(key);
      else if (data.length === this.dims) this.hnsw.put(key, data);
      this.#seq = Math.max(this.#seq, seq);
      this.#changes += 1;
      if (at % STEP === STEP - 1) {
        await nextTurn();
        if (this.#stopped) return;
      }
    }
  }

  // Several processes may share the folder: what another has saved lately need not be saved again. A file that is gone
  // is written anew.
  async #isSaveDue(now: Date): Promise<boolean> {
    const due = () => this.#changes >= SAVE_CHANGES || now.getTime() - this.#savedAt >= SAVE_EVERY_MS;
    if (this.hnsw.size === 0 || !due()) return false;
    const label = await readLabel(this.#location);
    if (label?.space !== this.rows.space) return true;
    if (Date.parse(label.savedAt) > this.#savedAt) {
      this.#savedAt = Date.parse(label.savedAt);
      this.#changes = Math.min(this.#changes, Math.max(0, this.#seq - label.seq));
    }
    if (this.#changes > 0) return due();
    this.#savedAt = now.getTime();
    return false;
  }

  async #save(now: Date): Promise<void> {
    const { kind, space } = this.rows;
    const started = performance.now();
    const { count, bytes } = await saveIndex(this.#location, { index: this.hnsw, space, seq: this.#seq, now });
    this.#savedAt = now.getTime();
    this.#changes = 0;
    this.#log('debug', 'vector index saved', { kind, count, bytes, ms: Math.round(performance.now() - started) });
  }

  async #checkRecall(samples: readonly Sample[]): Promise<void> {
    const recall = await recallOf(this.rows, { hnsw: this.hnsw, samples, isStopped: () => this.#stopped });
    if (recall === null) return;
    const level = recall < MIN_RECALL ? 'warn' : 'debug';
    this.#log(level, 'recall of the vector index', { kind: this.rows.kind, recall, samples: samples.length });
  }
}
