import { type RawBuilder, sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import { rowsByKeys } from '../../store/rows-by-keys.ts';
import type { Corpus, FoundDocument } from './corpus.ts';
import { searchQueries } from './queries.ts';

const READABLE = 4_000;

/** Releases; the filters that are facts of a row are checked on it once more, because dates are exact only there. */
export function releaseCorpus(filter: SearchFilter): Corpus {
  return {
    index: 'releases',
    candidates: 256,
    head: ['title', 'version'],
    near: ['title', 'version', 'summary'],
    readable: READABLE,
    read: (ctx, keys, withContent) => readReleases(ctx, filter, keys, withContent),
  };
}

async function readReleases(
  ctx: Context,
  filter: SearchFilter,
  keys: readonly number[],
  withContent: boolean,
): Promise<FoundDocument[]> {
  const present = now(ctx);
  const until = filter.until !== undefined && filter.until < present ? filter.until : present;
  const dated = filter.since !== undefined || filter.until !== undefined;
  const listings = filter.includeCoverage ? [2, 1] : [2];
  const read = withContent ? readWhole : readHeads;
  const rows = await read(searchQueries(ctx), ctx.store.dialect, keys);
  // Not in the query, which might then be answered from an index of these instead of the keys.
  const shown = rows.filter(({ listing, published_at: at }) => {
    return listings.includes(listing) && (at === null ? !dated : at <= until && at >= (filter.since ?? ''));
  });
  return shown.map((row) => ({
    key: row.doc_key,
    dated: row.published_at !== null,
    orgId: row.org_id,
    productId: row.product_id,
    sourceId: row.source_id,
    text: {
      title: row.title_generated === null ? row.title : `${row.title}\n${row.title_generated}`,
      version: [row.version, row.package_part, row.product_name].filter((name) => name !== null).join('\n'),
      ownVersion: row.version,
      summary: row.summary,
      content: row.content,
      contentLength: row.content_chars,
    },
  }));
}

const readHeads = rowsReading(sql<string | null>`NULL`);
const readWhole = rowsReading(sql<string | null>`substr(r.content, 1, ${sql.lit(READABLE)})`);

function rowsReading(content: RawBuilder<string | null>) {
  return rowsByKeys((db, among) =>
    db
      .selectFrom('releases as r')
      .leftJoin('products as p', 'p.id', 'r.product_id')
      .select(['r.doc_key', 'r.title', 'r.title_generated', 'r.version', 'r.package_part', 'r.summary', 'r.listing'])
      .select(['r.content_chars', 'r.published_at', 'r.org_id', 'r.product_id', 'r.source_id'])
      .select(['p.name as product_name', content.as('content')])
      .where(among('r.doc_key')),
  );
}
