// Loads the data of a source's pages for all of its paths.
import { sourceActivity } from '../../catalog/activity/weekly.ts';
import { resolveSource } from '../../catalog/resolve.ts';
import { sourceDetail } from '../../catalog/sources/detail.ts';
import type { Context } from '../../context.ts';
import { text } from '../../contract/query.ts';
import { relatedSources } from '../../search/related/sources.ts';
import { filterOf, type ListQuery, listQuery } from '../components/filter-row.ts';
import { plotRange } from '../components/weekly-bars.ts';
import { panelContext } from '../page.ts';

const ROWS = 30;
const RELATED = 5;

// The filters of the list, and the range of the plot.
export const entityQuery = { ...listQuery, from: text({ max: 32 }), to: text({ max: 32 }) };

export type EntityQuery = ListQuery & PlotQuery;

interface PlotQuery {
  from?: string;
  to?: string;
}

export function readingOf(ctx: Context, query: EntityQuery) {
  return {
    filter: filterOf(query, ctx.clock().getTime()),
    page: { cursor: query.cursor, limit: ROWS, includeContent: false },
  };
}

export async function loadSource(ctx: Context, { id, path }: { id: string; path: string }, query: EntityQuery) {
  const found = await resolveSource(ctx, { src: id });
  const range = plotRange(ctx.clock().getTime(), query);
  const [source, activity, related] = await Promise.all([
    sourceDetail(ctx, found, { ...readingOf(ctx, query), number: 1 }),
    sourceActivity(ctx, { path: { src: id }, range }),
    relatedSources(panelContext(ctx), { source: id, scope: 'global', limit: RELATED }),
  ]);
  return { path, source, activity, range, related: related.items };
}
