// Gives a generated registry what search by meaning needs: changelog files with their chunks, and made-up vectors.
// Embedding a large registry takes hours, and what is measured does not depend on what the vectors mean, only on how many
// there are and how they cluster.
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Context, now, transact } from '../src/context.ts';
import { quantise } from '../src/domain/embedding/quantise.ts';
import { spaceName } from '../src/domain/embedding/space.ts';
import type { SearchFilter } from '../src/domain/retrieval/retrievers.ts';
import { storeChangelogFile } from '../src/releases/changelog-files/store-file.ts';
import { madeVector } from '../src/search/vectors/made-vectors.fixture.ts';
import { MINILM } from '../src/search/vectors/minilm/about.ts';
import { writeSpaces } from '../src/search/vectors/spaces.ts';
import { addToCounter } from '../src/store/counters.ts';
import { insertMany } from '../src/store/insert-many.ts';

export const DIMS = MINILM.dims;
export const SEED = 11;
export const ALL: SearchFilter = { includePrereleases: false, includeCoverage: false };

const SPACE = spaceName({ embedder: MINILM.id, dims: DIMS });
const BATCH = 1_000;
const PATH = 'CHANGELOG.md';
// A graph takes an hour to build per million, and asking it costs hardly more when it is larger: chunks get fewer.
const MAX_CHUNK_VECTORS = 200_000;

type Kind = 'release' | 'chunk';

interface Seeded {
  chunkVectors: number;
  // The sizes in words, for the table of figures.
  detail: string;
}

// Makes the files, vectors and the saved index that are missing, and returns what there is.
export async function seedMeaning(dataDir: string): Promise<Seeded> {
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: dataDir, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await seedFiles(ctx);
    const release = await seedVectors(ctx, Infinity);
    const chunk = await seedVectors(ctx, MAX_CHUNK_VECTORS, 'chunk');
    await openIndex(ctx, { release, chunk });
    const chunks = await ctx.store.read
      .selectFrom('changelog_chunks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const detail = `${release} vectors of releases; ${chunks.count} chunks, ${chunk} with a vector`;
    return { chunkVectors: chunk, detail };
  } finally {
    await close();
  }
}

// A changelog file for each source, made of its releases.
async function seedFiles(ctx: Context): Promise<void> {
  const sources = await ctx.store.read
    .selectFrom('sources as s')
    .leftJoin('changelog_files as f', 'f.source_id', 's.id')
    .select(['s.id', 's.url'])
    .where('f.id', 'is', null)
    .execute();
  for (const { id, url } of sources) {
    const releases = await ctx.store.read
      .selectFrom('releases')
      .select(['version', 'published_at', 'content'])
      .where('source_id', '=', id)
      .orderBy('published_at', 'desc')
      .execute();
    const entries = releases.map(
      ({ version, published_at, content }) => `## ${version} - ${published_at?.slice(0, 10)}\n\n${content}\n`,
    );
    const file = { sourceId: id, path: PATH, url, rawUrl: url, content: entries.join('\n'), canonical: true };
    await transact(ctx, (inner) => storeChangelogFile(inner, file), 'derived');
  }
}

// Gives vectors of the local embedder's space to the newest releases or chunks that have none; the first search builds the
// index from them. Returns how many vectors were given.
export async function seedVectors(ctx: Context, count: number, kind: Kind = 'release'): Promise<number> {
  await transact(ctx, ({ tx }) => writeSpaces(tx, { active: SPACE, filling: null }, now(ctx)), 'bookkeeping');
  let given = 0;
  for (let below = Number.MAX_SAFE_INTEGER; given < count; ) {
    const things = await newest(ctx, kind, below, Math.min(BATCH, count - given));
    if (things.length === 0) break;
    below = things.at(-1)?.key ?? 0;
    const fresh = things.filter(({ known }) => !known);
    await transact(
      ctx,
      async (inner) => {
        if (fresh.length === 0) return;
        const last = await addToCounter(inner.tx, 'vector_seq', fresh.length);
        const rows = fresh.map(({ key, ref }, at) => {
          const { scale, data } = quantise(madeVector({ dims: DIMS, seed: SEED, number: key }));
          const seq = last - fresh.length + 1 + at;
          const bytes = Buffer.from(data.buffer);
          return {
            ...{ space: SPACE, kind, key, ref, seq, dims: DIMS, scale, data: bytes },
            ...{ text_hash: 'seeded', tier: 2, deleted: 0, changed_at: now(inner) },
          };
        });
        await insertMany(inner.tx, 'vectors', rows);
        // As the embedder does: what has no mark waits for a vector.
        if (kind === 'release') {
          const keys = fresh.map(({ key }) => key);
          const marked = inner.tx.updateTable('releases').set({ embedded_at: now(inner) });
          await marked.where(inner.store.dialect.amongKeys('seq', keys)).execute();
        }
      },
      'bookkeeping',
    );
    given += things.length;
  }
  return given;
}

async function newest({ store }: Context, kind: Kind, below: number, limit: number) {
  const table = kind === 'release' ? ('releases' as const) : ('changelog_chunks' as const);
  const rows = await store.read
    .selectFrom(table)
    .leftJoin('vectors as v', (join) =>
      join.on('v.space', '=', SPACE).on('v.kind', '=', kind).onRef('v.key', '=', `${table}.seq`),
    )
    .select([`${table}.seq as key`, 'v.ref as known'])
    .where(`${table}.seq`, '<', below)
    .orderBy(`${table}.seq`, 'desc')
    .limit(limit)
    .execute();
  if (kind === 'chunk') return rows.map(({ key, known }) => ({ key, known, ref: String(key) }));
  const keys = rows.map(({ key }) => key);
  const ids = await store.read
    .selectFrom('releases')
    .select(['seq', 'id'])
    .where(store.dialect.amongKeys('seq', keys))
    .execute();
  const refs = new Map(ids.map(({ seq, id }) => [seq, id]));
  return rows.map(({ key, known }) => ({ key, known, ref: refs.get(key) ?? '' }));
}

// Milliseconds from the first question to an index that holds so many.
export async function openIndex(ctx: Context, wanted: Partial<Record<Kind, number>>): Promise<number> {
  const started = performance.now();
  const { search, status, follow } = ctx.ports.vectors;
  for (const kind of Object.keys(wanted) as Kind[]) {
    while ('degraded' in (await search(ctx, { text: 'ready', kind, filter: ALL, limit: 1 }))) await sleep(20);
    while (status().counts[kind] < (wanted[kind] ?? 0)) await sleep(20);
  }
  const taken = performance.now() - started;
  // What it still does by itself, such as saving, is not in the way of what is measured next.
  await follow(ctx);
  return taken;
}
