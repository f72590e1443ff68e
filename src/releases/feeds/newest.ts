// Lists of the whole registry in which a product, or a source without one, stands once, so that no busy project fills them.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { FeedItem } from '../../contract/release.ts';
import { visibleSource } from '../../entities/visible.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { feedItems } from '../release-items.ts';
import { type FeedRow, newestFirst, shownColumns } from './feed-rows.ts';

type Owned = Pick<ReleaseRow, 'product_id' | 'source_id'>;

export function onePerProduct<T extends Owned>(rows: readonly T[]): T[] {
  const seen = new Set<string>();
  return rows.filter(({ product_id, source_id }) => {
    const key = product_id ?? source_id;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

// Several sources of a product are one, and a source may have had only pre-releases lately.
const FIRST = 1.5;
const REST = 8;

// The newest release of each. Only the sources with the newest dates are looked at, whatever the number of their releases.
export async function newestOfEach(ctx: Context, limit: number): Promise<FeedItem[]> {
  ctx.answer.showsRegistry = true;
  const ahead = Math.ceil(FIRST * limit);
  const first = await newestOfSources(ctx, { limit: ahead, offset: 0 });
  // A source that was not looked at may have had a release after those.
  const sure = onePerProduct(first.rows).filter(({ feed_at }) => feed_at >= first.reached);
  if (first.isAll || sure.length >= limit) return feedItems(ctx, sure.slice(0, limit));
  const more = await newestOfSources(ctx, { limit: REST * limit, offset: ahead });
  const rows = [...first.rows, ...more.rows].sort(newestFirst);
  return feedItems(ctx, onePerProduct(rows).slice(0, limit));
}

// What a list shows of a release, with the product by which it stands once. As one text it is not taken apart anew each time.
const COLUMNS = sql.raw([...shownColumns(false), 'r.product_id'].join(', '));
const ORDER = sql.raw('r.feed_at DESC, r.feed_version DESC, r.id DESC');

type NewestRow = FeedRow & Owned;

// A list of the whole registry cannot wait for sources without a final release: each is looked up in its own index.
async function newestOfSources(ctx: Context, { limit, offset }: { limit: number; offset: number }) {
  const { rows } = await sql<NewestRow & { looked_at: number; reached: string }>`
    WITH near AS MATERIALIZED (SELECT f.source_id, f.latest_date
      FROM source_figures f CROSS JOIN sources s LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id
      WHERE s.id = f.source_id AND f.latest_date IS NOT NULL AND ${visibleSource()}
      ORDER BY f.latest_date DESC, f.source_id DESC LIMIT ${limit} OFFSET ${offset})
    SELECT ${COLUMNS}, (SELECT COUNT(*) FROM near) AS looked_at, (SELECT MIN(latest_date) FROM near) AS reached
    FROM near CROSS JOIN releases r
    WHERE r.id = (SELECT r.id FROM releases r WHERE r.source_id = near.source_id AND r.listing = 2 AND r.prerelease = 0
      AND r.feed_at <= ${now(ctx)} ORDER BY ${ORDER} LIMIT 1)`.execute(queries(ctx));
  const isAll = rows.length > 0 && Number(rows[0]?.looked_at) < limit;
  return { rows: rows.sort(newestFirst), isAll, reached: isAll ? '' : (rows[0]?.reached ?? '') };
}

const READ_BREAKING = 30;

// What broke since then: the newest of each, and how many releases there are in all. The words are those of the index.
export async function newestBreaking(ctx: Context, { since, limit }: { since: string; limit: number }) {
  ctx.answer.showsRegistry = true;
  const breaking = sql`releases r WHERE r.listing = 2 AND r.breaking = 'major' AND r.prerelease = 0
    AND r.published_at IS NOT NULL AND r.feed_at >= ${since} AND r.feed_at <= ${now(ctx)}`;
  const { rows } = await sql<NewestRow>`
    SELECT ${COLUMNS} FROM ${breaking} ORDER BY ${ORDER} LIMIT ${READ_BREAKING}`.execute(queries(ctx));
  const releases = await feedItems(ctx, onePerProduct(rows).slice(0, limit));
  if (rows.length < READ_BREAKING) return { releases, total: rows.length };
  const counted = await sql<{ total: number }>`SELECT COUNT(*) AS total FROM ${breaking}`.execute(queries(ctx));
  return { releases, total: Number(counted.rows[0]?.total) };
}
