import { z } from 'zod';
import { readChangelogSlice } from '../../catalog/changelog-files/read-slice.ts';
import { sourceMarkdown } from '../../catalog/markdown/source.ts';
import { findCategory } from '../../catalog/orgs/category.ts';
import { readFeed } from '../../catalog/releases/feed.ts';
import { resolveSource, sourcePath } from '../../catalog/resolve.ts';
import { sourceDetail, sourceFeed } from '../../catalog/sources/detail.ts';
import { listSources, SOURCE_SORTS } from '../../catalog/sources/list.ts';
import { knownReleases, recentReleases } from '../../catalog/sources/recent.ts';
import { changelogSlice } from '../../contract/changelog.ts';
import { DISCOVERIES, FETCH_PRIORITIES, KINDS, SOURCE_TYPES } from '../../contract/enums.ts';
import { badRequest } from '../../contract/errors.ts';
import { pageOf } from '../../contract/pagination.ts';
import {
  flag,
  integerIn,
  limitLike,
  oneOf,
  optionalLimitLike,
  pageNumber,
  repeated,
  requiredText,
  text,
} from '../../contract/query.ts';
import { releaseFeed, releaseItem } from '../../contract/release.ts';
import { timestamp } from '../../contract/scalars.ts';
import { sourceDetail as sourceDetailShape, sourceItem } from '../../contract/source.ts';
import { MAX_LIMIT, MAX_TOKENS } from '../../domain/changelog/slice.ts';
import { parseBound } from '../../domain/windows.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, plainFeedQuery } from './feed-query.ts';

const listQuery = {
  independent: flag(),
  orgId: text(),
  orgSlug: text(),
  productSlug: text(),
  slug: text(),
  hasFeed: flag(),
  has_feed: flag(),
  hasChangelog: flag(),
  q: text({ max: 200 }),
  query: text({ max: 200 }),
  category: text(),
  kind: oneOf(KINDS),
  type: oneOf(SOURCE_TYPES).describe('Only sources that are read this way.'),
  discovery: oneOf(DISCOVERIES),
  fetchPriority: oneOf(FETCH_PRIORITIES),
  stale: flag(),
  minRels30d: integerIn(0, 1_000_000),
  url: repeated(100).describe('Address of a source; repeat it for several. Counts with `filterByUrls=true`.'),
  filterByUrls: flag().describe('true looks sources up by `url`.'),
  include_hidden: flag(),
  sort: oneOf(SOURCE_SORTS),
  dir: oneOf(['asc', 'desc']),
  page: pageNumber(),
  limit: limitLike({ default: 500, max: 500 }),
  offset: optionalLimitLike({ default: 0, min: 0, max: 1_000_000_000 }),
  envelope: flag(),
};

type SourceListQuery = z.output<z.ZodObject<typeof listQuery>>;

// Exact look-ups answer the bare rows that match; listings answer a page.
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
      pageSize: optionalLimitLike({ default: 20, max: 100, shown: false }),
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
  ...bothPaths('sources', '/releases', {
    method: 'GET',
    summary: 'Releases of a source, newest first',
    description: 'The feed of one source, page by page with a cursor.',
    tag: 'Sources',
    access: 'public',
    query: plainFeedQuery,
    answers: { 200: releaseFeed },
    errors: ['invalid_cursor', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: async (ctx, { params, query }) => {
      const filter = feedFilter(ctx, query);
      const { branches, hidden } = sourceFeed(await resolveSource(ctx, sourcePath(params)));
      return readFeed(ctx, { branches, filter: { ...filter, hidden }, page: feedPage(query) });
    },
  }),
  ...bothPaths('sources', '/recent-releases', {
    method: 'GET',
    summary: 'Releases published after a cutoff',
    description: 'All releases after the cutoff in one bare list. An unreadable cutoff is answered 400.',
    tag: 'Sources',
    access: 'public',
    query: {
      cutoff: requiredText({ max: 64 }),
      limit: limitLike({ default: 500, max: 2000 }),
      // Pre-releases are in, unless they are not wanted: callers compare the list with what they hold.
      include_prereleases: flag(),
    },
    answers: {
      200: z.array(releaseItem.extend({ sourceName: z.string(), sourceSlug: z.string(), contentHash: z.string() })),
    },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: async (ctx, { params, query }) => {
      const cutoff = parseBound(query.cutoff, 'since', ctx.clock());
      if (cutoff === null) throw badRequest('cutoff', 'is not a date');
      return recentReleases(ctx, await resolveSource(ctx, sourcePath(params)), {
        cutoff,
        limit: query.limit,
        includePrereleases: query.include_prereleases ?? true,
      });
    },
  }),
  ...bothPaths('sources', '/known-releases', {
    method: 'GET',
    summary: 'Ids, versions and addresses of the newest releases',
    description: 'A short list for fetchers that only need to know what is stored already.',
    tag: 'Sources',
    access: 'public',
    query: { limit: limitLike({ default: 10, max: 500 }) },
    answers: {
      200: z.array(
        z.object({
          id: z.string(),
          version: z.string().nullable(),
          title: z.string(),
          publishedAt: timestamp.nullable(),
          url: z.string().nullable(),
        }),
      ),
    },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: async (ctx, { params, query }) =>
      knownReleases(ctx, await resolveSource(ctx, sourcePath(params)), query.limit),
  }),
  ...bothPaths('sources', '/changelog', {
    method: 'GET',
    summary: 'A slice of the tracked changelog file, cut at headings',
    description:
      'The stored file from `offset` on, cut at a heading near `limit` characters or `tokens` tokens. `nextOffset` goes on.',
    tag: 'Sources',
    access: 'public',
    query: {
      path: text(),
      offset: optionalLimitLike({ default: 0, min: 0, max: 1_000_000_000 }).describe('First character of the slice.'),
      limit: optionalLimitLike({ default: 40_000, max: MAX_LIMIT }).describe('Length of the slice in characters.'),
      tokens: optionalLimitLike({ default: 10_000, max: MAX_TOKENS, shown: false }).describe(
        'Length of the slice in tokens; absent: `limit` counts.',
      ),
    },
    answers: { 200: changelogSlice },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query }) => readChangelogSlice(ctx, sourcePath(params), query),
  }),
];
