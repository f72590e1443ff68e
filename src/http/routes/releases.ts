import { z } from 'zod';
import { coverage, revision } from '../../contract/coverage.ts';
import { param } from '../../contract/parameters.ts';
import { optionalLimitLike } from '../../contract/query.ts';
import { releaseDetail as releaseDetailShape, releaseFeed } from '../../contract/release.ts';
import { pick } from '../../domain/records.ts';
import { releaseDetail } from '../../releases/detail.ts';
import { latestReleases } from '../../releases/feeds/latest.ts';
import { feedMarkdown, releaseMarkdown } from '../../releases/markdown/release.ts';
import { readCoverage } from '../../releases/write/coverage.ts';
import { listRevisions } from '../../releases/write/revisions.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, wideFeedQuery } from './feed-query.ts';

const DEFAULT_COUNT = 10;
const { limit: _limit, q: _q, ...latestFilters } = wideFeedQuery;

const latestQuery = {
  ...latestFilters,
  count: optionalLimitLike({ default: DEFAULT_COUNT, max: 100 }).describe('How many releases to answer.'),
  // `limit` applies where `count` is absent.
  limit: optionalLimitLike({ default: DEFAULT_COUNT, max: 100, shown: false }).describe('Another name of `count`.'),
  ...pick(param, 'source', 'org', 'product'),
};

type LatestQuery = z.output<z.ZodObject<typeof latestQuery>>;

// The default request has no parameter that changes the result; a flag with its default value changes nothing.
function isDefaultLatest({ count, limit, ...others }: LatestQuery): boolean {
  return (
    sizeOf({ count, limit }) === DEFAULT_COUNT &&
    Object.values(others).every((value) => value === undefined || value === false)
  );
}

function sizeOf({ count, limit }: Pick<LatestQuery, 'count' | 'limit'>): number {
  return count ?? limit ?? DEFAULT_COUNT;
}

export const releaseRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/releases/latest',
    summary: 'The most recent releases of the registry, of one org, one source or one product',
    description:
      'The newest releases that match all filters, without full texts unless `include_content=true`. `Accept: text/markdown` answers them as text.',
    tag: 'Releases',
    access: 'public',
    query: latestQuery,
    answers: { 200: releaseFeed },
    errors: ['bad_request', 'invalid_cursor', 'not_found', 'ambiguous_slug'],
    cache: [60, 30],
    storedAnswer: { isDefault: isDefaultLatest, seconds: 300 },
    markdown: (feed) => feedMarkdown({ feed: 'latest' }, feed),
    run: (ctx, { query }) =>
      latestReleases(ctx, {
        scope: query,
        filter: feedFilter(ctx, query),
        page: { cursor: query.cursor, limit: sizeOf(query), includeContent: query.include_content ?? false },
      }),
  }),
  route({
    method: 'GET',
    path: '/releases/{rel}',
    summary: 'One release with its full text and media',
    description:
      'Everything that is known about a release, with the verdict on breaking changes. `Accept: text/markdown` answers it as text.',
    tag: 'Releases',
    access: 'public',
    answers: { 200: releaseDetailShape },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    markdown: releaseMarkdown,
    run: (ctx, { params }) => releaseDetail(ctx, params.rel ?? ''),
  }),
  route({
    method: 'GET',
    path: '/releases/{rel}/coverage',
    summary: 'Which releases tell of the same launch',
    description: 'The canonical release and those that cover it, with who decided that and why.',
    tag: 'Releases',
    access: 'public',
    answers: { 200: coverage },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params }) => readCoverage(ctx, params.rel ?? ''),
  }),
  route({
    method: 'GET',
    path: '/releases/{rel}/revisions',
    summary: 'Earlier states of a release, newest first',
    description: 'What the source said before, when it was replaced and why.',
    tag: 'Releases',
    access: 'public',
    query: { include_content: param.include_content },
    answers: { 200: z.array(revision) },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query }) => listRevisions(ctx, params.rel ?? '', query.include_content ?? false),
  }),
];
