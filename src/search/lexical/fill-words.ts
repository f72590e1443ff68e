// Collects the plain words of all releases with a rough count, which complete unfinished words of a query. Runs in the
// background.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { stem } from '../../domain/search-text/analysis.ts';
import { plainWords } from '../../domain/search-text/plain-words.ts';
import type { SearchWordRow } from '../../store/schema/search.ts';

const POSITION = 'search_words';
const BATCH = 200;
const MAX_CONTENT = 200_000;
// Up to this number of documents every one is counted; of later ones only a sample, with a higher weight.
const COUNTED_ALL = 4_096;
const SAMPLED = 16;
const STATEMENT_ROWS = 400;
const MAX_KNOWN = 200_000;

// Counts the words of the next releases by number; false when there are none.
export async function fillWords(ctx: Context): Promise<boolean> {
  const position = await positionOf(ctx);
  const releases = await nextReleases(ctx, position);
  const last = releases.at(-1);
  if (!last) return false;
  const counts = new Map<string, number>();
  for (const release of releases) {
    const share = release.seq <= COUNTED_ALL ? 1 : release.seq % SAMPLED === 0 ? SAMPLED : 0;
    for (const word of wordsOfRelease(release)) counts.set(word, (counts.get(word) ?? 0) + share);
    // A long note takes some time, so other tasks get their turn in between.
    await nextTurn();
  }
  await transact(ctx, (write) => store(write, { from: position, to: last.seq, counts }), 'bookkeeping');
  return true;
}

type WordsOf = Awaited<ReturnType<typeof nextReleases>>[number];

function wordsOfRelease(release: WordsOf): Set<string> {
  const { title, version, package_part: part, product, content } = release;
  const names = [title, version, part, product].filter((name) => name !== null);
  return plainWords(`${names.join('\n')}\n${content.slice(0, MAX_CONTENT)}`);
}

async function positionOf(ctx: Context): Promise<number> {
  const row = await queries(ctx).selectFrom('counters').select('value').where('name', '=', POSITION).executeTakeFirst();
  return row?.value ?? 0;
}

function nextReleases(ctx: Context, position: number) {
  return queries(ctx)
    .selectFrom('releases as r')
    .leftJoin('products as p', 'p.id', 'r.product_id')
    .select(['r.seq', 'r.title', 'r.version', 'r.package_part', 'r.content', 'p.name as product'])
    .where('r.seq', '>', position)
    .orderBy('r.seq')
    .limit(BATCH)
    .execute();
}

const known = new WeakMap<object, Set<string>>();

// The words that this process has written. If a commit failed, the next counted occurrence writes them again.
function knownWords(ctx: Context): Set<string> {
  const words = known.get(ctx.store) ?? new Set();
  if (words.size > MAX_KNOWN) words.clear();
  known.set(ctx.store, words);
  return words;
}

interface WordBatch {
  from: number;
  to: number;
  counts: ReadonlyMap<string, number>;
}

// Stores a batch, unless another worker has counted the same releases meanwhile.
async function store(ctx: WriteContext, { from, to, counts }: WordBatch): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, POSITION);
  if ((await positionOf(ctx)) !== from) return;
  const known = knownWords(ctx);
  const rows = [...counts]
    .filter(([word, docs]) => docs > 0 || !known.has(word))
    // A clustered table is written fastest in rising order.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, docs]): SearchWordRow => ({ word, stem: stem(word), docs }));
  for (let start = 0; start < rows.length; start += STATEMENT_ROWS) {
    await ctx.tx
      .insertInto('search_words')
      .values(rows.slice(start, start + STATEMENT_ROWS))
      .onConflict((conflict) =>
        conflict
          .column('word')
          .doUpdateSet((eb) => ({ docs: eb('search_words.docs', '+', eb.ref('excluded.docs')) }))
          .where('excluded.docs', '>', 0),
      )
      .execute();
  }
  for (const { word } of rows) known.add(word);
  await ctx.tx
    .insertInto('counters')
    .values({ name: POSITION, value: to })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: to }))
    .execute();
}
