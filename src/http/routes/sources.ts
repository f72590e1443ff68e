import { z } from 'zod';
import { DISCOVERIES, FETCH_PRIORITIES, SOURCE_TYPES } from '../../contract/enums.ts';
import { badRequest } from '../../contract/errors.ts';
import { pageOf } from '../../contract/pagination.ts';
import { param } from '../../contract/parameters.ts';
import {
  flag,
  integerIn,
  limitLike,
  oneOf,
  optionalLimitLike,
  pageNumber,
  repeated,
  text,
} from '../../contract/query.ts';
import { sourceDetail as sourceDetailShape, sourceItem } from '../../contract/source.ts';
import { resolveSource, sourcePath } from '../../entities/resolve.ts';
import { listSources, SOURCE_SORTS } from '../../entities/sources/list.ts';
import { findCategory } from '../../entities/taxonomy/category.ts';
import { sourceDetail } from '../../releases/details/source.ts';
import { sourceMarkdown } from '../../releases/markdown/source.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, plainFeedQuery } from './feed-query.ts';

const listQuery = {
  independent: flag().describe('true: only sources without an organization.'),
  orgId: param.orgId,
  orgSlug: param.orgSlug,
  productSlug: text().describe('Only sources of this product, by slug.'),
  slug: text().describe('Slug to look up.'),
  hasFeed: flag().describe('true: only sources that are read from a feed; false: only others.'),
  has_feed: flag().describe('Another name of `hasFeed`.'),
  hasChangelog: flag().describe('true: only sources with a tracked changelog file; false: only others.'),
  q: param.q,
  query: param.query,
  category: text().describe('Slug of a category, or one of its aliases.'),
  kind: param.kind,
  type: oneOf(SOURCE_TYPES).describe('Only sources that are read this way.'),
  discovery: oneOf(DISCOVERIES).describe('Only entries that came to the registry this way.'),
  fetchPriority: oneOf(FETCH_PRIORITIES).describe('Only sources of this polling priority.'),
  stale: flag().describe('true: only sources that were not read within their polling interval.'),
  minRels30d: integerIn(0, 1_000_000).describe('Only sources with at least so many releases in the last 30 days.'),
  url: repeated(100).describe('Address of a source; repeat it for several. Counts with `filterByUrls=true`.'),
  filterByUrls: flag().describe('true looks sources up by `url`.'),
  include_hidden: param.include_hidden,
  sort: oneOf(SOURCE_SORTS).describe('Field to sort by.'),
  dir: oneOf(['asc', 'desc']).describe('Direction of the sort.'),
  page: pageNumber(),
  limit: limitLike({ default: 500, max: 500 }),
  offset: optionalLimitLike({ default: 0, min: 0, max: 1_000_000_000 }).describe('How many rows to skip.'),
  envelope: param.envelope,
};

type SourceListQuery = z.output<z.ZodObject<typeof listQuery>>;

// An exact lookup returns the bare matching rows; a listing returns a page.
function isLookup(query: SourceListQuery): boolean {
  return (
    query.slug !== undefined || query.orgId !== undefined || (query.filterByUrls === true && query.url !== undefined)
  );
}

export const sourceRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/sources',
    summary: 'Sources by filter, or the bare matches of an exact look-up',
    description:
      'A page of sources with the state of their fetching. `slug`, `orgId`, and `url` together with `filterByUrls=true`, look up exactly and answer a bare list.',
    tag: 'Sources',
    access: 'public',
    query: listQuery,
    answers: { 200: z.union([pageOf(sourceItem), z.array(sourceItem)]) },
    errors: ['bad_request'],
    cache: [60, 30],
    run: async (ctx, { query }) => {
      const { envelope, category, has_feed, include_hidden, ...filter } = query;
      const known = category === undefined ? undefined : await findCategory(ctx, category);
      if (known === null) throw badRequest('category', 'is not a category');
      const page = await listSources(ctx, {
        ...filter,
        category: known,
        q: filter.q ?? filter.query,
        hasFeed: filter.hasFeed ?? has_feed,
        includeHidden: include_hidden,
      });
      return (envelope ?? !isLookup(query)) ? page : page.items;
    },
  }),
  ...bothPaths('sources', '', {
    method: 'GET',
    summary: 'A source with its figures, summaries and a page of its releases',
    description:
      'Everything about one source, with paging by cursor or by page number. `Accept: text/markdown` answers it as text.',
    tag: 'Sources',
    access: 'public',
    query: {
      ...plainFeedQuery,
      page: pageNumber(),
      pageSize: optionalLimitLike({ default: 20, max: 100, shown: false }).describe('Another name of `limit`.'),
    },
    answers: { 200: sourceDetailShape },
    errors: ['invalid_cursor', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    markdown: sourceMarkdown,
    run: async (ctx, { params, query }) => {
      const filter = feedFilter(ctx, query);
      const page = feedPage(query);
      const found = await resolveSource(ctx, sourcePath(params));
      return sourceDetail(ctx, found, {
        filter,
        page: { ...page, limit: query.pageSize ?? page.limit },
        number: query.page,
      });
    },
  }),
];
