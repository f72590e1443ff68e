// The filters of every release feed, and their translation to one filter value.
import type { z } from 'zod';
import type { FeedFilter, FeedPage } from '../../catalog/releases/feed-query.ts';
import type { Context } from '../../context.ts';
import { BREAKING, KINDS, RELEASE_TYPES, SOURCE_TYPES } from '../../contract/enums.ts';
import { ApiError } from '../../contract/errors.ts';
import { flag, integerIn, limitLike, listOf, oneOf, text } from '../../contract/query.ts';
import { type MeaningFilter, MIN_BREAKING } from '../../domain/meaning/passes-meaning.ts';
import { parseWindow } from '../../domain/time-window.ts';

// The filters of feeds of one source or product.
export const plainFeedQuery = {
  cursor: text({ max: 100_000 }),
  limit: limitLike({ default: 20, max: 100 }),
  include_coverage: flag(),
  include_prereleases: flag(),
  include_content: flag(),
  q: text({ max: 200 }),
  since: text({ max: 64 }),
  until: text({ max: 64 }),
};

// The filters of feeds that span several sources.
export const wideFeedQuery = {
  ...plainFeedQuery,
  source_type: listOf(SOURCE_TYPES),
  exclude: listOf(SOURCE_TYPES),
  kind: oneOf(KINDS),
  type: oneOf(RELEASE_TYPES),
  breaking: listOf(BREAKING),
  minImportance: integerIn(1, 5),
  security: flag(),
};

// Filters by meaning of what an account follows: a release passes when it meets any of those that are given.
export const meaningQuery = {
  minBreaking: oneOf(MIN_BREAKING),
  minImportance: integerIn(1, 5),
  security: flag(),
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
