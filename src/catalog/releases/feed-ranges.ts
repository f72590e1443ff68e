// Which ranges of which index a feed is read from, so that what it costs depends on the page and not on the registry:
// filters that hardly anything passes must not make a feed walk over everything that does not pass.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { keysOf } from '../../domain/records.ts';
import { facetsOf, filtersFacets } from './facet.ts';
import { type Branch, type FeedFilter, type FeedRequest, hasSortOfSource, sourcesOfSort } from './feed-query.ts';

// The branches that are read, and what is still to be checked on each of their entries.
type FeedPlan = Pick<FeedRequest, 'branches' | 'filter'>;

// Above this share of the scope the next match is near, and one walk is cheaper than a range for each source.
const COMMON_SHARE = 0.02;

export async function planFeed(ctx: Context, { branches: scope, filter }: FeedPlan): Promise<FeedPlan> {
  if (filter.hidden || scope.length === 0) return { branches: scope, filter };
  const [first] = scope;
  const wide = scope.length === 1 && (first?.column === null || first?.column === 'effective_category');
  if (hasSortOfSource(filter) && first?.column !== 'source_id') {
    const sources = await matchingSources(ctx, scope, filter);
    if (!wide || sources.share < COMMON_SHARE) {
      const { sourceTypes, excludeTypes, kind, ...rest } = filter;
      return { branches: sources.ids.map((value) => ({ column: 'source_id', value })), filter: rest };
    }
  }
  if (first?.column !== null || !filtersFacets(filter)) return { branches: scope, filter };
  const { type, breaking, minImportance, ...rest } = filter;
  return {
    branches: facetsOf(filter).map((value) => ({ column: 'facet', value })),
    // A facet says of its releases whether they are pre-releases.
    filter: { ...rest, includePrereleases: true },
  };
}

interface MatchingSources {
  ids: string[];
  // Of all releases, how many belong to them.
  share: number;
}

async function matchingSources(ctx: Context, scope: readonly Branch[], filter: FeedFilter): Promise<MatchingSources> {
  const db = queries(ctx);
  const rows = await sourcesOfSort(db, filter)
    .leftJoin('source_figures as ff', 'ff.source_id', 'fs.id')
    .leftJoin('orgs as fo', 'fo.id', 'fs.org_id')
    .select(['fs.id', 'ff.release_count as releases'])
    .where('fs.deleted_at', 'is', null)
    .$if(scope[0]?.column !== null, (query) => query.where(belongsTo(scope)))
    .orderBy('fs.id')
    .execute();
  const total = await db
    .selectFrom('source_figures')
    .select(({ fn }) => fn.sum<number>('release_count').as('releases'))
    .executeTakeFirst();
  const matched = rows.reduce((sum, row) => sum + Number(row.releases ?? 0), 0);
  return { ids: rows.map((row) => row.id), share: matched / Math.max(1, Number(total?.releases ?? 0)) };
}

const OWNER_COLUMNS = {
  source_id: sql.ref('fs.id'),
  org_id: sql.ref('fs.org_id'),
  product_id: sql.ref('fs.product_id'),
  effective_category: sql`COALESCE(fp.category, fo.category)`,
} as const;

function belongsTo(scope: readonly Branch[]) {
  const columns = keysOf(OWNER_COLUMNS);
  const conditions = columns.flatMap((column) => {
    const values = scope.filter((branch) => branch.column === column).map((branch) => branch.value);
    return values.length === 0 ? [] : [sql<boolean>`${OWNER_COLUMNS[column]} IN (${sql.join(values)})`];
  });
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}
