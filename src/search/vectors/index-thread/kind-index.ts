// The index of one kind: mapped from its file or built from the table, updated from the table, and saved at intervals. Of the
// processes that share a folder one builds or saves, and the others map what it has written. Long work is done in small
// steps, so that searches are answered in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VectorHit } from '../../../domain/retrieval/retrievers.ts';
import type { Bounds, NearestQuery } from '../nearest/nearest.ts';
import { SERVES_FROM, type VectorIndex } from '../nearest/vector-index.ts';
import { extentOf, type IndexedRow, rowsAfter, rowsFromKey, type VectorRows } from '../nearest/vector-rows.ts';
import { Graph } from './graph.ts';
import { compareRows, oversampled } from './graph-search.ts';
import { Hnsw, type Neighbour } from './hnsw.ts';
import {
  type IndexFile,
  type IndexLocation,
  openIndexFile,
  readLabel,
  saveIndex,
  withSavingLock,
} from './index-file.ts';
import { recallOf, type Sample } from './recall.ts';

const PAGE = 256;
// Inserting this many vectors takes a few milliseconds.
const STEP = 16;
const SAVE_EVERY_MS = 10 * 60_000;
const SAVE_CHANGES = 50_000;
const SAMPLES = 20;
const MIN_RECALL = 0.95;

type IndexLog = (level: 'debug' | 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;

type ChangeableGraph = Pick<Graph, 'put' | 'remove'>;

interface KindIndexOptions {
  rows: VectorRows;
  location: IndexLocation;
  dims: number;
  log: IndexLog;
  // Called when the index begins to serve or its number of vectors changes.
  changed: () => void;
}

export class KindIndex implements VectorIndex {
  readonly rows: VectorRows;
  readonly #location: IndexLocation;
  readonly #log: IndexLog;
  readonly #changed: () => void;
  readonly dims: number;
  readonly graph: Graph;
  // The file that is mapped.
  #file: IndexFile | null = null;
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
    this.graph = new Graph(dims);
  }

  get serves(): boolean {
    return this.#state === 'ready' || (this.#state === 'building' && this.graph.size >= this.#expected * SERVES_FROM);
  }

  get size(): number {
    return this.graph.size;
  }

  // What the table has more is applied before an update ends.
  readonly missing = 0;

  stop(): void {
    this.#stopped = true;
  }

  passing(question: NearestQuery, bounds: Bounds): Promise<VectorHit[]> {
    return oversampled(this, question, bounds);
  }

  compare(vector: Float32Array, keys: readonly number[]): Promise<Neighbour[]> {
    return compareRows(this.rows, vector, keys);
  }

  // A failed open is tried again at the next call, and so is one while another process builds the index.
  async open(now: Date): Promise<void> {
    if (this.#state === 'ready') return;
    const unusable = await this.#map(now);
    if (unusable === null) await this.#beReady();
    else await withSavingLock(this.#location, () => this.#rebuild(unusable, now));
  }

  async follow(now: Date): Promise<void> {
    if (this.#stopped) return;
    if (this.#state !== 'ready') return this.open(now);
    await this.#catchUp();
    if (!this.#isDue(now)) return;
    await this.#mapNewer(now);
    if (await this.#isSaveDue(now)) await withSavingLock(this.#location, () => this.#save(now));
  }

  // Null when the file is in use now, otherwise why it is not.
  async #map(now: Date): Promise<string | null> {
    const found = await openIndexFile(this.#location, { space: this.rows.space, dims: this.dims, now });
    if ('unusable' in found) return found.unusable;
    this.#use(found.file);
    this.graph.map(found.file.path, found.index);
    return null;
  }

  #use(file: IndexFile): void {
    this.#file = file;
    this.#seq = file.label.seq;
    this.#savedAt = Date.parse(file.label.savedAt);
    this.#changes = 0;
  }

  async #beReady(): Promise<void> {
    await this.#catchUp();
    this.#state = 'ready';
    this.#changed();
  }

  async #catchUp(): Promise<void> {
    const before = this.#seq;
    this.#seq = await this.#applyAfter(before, this.graph);
    if (this.#seq > before) this.#changed();
  }

  // Applies the rows after a number, in commit order. Returns the number of the last one.
  async #applyAfter(seq: number, target: ChangeableGraph): Promise<number> {
    for (let last = seq; ; ) {
      const rows = await rowsAfter(this.rows, last, PAGE);
      await this.#apply(rows, target);
      last = rows.at(-1)?.seq ?? last;
      if (rows.length < PAGE || this.#stopped) return last;
    }
  }

  async #rebuild(reason: string, now: Date): Promise<void> {
    const { count, lastSeq } = await extentOf(this.rows);
    const { kind, space } = this.rows;
    if (count > 0) this.#log('info', 'vector index is built from the table', { kind, space, count, reason });
    this.#expected = count;
    this.#state = 'building';
    const samples: Sample[] = [];
    const every = Math.max(1, Math.floor(count / SAMPLES));
    let seen = 0;
    await this.#fill(this.graph, (rows) => {
      for (const { key, data } of rows) {
        if (seen % every === 0 && samples.length < SAMPLES) samples.push({ key, data: Int8Array.from(data) });
        seen += 1;
      }
      this.#changed();
    });
    if (this.#stopped) return;
    // Rows written meanwhile are applied again in commit order.
    this.#seq = lastSeq;
    await this.#beReady();
    if (this.graph.size === 0) return;
    await this.#save(now);
    await this.#checkRecall(samples);
  }

  async #fill(target: ChangeableGraph, seen: (rows: readonly IndexedRow[]) => void = () => {}): Promise<void> {
    for (let after = -1; !this.#stopped; ) {
      const rows = await rowsFromKey(this.rows, after, PAGE);
      await this.#apply(rows, target);
      seen(rows);
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.key ?? after;
    }
  }

  async #apply(rows: readonly IndexedRow[], target: ChangeableGraph): Promise<void> {
    for (const [at, { key, data, deleted }] of rows.entries()) {
      if (deleted) target.remove(key);
      else if (data.length === this.dims) target.put(key, data);
      this.#changes += 1;
      if (at % STEP === STEP - 1) {
        await nextTurn();
        if (this.#stopped) return;
      }
    }
  }

  #isDue(now: Date): boolean {
    return this.#changes >= SAVE_CHANGES || now.getTime() - this.#savedAt >= SAVE_EVERY_MS;
  }

  // Several processes may share the folder: what another has saved lately is mapped.
  async #mapNewer(now: Date): Promise<void> {
    const label = await readLabel(this.#location);
    if (label?.space !== this.rows.space || Date.parse(label.savedAt) <= this.#savedAt) return;
    if ((await this.#map(now)) === null) await this.#catchUp();
  }

  // A file that is gone is written anew.
  async #isSaveDue(now: Date): Promise<boolean> {
    if (this.graph.size === 0 || !this.#isDue(now)) return false;
    const label = await readLabel(this.#location);
    if (label?.space !== this.rows.space || this.#changes > 0) return true;
    this.#savedAt = now.getTime();
    return false;
  }

  async #save(now: Date): Promise<void> {
    const { kind, space } = this.rows;
    const started = performance.now();
    const { index, seq } = this.#file ? await this.#current(this.#file) : { index: this.graph.recent, seq: this.#seq };
    if (this.#stopped) return;
    const file = await saveIndex(this.#location, { index, space, seq, now });
    this.graph.map(file.path, index);
    this.#use(file);
    const { count, bytes } = file.label;
    this.#log('debug', 'vector index saved', { kind, count, bytes, ms: Math.round(performance.now() - started) });
  }

  // A mapped index cannot be changed: its file is loaded, and the rows since are applied to that. A file that is gone costs
  // reading all rows.
  async #current({ path, label }: IndexFile): Promise<{ index: Hnsw; seq: number }> {
    const index = new Hnsw(this.dims);
    try {
      index.load(path);
      return { index, seq: await this.#applyAfter(label.seq, index) };
    } catch {
      const { lastSeq } = await extentOf(this.rows);
      await this.#fill(index);
      return { index, seq: await this.#applyAfter(lastSeq, index) };
    }
  }

  async #checkRecall(samples: readonly Sample[]): Promise<void> {
    const recall = await recallOf(this.rows, { graph: this.graph, samples, isStopped: () => this.#stopped });
    if (recall === null) return;
    const level = recall < MIN_RECALL ? 'warn' : 'debug';
    this.#log(level, 'recall of the vector index', { kind: this.rows.kind, recall, samples: samples.length });
  }
}
