// Embedding in passes: new documents first, then a repeated walk over all documents for those that were missed or have
// changed.
import type { Context } from '../../../context.ts';
import { spaceName } from '../../../domain/embedding/space.ts';
import { createEmbedder } from '../create-embedder.ts';
import { type Embedder, EmbedFailure } from '../embedder.ts';
import { readSpaces } from '../spaces.ts';
import { enterSpace, leaveOldSpace } from './change-space.ts';
import { chunkSource } from './chunk-source.ts';
import type { DocumentSource } from './document.ts';
import type { EmbeddingTools } from './embed-texts.ts';
import { entitySource } from './entity-source.ts';
import { createLease } from './lease.ts';
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
  let work: EmbeddingWork | null = null;
  let lastWarning = Number.NEGATIVE_INFINITY;

  async function pass(ctx: Context, signal: AbortSignal): Promise<boolean> {
    const embedder = work?.tools.embedder ?? createEmbedder(ctx);
    if (!embedder) return false;
    work ??= { tools: await toolsOf(embedder, signal), walks: walksOf(ctx) };
    const { tools, walks } = work;
    const batch = (await freshBatch(tools, walks)) ?? (await walkedBatch(tools, walks));
    const complete = walks.every(({ rounds }) => rounds > 0);
    if (batch === null && (await readSpaces(ctx.store.read)) === null) return !complete;
    if (!(await mayWork(ctx, tools, batch !== null))) {
      startAgain(walks);
      return false;
    }
    const filling = await enterSpace(ctx, tools.space);
    const progress = batch !== null && (await store(ctx, batch, tools, signal));
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
async function store(ctx: Context, batch: DocumentBatch, tools: EmbeddingTools, signal: AbortSignal): Promise<boolean> {
  const started = performance.now();
  const { embedded, written, removed } = await storeBatch(ctx, batch, { tools, signal });
  const ms = Math.round(performance.now() - started);
  const perSecond = Math.round((embedded * 1000) / Math.max(1, ms));
  ctx.log.debug({ kind: batch.source.kind, embedded, written, removed, ms, perSecond }, 'texts embedded');
  await ctx.ports.vectors.follow(ctx);
  return batch.fresh || written + removed > 0;
}
