// The filters of every release feed, and their translation to one filter value.
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { param } from '../../contract/parameters.ts';
import { limitLike, oneOf } from '../../contract/query.ts';
import { type MeaningFilter, MIN_BREAKING } from '../../domain/meaning/passes-meaning.ts';
import { pick } from '../../domain/records.ts';
import { parseWindow } from '../../domain/time-window.ts';
import type { FeedFilter, FeedPage } from '../../releases/feeds/feed-query.ts';

// The filters of feeds of one source or product.
export const plainFeedQuery = {
  cursor: param.cursor,
  limit: limitLike({ default: 20, max: 100 }),
  ...pick(param, 'include_coverage', 'include_prereleases', 'include_content', 'q', 'since', 'until'),
};

// The filters of feeds that span several sources.
export const wideFeedQuery = {
  ...plainFeedQuery,
  ...pick(param, 'source_type', 'exclude', 'kind', 'type', 'breaking', 'minImportance', 'security'),
};

// Filters by meaning of what an account follows: a release passes when it meets any of those that are given.
export const meaningQuery = {
  minBreaking: oneOf(MIN_BREAKING).describe(
    'Releases whose break is at least this grave, by their notes or proven by the package itself.',
  ),
  minImportance: param.minImportance,
  security: param.security,
};

export function meaningFilter(query: z.output<z.ZodObject<typeof meaningQuery>>): MeaningFilter {
  const { minBreaking, minImportance, security } = query;
  return { minBreaking, minImportance, security };
}

type FeedQuery = Partial<z.output<z.ZodObject<typeof wideFeedQuery>>>;

export function feedFilter(ctx: Context, query: FeedQuery): FeedFilter {
  const window = parseWindow({ since: query.since, until: query.until }, ctx.clock());
  if (!window.ok) {
    const { parameter, reason } = window;
    throw new ApiError('bad_request', `${parameter}: ${reason}`, { parameter, reason });
  }
  return {
    includeCoverage: query.include_coverage ?? false,
    includePrereleases: query.include_prereleases ?? false,
    sourceTypes: query.source_type,
    excludeTypes: query.exclude,
    kind: query.kind,
    type: query.type,
    breaking: query.breaking,
    minImportance: query.minImportance,
    security: query.security,
    q: query.q,
    since: window.since,
    until: window.until,
  };
}

export function feedPage(query: FeedQuery): FeedPage {
  return { cursor: query.cursor, limit: query.limit ?? 20, includeContent: query.include_content ?? true };
}
