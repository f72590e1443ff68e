import { z } from 'zod';
import { discovery, FETCH_OUTCOMES, fetchPriority, kind, sourceType } from './enums.ts';
import { count, cursorPagination, pagePagination } from './pagination.ts';
import { feedItem } from './release.ts';
import { noticeText, timestamp } from './scalars.ts';

// The fields of a source item; every other shape of a source picks from them.
export const sourceFields = {
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: sourceType,
  url: z.string(),
  orgId: z.string().nullable(),
  orgSlug: z.string().nullable(),
  orgName: z.string().nullable(),
  productId: z.string().nullable(),
  productSlug: z.string().nullable(),
  productName: z.string().nullable(),
  kind: kind.nullable(),
  releaseCount: count,
  latestVersion: z.string().nullable(),
  latestDate: timestamp.nullable(),
  latestAddedAt: timestamp.nullable(),
  isPrimary: z.boolean(),
  isHidden: z.boolean(),
  discovery,
  fetchPriority,
  lastFetchedAt: timestamp.nullable(),
  lastPolledAt: timestamp.nullable(),
  changeDetectedAt: timestamp.nullable(),
  consecutiveNoChange: z.int().min(0),
  consecutiveErrors: z.int().min(0),
  nextFetchAfter: timestamp.nullable(),
  medianGapDays: z.number().nullable(),
  lastRetieredAt: timestamp.nullable(),
  metadata: z.string(),
  stars: z.int().min(0).nullable(),
  starsFetchedAt: timestamp.nullable(),
  notice: noticeText.nullable(),
  hasChangelogFile: z.boolean(),
  changelogUrl: z.string().nullable(),
  fetchState: z.object({
    state: z.enum(['ok', 'failing', 'paused', 'never_fetched']),
    outcome: z.enum(FETCH_OUTCOMES).nullable().describe('Outcome of the last fetch; null: there was none.'),
    since: timestamp.nullable().describe('Since when it has been in this state; null: not known.'),
    nextCheckAt: timestamp.nullable(),
  }),
};

const orgRef = z.object({ id: z.string(), slug: z.string(), name: z.string() });

export const sourceItem = z.object(sourceFields).meta({ id: 'SourceItem' });

export const sourceRow = z
  .object({
    ...sourceFields,
    org: orgRef.nullable(),
    lastContentHash: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
    warning: z.string().optional(),
    adopted: z
      .literal(true)
      .optional()
      .meta({ description: 'A lookup had made the source; it was taken over with its releases.' }),
  })
  .meta({ id: 'SourceRow' });

export const summaryText = z.object({
  type: z.enum(['rolling', 'monthly']).describe('A window up to now, or a calendar month.'),
  year: z.int(),
  month: z.int().min(1).max(12),
  windowDays: z.int().nullable(),
  summary: z.string(),
  releaseCount: count,
  generatedAt: timestamp,
});

const sourceSummaries = z
  .object({ rolling: summaryText.nullable(), monthly: z.array(summaryText) })
  .meta({ id: 'SourceSummaries' });

export const sourceDetail = z
  .object({
    ...sourceFields,
    org: orgRef.nullable(),
    releasesLast30Days: count,
    avgReleasesPerWeek: z.number(),
    trackingSince: timestamp,
    createdAt: timestamp,
    releases: z.array(feedItem),
    pagination: z.union([
      pagePagination.extend({ nextCursor: z.string().nullable(), limit: z.int().min(1) }),
      cursorPagination,
    ]),
    summaries: sourceSummaries,
  })
  .meta({ id: 'SourceDetail' });

export type SourceItem = z.infer<typeof sourceItem>;
export type SourceRowShape = z.infer<typeof sourceRow>;
export type SourceDetail = z.infer<typeof sourceDetail>;
export type SummaryText = z.infer<typeof summaryText>;
