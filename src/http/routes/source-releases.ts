// The releases of a source, and the changelog files of its repository.
import { z } from 'zod';
import { changelogSlice } from '../../contract/changelog.ts';
import { badRequest } from '../../contract/errors.ts';
import { field } from '../../contract/fields.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, optionalLimitLike, requiredText, text } from '../../contract/query.ts';
import { releaseFeed, releaseItem } from '../../contract/release.ts';
import { MAX_LIMIT, MAX_TOKENS } from '../../domain/changelog/slice.ts';
import { pick } from '../../domain/records.ts';
import { parseBound } from '../../domain/time-window.ts';
import { resolveSource, sourcePath } from '../../entities/resolve.ts';
import { readChangelogSlice } from '../../releases/changelog-files/read-slice.ts';
import { knownReleases, recentReleases } from '../../releases/details/recent-of-sources.ts';
import { sourceFeed } from '../../releases/details/source.ts';
import { readFeed } from '../../releases/feeds/feed.ts';
import { bothPaths, type RouteDeclaration } from '../kernel/route.ts';
import { feedFilter, feedPage, plainFeedQuery } from './feed-query.ts';

export const sourceReleaseRoutes: RouteDeclaration[] = [
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
      cutoff: requiredText({ max: 64 }).meta({
        description: 'Only releases published after this time (ISO 8601 or a date).',
        example: '2026-03-01',
      }),
      limit: limitLike({ default: 500, max: 2000 }),
      include_prereleases: param.include_prereleases,
    },
    answers: {
      200: z.array(
        releaseItem.extend({
          ...pick(field, 'sourceName', 'sourceSlug', 'contentHash'),
        }),
      ),
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
        includePrereleases: query.include_prereleases ?? false,
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
          id: field.id,
          version: field.version.nullable(),
          title: field.title,
          publishedAt: field.publishedAt.nullable(),
          url: field.url.nullable(),
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
      path: text().describe('Path of the file in the repository; absent: the main changelog file.'),
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
