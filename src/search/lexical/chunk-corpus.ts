import type { Context } from '../../context.ts';
import { rowsByKeys } from '../../store/rows-by-keys.ts';
import type { Corpus, FoundDocument } from './corpus.ts';
import { searchQueries } from './queries.ts';

/** Chunks of changelog files. Their text stands in the files, so headings and versions alone tell them apart. */
export const CHUNK_CORPUS: Corpus = {
  index: 'chunks',
  // Little tells them apart, and a page has few places for them.
  candidates: 128,
  head: ['title'],
  // Headings are dates, versions and "Fixes": one word in them says little.
  near: [],
  readable: 0,
  read: readChunks,
};

async function readChunks(ctx: Context, keys: readonly number[]): Promise<FoundDocument[]> {
  const rows = await rowsOf(searchQueries(ctx), ctx.store.dialect, keys);
  return rows.map((row) => ({
    key: row.doc_key,
    dated: row.entry_date !== null,
    orgId: row.org_id,
    productId: row.product_id,
    sourceId: row.source_id,
    text: {
      title: row.heading ?? '',
      version: row.version ?? '',
      ownVersion: row.version,
      summary: '',
      content: null,
      contentLength: row.length_chars,
    },
  }));
}

const rowsOf = rowsByKeys((db, among) =>
  db
    .selectFrom('changelog_chunks as c')
    .innerJoin('sources as s', 's.id', 'c.source_id')
    .select(['c.doc_key', 'c.heading', 'c.version', 'c.entry_date', 'c.length_chars', 'c.source_id'])
    .select(['s.org_id', 's.product_id'])
    .where(among('c.doc_key')),
);
