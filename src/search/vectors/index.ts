// Search by meaning: which texts become vectors, where vectors are stored and how neighbours are found. Nothing is loaded or
// opened before the first search. Start reading at `index-thread/nearest.ts`, or at `embedding/` for how vectors are written.
import type { Config } from '../../config.ts';
import { type Context, type Ports, queries } from '../../context.ts';
import { bytesOf, dequantise, normalise } from '../../domain/embedding/quantise.ts';
import type { DegradedReason, VectorAnswer } from '../../domain/retrieval/retrievers.ts';
import type { StoredVector, VectorKind, VectorSearch } from '../../ports.ts';
import { createEmbedder } from './create-embedder.ts';
import { type Embedder, EmbedFailure } from './embedder.ts';
import { IndexClient } from './index-client.ts';
import { QueryVectors } from './query-vectors.ts';

const WARN_EVERY_MS = 60_000;
const REOPEN_AFTER_MS = 5_000;
const PATIENCE_MS = 1_000;

export function createVectors(embedding: Config['embedder']['kind']): Ports['vectors'] {
  let opened: OpenVectors | null = null;
  let closed = false;
  let lastWarning = Number.NEGATIVE_INFINITY;
  let ended: number | null = null;

  function open(ctx: Context): OpenVectors | null {
    if (closed) return null;
    const now = ctx.clock().getTime();
    // A thread that crashed is not restarted at once.
    if (!opened && ended !== null && now - ended < REOPEN_AFTER_MS) return null;
    opened ??= openVectors(ctx, () => {
      opened = null;
      ended = ctx.clock().getTime();
    });
    return opened;
  }

  function degraded(ctx: Context, reason: DegradedReason, err?: unknown): { degraded: DegradedReason } {
    const now = ctx.clock().getTime();
    if (reason !== 'not_configured' && now - lastWarning >= WARN_EVERY_MS) {
      lastWarning = now;
      ctx.log.warn({ reason, ...(err ? { err } : {}) }, 'search by meaning is degraded');
    }
    return { degraded: reason };
  }

  async function search(ctx: Context, { text, vector, ...rest }: VectorSearch): Promise<VectorAnswer> {
    if (embedding === 'off') return degraded(ctx, 'not_configured');
    const vectors = open(ctx);
    if (!vectors) return degraded(ctx, 'index_unavailable');
    const lacking = vectors.index.lacks(rest.kind) ?? (vector || vectors.warm ? null : 'index_unavailable');
    if (lacking) return degraded(ctx, lacking);
    if (!vector && rest.kind !== 'entity' && vectors.index.isBuilding(rest.kind))
      return degraded(ctx, 'index_building');
    // An index that was empty when asked may have its first vectors by the time it answers.
    const wasComplete = vector || rest.kind === 'entity' || vectors.index.state.kinds[rest.kind].complete;
    try {
      const query = vector ?? (await vectors.queries.of(text ?? '', vectors.index.state.dims ?? 0));
      const answer = await vectors.index.search({ ...rest, vector: query, now: ctx.clock().toISOString() });
      if ('degraded' in answer) return degraded(ctx, answer.degraded);
      return wasComplete ? answer : degraded(ctx, 'index_building');
    } catch (error) {
      return degraded(ctx, error instanceof EmbedFailure ? 'provider_error' : 'index_unavailable', error);
    }
  }

  async function stored(ctx: Context, { kind, ref }: { kind: VectorKind; ref: string }): Promise<StoredVector> {
    if (embedding === 'off') return { degraded: 'not_configured' };
    const index = open(ctx)?.index;
    const lacking = index ? index.lacks(kind) : 'index_unavailable';
    if (!index || lacking) return { degraded: degraded(ctx, lacking ?? 'index_unavailable').degraded };
    const vector = await storedVector(ctx, { space: index.state.space ?? '', kind, ref });
    if (vector) return { vector };
    const empty = index.state.kinds[kind].count === 0;
    return { degraded: empty ? degraded(ctx, 'index_empty').degraded : 'anchor_not_embedded' };
  }

  return {
    search,
    stored,
    follow: async () => {
      // A thread that ends meanwhile reads everything when it is restarted.
      await opened?.index.follow().catch(() => {});
    },
    status: () => {
      const state = opened?.index.state;
      const { release, chunk, entity } = state?.kinds ?? {};
      const lacking = embedding === 'off' ? 'not_configured' : opened?.index.lacks('release');
      return {
        space: state?.space ?? null,
        counts: { release: release?.count ?? 0, chunk: chunk?.count ?? 0, entity: entity?.count ?? 0 },
        weight: opened?.embedder.weight ?? 1,
        ...(lacking ? { degraded: lacking } : {}),
      };
    },
    close: async () => {
      closed = true;
      await opened?.index.close();
    },
  };
}

interface OpenVectors {
  embedder: Embedder;
  queries: QueryVectors;
  index: IndexClient;
  // The embedder has answered or failed at least once.
  warm: boolean;
}

function openVectors(ctx: Context, onEnd: () => void): OpenVectors | null {
  const { config, clock, log } = ctx;
  const embedder = createEmbedder(ctx);
  if (!embedder) return null;
  const { databaseDirectUrl, dataDir, pgvector } = config;
  const settings = {
    databaseUrl: databaseDirectUrl,
    dataDir,
    pgvector,
    embedder: { id: embedder.id, dims: embedder.dims },
  };
  const index = new IndexClient({ settings, clock, log, onEnd });
  const vectors: OpenVectors = {
    embedder,
    queries: new QueryVectors({ embedder, clock, patienceMs: PATIENCE_MS }),
    index,
    warm: embedder.dims === null,
  };
  // The first text loads the model, which takes longer than a reader waits.
  if (!vectors.warm) {
    void embedder.embed(['warm-up'], 'query').then(
      () => {
        vectors.warm = true;
      },
      () => {
        vectors.warm = true;
      },
    );
  }
  return vectors;
}

// The stored vector of a document; null when it has none in this space.
async function storedVector(
  ctx: Context,
  { space, kind, ref }: { space: string; kind: VectorKind; ref: string },
): Promise<Float32Array | null> {
  const query = queries(ctx)
    .selectFrom('vectors')
    .select(['vectors.scale', 'vectors.data'])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('deleted', '=', 0);
  const row =
    kind === 'release'
      ? await query
          .innerJoin('releases', 'releases.seq', 'vectors.key')
          .where('releases.id', '=', ref)
          .executeTakeFirst()
      : await query.where('vectors.ref', '=', ref).executeTakeFirst();
  return row ? normalise(dequantise({ scale: row.scale, data: bytesOf(row.data) })) : null;
}
