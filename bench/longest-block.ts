// How long a stranger's long document blocks the thread that answers requests while it is written, corrected, stored as a
// changelog or rendered: the processor time of the longest turn of the event loop, over a choice of hostile kinds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { renderNotes } from '../src/catalog/atom/render-notes.ts';
import { storeChangelogFile } from '../src/catalog/changelog-files/store-file.ts';
import { patchRelease } from '../src/catalog/releases/patch.ts';
import { writeReleases } from '../src/catalog/releases/write-batch.ts';
import { createSource } from '../src/catalog/sources/create.ts';
import { readConfig } from '../src/config.ts';
import { type Context, queries, transact } from '../src/context.ts';
import { TaskTimeout } from '../src/threads/task.ts';
import type { Figure } from './figures.ts';

const LIMIT_MS = 50;
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

export async function benchLongestBlock(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'));
  const { ctx, close } = await createApp(readConfig({ REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await ctx.store.migrate();
    // The first round compiles the code, as in a service that runs for some minutes.
    await blocksOf(ctx, 64_000);
    const figures: Figure[] = [];
    for (const size of SIZES) {
      for (const [name, found] of await blocksOf(ctx, size)) {
        const worst = found.toSorted((a, b) => b.ms - a.ms)[0] ?? { ms: 0, kind: '' };
        figures.push({
          name: `longest block by ${name}, ${size / 1000} kB`,
          value: worst.ms,
          unit: 'ms',
          target: `at most ${LIMIT_MS} ms of processor time`,
          holds: worst.ms <= LIMIT_MS,
          detail: `worst of ${found.length} kinds: ${worst.kind}`,
        });
      }
    }
    return figures;
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Blocks = Map<string, { ms: number; kind: string }[]>;

async function blocksOf(ctx: Context, size: number): Promise<Blocks> {
  const blocks: Blocks = new Map(WRITES.map(({ name }) => [name, []]));
  for (const [kind, unit] of Object.entries(KINDS)) {
    const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const name = `${kind} ${size}`;
    const { id } = await createSource(ctx, {
      name,
      url: `https://acme.example/${encodeURIComponent(name)}`,
      type: 'feed',
    });
    for (const write of WRITES) {
      const ms = await longestBlock(() => write.run(ctx, id, text));
      blocks.get(write.name)?.push({ ms, kind });
    }
  }
  return blocks;
}

// Each turn of the event loop is measured by what this thread worked in it, whatever else the machine does.
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  // A text that takes too long is given up, which blocks nobody.
  await work().catch((error: unknown) => {
    if (!(error instanceof TaskTimeout)) throw error;
  });
  isOver = true;
  await nextTurn();
  return longest / 1000;
}
