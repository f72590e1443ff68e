// A temporary registry for the evaluation: written through the service's write path and embedded.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { deriveSlug } from '../../src/domain/slugs.ts';
import { createOrg } from '../../src/entities/orgs/create.ts';
import { createProduct } from '../../src/entities/products/create.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';
import { fillWords } from '../../src/search/lexical/fill-words.ts';
import { createEmbedding } from '../../src/search/vectors/embedding/pass.ts';
import type { EvalSource } from './judged-set.ts';

const BATCH = 200;
const WAIT_MS = 50;
const MAX_WAITS = 600;

interface EvalRegistry {
  ctx: Context;
  // The keys of the set by the ids of the registry.
  keys: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export async function buildRegistry(
  sources: readonly EvalSource[],
  options: { embed: boolean; onProgress?: (text: string) => void },
): Promise<EvalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-eval-'));
  const app = await createApp(
    readConfig({
      REGISTRY_DATA_DIR: folder,
      REGISTRY_SECRET: '00'.repeat(32),
      REGISTRY_LOG_LEVEL: 'warn',
      REGISTRY_EMBEDDER: options.embed ? 'local' : 'off',
    }),
  );
  const close = async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await app.ctx.store.migrate();
    const keys = new Map<string, string>();
    for (const source of sources) await writeSource(app.ctx, source, keys);
    while (await fillWords(app.ctx)) {
      // The prefix table is filled in steps.
    }
    if (options.embed) await embedAll(app, options.onProgress ?? (() => {}));
    return { ctx: app.ctx, keys, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeSource(ctx: Context, { name, releases }: EvalSource, keys: Map<string, string>): Promise<void> {
  const slug = deriveSlug(name) ?? 'source';
  const org = await createOrg(ctx, { name, slug: `${slug}-org` });
  const product = await createProduct(ctx, { name, slug: `${slug}-product`, orgId: org.id });
  const url = `https://eval.example/${slug}`;
  const source = await createSource(ctx, {
    name,
    slug: `${slug}-notes`,
    url,
    type: 'feed',
    orgId: org.id,
    productId: product.id,
  });
  for (let start = 0; start < releases.length; start += BATCH) {
    const batch = releases.slice(start, start + BATCH);
    const rows = batch.map(({ title, version, content, publishedAt }, index) => ({
      title,
      ...(version === null ? {} : { version }),
      content,
      ...(publishedAt === null ? {} : { publishedAt }),
      url: `${url}/${start + index}`,
    }));
    const { items } = await writeReleases(ctx, { path: { src: source.id }, rows, silent: true });
    for (const { index, id } of items) if (id) keys.set(id, batch[index]?.key ?? '');
  }
}

async function embedAll({ ctx }: App, onProgress: (text: string) => void): Promise<void> {
  const embedding = createEmbedding();
  const { signal } = new AbortController();
  const total = await countOf(ctx, 'releases');
  while (await embedding.pass(ctx, signal)) onProgress(`${await countOf(ctx, 'vectors')} vectors, ${total} releases`);
  await settled(ctx);
}

// The first query opens the index, which then reads the stored vectors.
async function settled(ctx: Context): Promise<void> {
  const filter = { includePrereleases: true, includeCoverage: true };
  for (let turn = 0; turn < MAX_WAITS; turn += 1) {
    const answer = await ctx.ports.vectors.search(ctx, { text: 'ready', kind: 'release', filter, limit: 1 });
    if ('hits' in answer && answer.hits.length > 0) return;
    await ctx.ports.vectors.follow(ctx);
    await sleep(WAIT_MS);
  }
  throw new Error('the index of vectors does not answer');
}

async function countOf({ store }: Context, table: 'releases' | 'vectors'): Promise<number> {
  const row = await store.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
