// /{org}/{slug}: a product when one has that slug, else a source.
import { productActivity, sourceActivity } from '../../catalog/activity/weekly.ts';
import { resolveSlug } from '../../catalog/orgs/resolve-slug.ts';
import { readProduct } from '../../catalog/products/detail.ts';
import { resolveSource } from '../../catalog/resolve.ts';
import { sourceDetail } from '../../catalog/sources/detail.ts';
import type { Context } from '../../context.ts';
import { text } from '../../contract/query.ts';
import { relatedSources } from '../../search/related/sources.ts';
import { filterOf, type ListQuery, listQuery } from '../components/filter-row.ts';
import { plotRange } from '../components/weekly-bars.ts';
import { page } from '../page.ts';
import { showProduct } from './product.ts';
import { showSource } from './source.ts';

const ROWS = 30;
const RELATED = 5;

// Besides the filters of the list, the range of the plot.
const entityQuery = { ...listQuery, from: text({ max: 32 }), to: text({ max: 32 }) };

type EntityQuery = ListQuery & PlotQuery;

interface PlotQuery {
  from?: string;
  to?: string;
}

function readingOf(ctx: Context, query: EntityQuery) {
  return {
    filter: filterOf(query, ctx.clock().getTime()),
    page: { cursor: query.cursor, limit: ROWS, includeContent: false },
  };
}

async function loadProduct(ctx: Context, path: { org: string; product: string }, query: EntityQuery) {
  const range = plotRange(ctx.clock().getTime(), query);
  const [product, activity] = await Promise.all([
    readProduct(ctx, { path, ...readingOf(ctx, query) }),
    productActivity(ctx, { path, range }),
  ]);
  return { kind: 'product' as const, product, activity, range };
}

async function loadSource(ctx: Context, path: Parameters<typeof resolveSource>[1], query: EntityQuery) {
  const found = await resolveSource(ctx, path);
  const range = plotRange(ctx.clock().getTime(), query);
  const [source, activity, related] = await Promise.all([
    sourceDetail(ctx, found, { ...readingOf(ctx, query), number: 1 }),
    sourceActivity(ctx, { path, range }),
    relatedSources(ctx, { source: found.source.id, scope: 'global', limit: RELATED }),
  ]);
  return { kind: 'source' as const, source, activity, range, related: related.items };
}

export const entityPage = page({
  path: '/{org}/{slug}',
  summary: 'A product or a source',
  query: entityQuery,
  load: async (ctx, { params: { org = '', slug = '' }, query }) => {
    const { kind } = await resolveSlug(ctx, { org, slug });
    return kind === 'product'
      ? loadProduct(ctx, { org, product: slug }, query)
      : loadSource(ctx, { org, source: slug }, query);
  },
  show: (data, shell, { query }) =>
    data.kind === 'product' ? showProduct(data, shell, query) : showSource(data, shell, query),
});

export const ownerlessSourcePage = page({
  path: '/source/{source}',
  summary: 'A source without an organization',
  query: entityQuery,
  load: (ctx, { params, query }) => loadSource(ctx, { src: params.source ?? '' }, query),
  show: (data, shell, { query }) => showSource(data, shell, query),
});
