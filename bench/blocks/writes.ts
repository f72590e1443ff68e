// What writing, correcting, storing and rendering one long text blocks.

import { type Context, queries, transact } from '../../src/context.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { renderNotes } from '../../src/releases/atom/render-notes.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';
import { TaskStopped } from '../../src/threads/task.ts';
import type { Figure } from '../figures.ts';
import { longestBlock } from './event-loop.ts';
import { type Block, blockFigures } from './figures.ts';

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

interface Round {
  size: number;
  // The names of the writes; each takes a text of every kind.
  writes: readonly string[];
}

// What grows with the text is measured at its longest. A correction is a batch of one, and notes need no database.
const ROUNDS: Record<'SQLite' | 'PostgreSQL', readonly Round[]> = {
  SQLite: [
    { size: 256_000, writes: ['a batch', 'a correction', 'a changelog', 'notes to HTML'] },
    { size: 1_000_000, writes: ['a batch', 'a changelog', 'notes to HTML'] },
  ],
  PostgreSQL: [{ size: 1_000_000, writes: ['a batch', 'a correction', 'a changelog'] }],
};
const ALL = WRITES.map(({ name }) => name);
const WARM_UP = ['prose', 'versions', 'links'];

export async function benchWrites(ctx: Context, engine: keyof typeof ROUNDS): Promise<Figure[]> {
  // Compiles the code, as in a service that runs for some minutes.
  await blocksOf(ctx, { size: 64_000, writes: ALL }, WARM_UP);
  const figures: Figure[] = [];
  for (const round of ROUNDS[engine]) {
    for (const [name, found] of await blocksOf(ctx, round, Object.keys(KINDS))) {
      figures.push(blockFigures(`${name}, ${round.size / 1000} kB, ${engine}`, found));
    }
  }
  return figures;
}

async function blocksOf(ctx: Context, { size, writes }: Round, kinds: string[]): Promise<Map<string, Block[]>> {
  const blocks = new Map<string, Block[]>(writes.map((name) => [name, []]));
  for (const kind of kinds) {
    const unit = KINDS[kind] ?? '';
    const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const name = `${kind} ${size}`;
    const url = `https://acme.example/${encodeURIComponent(name)}`;
    const { id } = await createSource(ctx, { name, url, type: 'feed' });
    for (const write of WRITES.filter(({ name }) => writes.includes(name))) {
      const { result, ...block } = await longestBlock(() => write.run(ctx, id, text).then(() => null, stopped));
      blocks.get(write.name)?.push({ ...block, kind: result === null ? kind : `${kind}: ${result}` });
    }
  }
  return blocks;
}

// A text that takes too much is given up, which blocks nobody.
function stopped(error: unknown): string {
  if (error instanceof TaskStopped) return error.message;
  throw error;
}
