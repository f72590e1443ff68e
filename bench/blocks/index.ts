// How long a stranger's document or one request blocks the thread that answers requests: the processor time of the longest turn
// of the event loop while a long text is written, corrected, stored as a changelog or rendered, on both engines; while
// sources of every type are fetched, evaluated and looked up; and while requests with long bodies are answered.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { renderNotes } from '../../src/catalog/atom/render-notes.ts';
import { storeChangelogFile } from '../../src/catalog/changelog-files/store-file.ts';
import { patchRelease } from '../../src/catalog/releases/patch.ts';
import { writeReleases } from '../../src/catalog/releases/write-batch.ts';
import { createSource } from '../../src/catalog/sources/create.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, queries, transact } from '../../src/context.ts';
import { TaskTimeout } from '../../src/threads/task.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Figure } from '../figures.ts';
import { longestBlock } from './event-loop.ts';
import { benchFetches } from './fetches.ts';
import { type Block, blockFigures } from './figures.ts';
import { startOutside } from './outside.ts';
import { benchRequests } from './requests.ts';

const SIZES = [256_000, 1_000_000];
const KINDS: Record<string, string> = {
  prose: '- Fixed a bug in the cache of the server, thanks to everybody who told us.\n',
  headings: '# 1.2.3\n',
  'bare headings': '#\n',
  items: '- a\n',
  nested: '+ ',
  versions: '1.2.3 ',
  names: 'foo_bar.baz() ',
  ligatures: '\ufdfa ',
  emphasis: '*a_',
  links: '[a](b)',
  breaking: 'BREAKING CHANGE: a\n',
  html: '<div><h2>a',
};

interface Write {
  name: string;
  run(ctx: Context, sourceId: string, text: string): Promise<unknown>;
}

const WRITES: readonly Write[] = [
  {
    name: 'a batch',
    run: (ctx, src, text) =>
      writeReleases(ctx, { path: { src }, rows: [{ version: '1.0.0', content: text }], silent: true }),
  },
  {
    name: 'a correction',
    run: async (ctx, src, text) => {
      const found = queries(ctx).selectFrom('releases').select('id').where('source_id', '=', src);
      return patchRelease(ctx, (await found.executeTakeFirstOrThrow()).id, { content: `${text}\n- More` });
    },
  },
  {
    name: 'a changelog',
    run: (ctx, sourceId, content) => {
      const address = 'https://acme.example/CHANGELOG.md';
      const file = { sourceId, path: 'CHANGELOG.md', url: address, rawUrl: address, content, canonical: true };
      return transact(ctx, (inner) => storeChangelogFile(inner, file), 'derived');
    },
  },
  { name: 'notes to HTML', run: (_ctx, _src, markdown) => renderNotes({ markdown }) },
];

export async function benchBlocks(): Promise<Figure[]> {
  const outside = await startOutside();
  // Under another name than the pages, which would be the code host's own.
  const host = outside.url.replace('127.0.0.1', 'localhost');
  const services = Object.fromEntries(
    ['GITHUB_API', 'GITHUB_RAW', 'GITHUB_WEB', 'ITUNES', 'YOUTUBE'].map((name) => [`REGISTRY_${name}_URL`, host]),
  );
  const settings = {
    ...services,
    REGISTRY_EGRESS_ALLOW: '127.0.0.1,localhost',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_LOOKUPS: 'public',
    REGISTRY_TRUSTED_PROXIES: '127.0.0.1',
    REGISTRY_PORT: '0',
  };
  try {
    const figures: Figure[] = [];
    await withApp(settings, async (ctx) => {
      figures.push(...(await benchWrites(ctx, 'SQLite')));
      figures.push(...(await benchFetches(ctx, outside)));
      figures.push(...(await benchRequests(ctx, outside)));
    });
    figures.push(...(await onPostgres()));
    return figures;
  } finally {
    outside.close();
  }
}

async function onPostgres(): Promise<Figure[]> {
  const server = await startPostgres();
  try {
    const database = await createDatabase(server.url);
    return await withApp({ REGISTRY_DATABASE_URL: database.url }, (ctx) => benchWrites(ctx, 'PostgreSQL'));
  } finally {
    await server.stop();
  }
}

async function withApp<T>(env: Record<string, string>, work: (ctx: Context) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const config = { REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'fatal', REGISTRY_EMBEDDER: 'off', ...env };
  const { ctx, close } = await createApp(readConfig(config));
  try {
    await ctx.store.migrate();
    return await work(ctx);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchWrites(ctx: Context, engine: string): Promise<Figure[]> {
  // The first round compiles the code, as in a service that runs for some minutes.
  await blocksOf(ctx, 64_000);
  const figures: Figure[] = [];
  for (const size of SIZES) {
    for (const [name, found] of await blocksOf(ctx, size)) {
      figures.push(blockFigures(`${name}, ${size / 1000} kB, ${engine}`, found));
    }
  }
  return figures;
}

async function blocksOf(ctx: Context, size: number): Promise<Map<string, Block[]>> {
  const blocks = new Map<string, Block[]>(WRITES.map(({ name }) => [name, []]));
  for (const [kind, unit] of Object.entries(KINDS)) {
    const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const name = `${kind} ${size}`;
    const url = `https://acme.example/${encodeURIComponent(name)}`;
    const { id } = await createSource(ctx, { name, url, type: 'feed' });
    for (const write of WRITES) {
      const { ms } = await longestBlock(() => write.run(ctx, id, text).catch(acceptTimeout));
      blocks.get(write.name)?.push({ ms, kind });
    }
  }
  return blocks;
}

// A text that takes too long is given up, which blocks nobody.
function acceptTimeout(error: unknown): void {
  if (!(error instanceof TaskTimeout)) throw error;
}
