// The indexes of the space in use, one for each kind. When another space comes into use they are replaced.
import { join } from 'node:path';
import { sql } from 'kysely';
import { readSpace } from '../../../domain/embedding/space.ts';
import type { VectorAnswer } from '../../../domain/retrieval/retrievers.ts';
import type { VectorKind } from '../../../ports.ts';
import { openReader } from '../../../store/open-reader.ts';
import { type NearestQuery, nearest, WideFilters } from '../nearest/nearest.ts';
import type { VectorIndex } from '../nearest/vector-index.ts';
import type { VectorRows } from '../nearest/vector-rows.ts';
import { findIndexInDatabase } from '../pgvector/choose.ts';
import type { VectorExtension } from '../pgvector/extension.ts';
import { TableIndex } from '../pgvector/table-index.ts';
import { KINDS, readSpaces } from '../spaces.ts';
import { KindIndex } from './kind-index.ts';
import type { IndexSettings, IndexState, Notice } from './messages.ts';

interface Indexes {
  // Applies the rows written since the last call, and opens indexes that are not open yet.
  follow(now: Date): Promise<void>;
  search(question: NearestQuery): Promise<VectorAnswer>;
  close(): Promise<void>;
}

interface InUse {
  space: string;
  dims: number;
  place: 'process' | 'database';
  kinds: Record<VectorKind, VectorIndex>;
}

export async function createIndexes(
  settings: IndexSettings,
  send: (notice: Notice) => void,
  open = openReader,
): Promise<Indexes> {
  const onError = (error: unknown) => log('warn', 'database connection failed', { error });
  const reader = await open({ ...settings, onError });
  const wideFilters = new WideFilters();
  // Nothing is known to be complete before it was counted.
  const complete: Record<VectorKind, boolean> = { release: false, chunk: false, entity: true };
  let inUse: InUse | null = null;
  let untouched = false;
  let lastSent = '';
  let choosing = Promise.resolve();
  const running = new Map<VectorKind, Promise<void>>();
  const waiting = new Map<VectorKind, Promise<void>>();

  function log(level: 'debug' | 'info' | 'warn', message: string, facts: Record<string, unknown>): void {
    send({ log: { level, message, facts: { ...facts, ...('error' in facts ? { error: String(facts.error) } : {}) } } });
  }

  function tellState(): void {
    const state = stateOf(inUse, untouched, complete);
    const text = JSON.stringify(state);
    if (text !== lastSent) send({ state });
    lastSent = text;
  }

  async function settled(): Promise<void> {
    await Promise.all([...running.values(), ...waiting.values()]);
  }

  // Calls run one after the other, so that only one of them acts on a change of space.
  function chooseSpace(): Promise<void> {
    const turn = choosing.then(readSpaceInUse);
    choosing = turn.catch(() => {});
    return turn;
  }

  async function readSpaceInUse(): Promise<void> {
    const spaces = await readSpaces(reader.db);
    untouched = spaces === null;
    const name = spaces?.active ?? null;
    const extension = name === null ? null : await extensionFor(name);
    const place = extension ? 'database' : 'process';
    if (name === (inUse?.space ?? null) && place === (inUse?.place ?? place)) return;
    stop(inUse);
    await settled();
    inUse = name === null ? null : use(name, extension);
    if (inUse) log('info', 'vector index in use', { space: name, place });
  }

  // The extension by which the database answers for a space; null when this process has to.
  async function extensionFor(space: string): Promise<VectorExtension | null> {
    if (settings.databaseUrl === null || settings.pgvector === 'off') return null;
    const { extension, ready } = await findIndexInDatabase(reader.db, space);
    return ready ? extension : null;
  }

  function use(name: string, extension: VectorExtension | null): InUse | null {
    const { embedder, dims = 0 } = readSpace(name) ?? {};
    const { id, dims: known } = settings.embedder;
    if (embedder !== id || dims === 0 || (known !== null && known !== dims)) return null;
    const index = (kind: VectorKind) => {
      const shared = { rows: { reader, space: name, kind }, changed: tellState };
      if (extension) return new TableIndex({ ...shared, extension });
      return new KindIndex({ ...shared, location: { folder: join(settings.dataDir, 'vectors'), kind }, dims, log });
    };
    return {
      space: name,
      dims,
      place: extension ? 'database' : 'process',
      kinds: { release: index('release'), chunk: index('chunk'), entity: index('entity') },
    };
  }

  // Pending documents are counted here, so that a search never counts, and judged by the size that the index has at that moment.
  async function judgeCompleteness({ space, kinds }: InUse): Promise<void> {
    for (const kind of ['release', 'chunk'] as const) {
      const { size: count, missing } = kinds[kind];
      const before = complete[kind];
      const pending = await pendingOf({ reader, space, kind }, mostPending(before, count));
      complete[kind] = isComplete(before, { count, pending: pending + missing });
    }
  }

  // Each kind runs one update at a time and queues at most one, which covers everything written before it.
  function followKind(kind: VectorKind, index: VectorIndex, now: Date): Promise<void> {
    const queued = waiting.get(kind);
    if (queued) return queued;
    const turn = (running.get(kind) ?? Promise.resolve()).then(async () => {
      waiting.delete(kind);
      running.set(kind, turn);
      await index.follow(now).catch((error) => log('warn', 'vector index does not follow its table', { kind, error }));
    });
    waiting.set(kind, turn);
    return turn;
  }

  return {
    async follow(now) {
      await chooseSpace();
      const used = inUse;
      // Counted before too, because it may take minutes until an index has caught up.
      if (used) await judgeCompleteness(used);
      tellState();
      if (!used) return;
      await Promise.all(KINDS.map((kind) => followKind(kind, used.kinds[kind], now)));
      await judgeCompleteness(used);
      tellState();
    },
    async search(question) {
      const index = inUse?.kinds[question.kind];
      if (!inUse || !index) return { degraded: untouched ? 'index_empty' : 'index_unavailable' };
      if (!index.serves) return { degraded: 'index_unavailable' };
      if (question.vector.length !== inUse.dims) return { degraded: 'provider_error' };
      if (isEmpty(inUse, question.kind)) return { degraded: 'index_empty' };
      return { hits: await nearest(index, question, { wideFilters }) };
    },
    async close() {
      stop(inUse);
      await settled();
      await reader.close();
    },
  };
}

// Whether nothing can be found by meaning: without any release vector. A registry without changelog files has no chunks,
// which is no fault.
function isEmpty({ kinds }: InUse, kind: VectorKind): boolean {
  if (kind === 'release') return kinds.release.size === 0;
  return KINDS.every((one) => kinds[one].size === 0);
}

function stop(inUse: InUse | null): void {
  for (const kind of KINDS) inUse?.kinds[kind].stop();
}

function stateOf(inUse: InUse | null, untouched: boolean, complete: Record<VectorKind, boolean>): IndexState {
  const of = (kind: VectorKind) => ({
    serves: inUse?.kinds[kind].serves ?? false,
    count: inUse?.kinds[kind].size ?? 0,
    complete: complete[kind],
  });
  return {
    space: inUse?.space ?? null,
    dims: inUse?.dims ?? null,
    untouched,
    kinds: { release: of('release'), chunk: of('chunk'), entity: of('entity') },
  };
}

// Whether the vectors of a kind are complete enough to be searched, by the number of documents that still wait for one.

// How many vectors there must be for each document without one: almost none may lack until an index is complete for the first
// time, and a tenth from then on, because new documents always wait for a moment.
const FOR_EACH_PENDING = { building: 999, complete: 9 };

// `pending` may be counted up to `mostPending` of the same count: more do not change the result.
export function isComplete(before: boolean, { count, pending }: { count: number; pending: number }): boolean {
  return pending <= allowed(before, count);
}

export function mostPending(before: boolean, count: number): number {
  return allowed(before, count) + 1;
}

function allowed(before: boolean, count: number): number {
  return Math.floor(count / (before ? FOR_EACH_PENDING.complete : FOR_EACH_PENDING.building));
}

// The number of pending documents up to a limit.
export async function pendingOf({ reader: { db, dialect }, space, kind }: VectorRows, most: number): Promise<number> {
  // Releases are marked when they were processed; chunks are processed in the order of their numbers.
  const waiting =
    kind === 'release'
      ? sql`SELECT 1 AS one FROM releases ${dialect.byIndex('releases_unembedded')}
          WHERE embedded_at IS NULL AND listing > 0 ORDER BY seq LIMIT ${most}`
      : sql`SELECT 1 AS one FROM changelog_chunks WHERE blank = 0 AND seq > (SELECT COALESCE(MAX(key), 0) FROM vectors
          WHERE space = ${space} AND kind = 'chunk') LIMIT ${most}`;
  const { rows } = await sql<{ pending: number }>`SELECT count(*) AS pending FROM (${waiting}) w`.execute(db);
  return Number(rows[0]?.pending ?? 0);
}
