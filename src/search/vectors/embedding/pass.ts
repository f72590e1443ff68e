// Embedding in passes: new documents first, then a repeated walk over all documents for those that were missed or have
// changed.
import { type Context, now, transact } from '../../../context.ts';
import { spaceName } from '../../../domain/embedding/space.ts';
import { takeNamedLease } from '../../../store/lease.ts';
import { createEmbedder } from '../create-embedder.ts';
import { type Embedder, EmbedFailure } from '../embedder.ts';
import { createTableKeeper, indexDatabase, type TableKeeper } from '../pgvector/keep.ts';
import { KINDS, readSpaces, writeSpaces } from '../spaces.ts';
import { chunkSource } from './chunk-source.ts';
import type { DocumentSource } from './document.ts';
import type { EmbeddingTools } from './embed-texts.ts';
import { entitySource } from './entity-source.ts';
import { releaseSource } from './release-source.ts';
import { type DocumentBatch, storeBatch } from './store-batch.ts';

const WARN_EVERY_MS = 60_000;

export interface Embedding {
  // True when more is waiting.
  pass(ctx: Context, signal: AbortSignal): Promise<boolean>;
}

interface DocumentWalk {
  source: DocumentSource;
  cursor: string;
  rounds: number;
}

interface EmbeddingWork {
  tools: EmbeddingTools;
  walks: DocumentWalk[];
}

// State of a worker between passes; it can be rebuilt when the process ends.
export function createEmbedding(): Embedding {
  const lease = createLease();
  const tables = createTableKeeper();
  let work: EmbeddingWork | null = null;
  let lastWarning = Number.NEGATIVE_INFINITY;

  async function pass(ctx: Context, signal: AbortSignal): Promise<boolean> {
    const embedder = work?.tools.embedder ?? createEmbedder(ctx);
    if (!embedder) return false;
    work ??= { tools: await toolsOf(embedder, signal), walks: walksOf(ctx) };
    const { tools, walks } = work;
    const batch = (await freshBatch(tools, walks)) ?? (await walkedBatch(tools, walks));
    if (batch === null) await tables.follow(ctx, indexDatabase(ctx), signal);
    const complete = walks.every(({ rounds }) => rounds > 0);
    if (batch === null && (await readSpaces(ctx.store.read)) === null) return !complete;
    if (!(await mayWork(ctx, tools, batch !== null))) {
      startAgain(walks);
      return false;
    }
    const filling = await enterSpace(ctx, tools.space);
    const progress = batch !== null && (await store(ctx, batch, { tools, tables, signal }));
    if (filling) await leaveOldSpace(ctx, { space: tools.space, complete: !progress && complete });
    return progress || !complete;
  }

  // Without work the lease is not taken, unless the active space is not that of the configured embedder.
  async function mayWork(ctx: Context, { space }: EmbeddingTools, hasWork: boolean): Promise<boolean> {
    const spaces = await readSpaces(ctx.store.read);
    const settled = spaces?.active === space && spaces.filling === null;
    return (!hasWork && settled) || lease.hold(ctx);
  }

  return {
    async pass(ctx, signal) {
      try {
        return await pass(ctx, signal);
      } catch (error) {
        startAgain(work?.walks ?? []);
        if (!(error instanceof EmbedFailure)) throw error;
        const present = ctx.clock().getTime();
        if (error.code !== 'aborted' && present - lastWarning >= WARN_EVERY_MS) {
          lastWarning = present;
          ctx.log.warn({ code: error.code, detail: error.message }, 'nothing can be embedded at the moment');
        }
        return false;
      }
    },
  };
}

// Documents that were found but not stored are found again by the next round.
function startAgain(walks: readonly DocumentWalk[]): void {
  for (const walk of walks) walk.rounds = walk.cursor === '' ? 0 : -1;
}

// The embedder with its space. If it does not state its number of dimensions, a first text shows it.
async function toolsOf(embedder: Embedder, signal: AbortSignal): Promise<EmbeddingTools> {
  const dims = embedder.dims ?? (await embedder.embed(['release notes'], 'document', signal))[0]?.length;
  if (!dims) throw new EmbedFailure('malformed', 'no vector');
  return { embedder, dims, proven: false, space: spaceName({ embedder: embedder.id, dims }) };
}

function walksOf(ctx: Context): DocumentWalk[] {
  return [releaseSource(ctx), chunkSource(ctx), entitySource(ctx)].map((source) => ({ source, cursor: '', rounds: 0 }));
}

// The kinds take turns, so that a few sources need not wait for a million releases.
async function freshBatch({ embedder, space }: EmbeddingTools, walks: DocumentWalk[]): Promise<DocumentBatch | null> {
  for (const walk of [...walks]) {
    walks.push(...walks.splice(0, 1));
    const documents = await walk.source.fresh(space, embedder.batch);
    if (documents.length > 0) return { source: walk.source, documents, strays: [], fresh: true };
  }
  return null;
}

// One step of each walk, until one finds documents.
async function walkedBatch(
  { embedder, space }: EmbeddingTools,
  walks: readonly DocumentWalk[],
): Promise<DocumentBatch | null> {
  for (const walk of walks) {
    const { documents, strays, next } = await walk.source.walk(space, walk.cursor, embedder.batch);
    if (next === null) walk.rounds += 1;
    walk.cursor = next ?? '';
    if (documents.length > 0 || strays.length > 0) return { source: walk.source, documents, strays, fresh: false };
  }
  return null;
}

// True when the source may have more documents.
async function store(
  ctx: Context,
  batch: DocumentBatch,
  { tools, tables, signal }: { tools: EmbeddingTools; tables: TableKeeper; signal: AbortSignal },
): Promise<boolean> {
  const started = performance.now();
  const { embedded, written, removed } = await storeBatch(ctx, batch, { tools, signal });
  const ms = Math.round(performance.now() - started);
  const perSecond = Math.round((embedded * 1000) / Math.max(1, ms));
  ctx.log.debug({ kind: batch.source.kind, embedded, written, removed, ms, perSecond }, 'texts embedded');
  await tables.follow(ctx, indexDatabase(ctx), signal);
  await ctx.ports.vectors.follow(ctx);
  return batch.fresh || written + removed > 0;
}

// The lease of the worker that embeds: one worker at a time. When it is killed, another takes over after the lease has
// expired.

const KEY = 'vectors:worker';
const HELD_MS = 30_000;
const RENEWED_BEFORE_MS = 15_000;

interface EmbeddingLease {
  // Takes or renews the lease; false while another worker holds it.
  hold(ctx: Context): Promise<boolean>;
}

function createLease(): EmbeddingLease {
  let name: string | null = null;
  let until = 0;
  return {
    async hold(ctx) {
      const present = ctx.clock().getTime();
      if (until - present > RENEWED_BEFORE_MS) return true;
      name ??= Buffer.from(ctx.randomBytes(12)).toString('hex');
      const lease = { name: KEY, holder: name, at: new Date(present).toISOString(), ms: HELD_MS };
      const taken = await transact(ctx, ({ tx, store }) => takeNamedLease(store, tx, lease), 'bookkeeping');
      until = taken ? present + HELD_MS : 0;
      return taken;
    },
  };
}

// The change from one vector space to the next: the new one is filled while the old one is in use, and replaces it when it has
// as many vectors.

const ENOUGH = 0.99;

// Registers the embedder's space. True while it is being filled and another one is in use.
export async function enterSpace(ctx: Context, space: string): Promise<boolean> {
  const known = await readSpaces(ctx.store.read);
  if (known?.active === space && known.filling === null) return false;
  if (known?.filling === space) return true;
  const next =
    known === null || known.active === space ? { active: space, filling: null } : { ...known, filling: space };
  await transact(ctx, (ctx) => writeSpaces(ctx.tx, next, now(ctx)), 'bookkeeping');
  return next.filling !== null;
}

// Takes the filled space into use once it has enough vectors.
export async function leaveOldSpace(
  ctx: Context,
  { space, complete }: { space: string; complete: boolean },
): Promise<boolean> {
  const known = await readSpaces(ctx.store.read);
  if (known?.filling !== space) return false;
  if (!complete && !(await hasEnough(ctx, known.active, space))) return false;
  await transact(ctx, (ctx) => writeSpaces(ctx.tx, { active: space, filling: null }, now(ctx)), 'bookkeeping');
  ctx.log.info({ space, before: known.active }, 'another vector space is in use');
  return true;
}

async function hasEnough(ctx: Context, before: string, space: string): Promise<boolean> {
  const [old, filled] = [await countsOf(ctx, before), await countsOf(ctx, space)];
  return KINDS.every((kind) => (filled.get(kind) ?? 0) >= (old.get(kind) ?? 0) * ENOUGH);
}

async function countsOf({ store }: Context, space: string): Promise<Map<string, number>> {
  const rows = await store.read
    .selectFrom('vectors')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('space', '=', space)
    .where('deleted', '=', 0)
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
}
