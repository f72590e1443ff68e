import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { discovery, FETCH_OUTCOMES, fetchPriority, kind, sourceType } from './enums.ts';
import { field, orgNamed, sourceNamed, sourceUrl } from './fields.ts';
import { cursorPagination, pagePagination } from './pagination.ts';
import { feedItem } from './release.ts';
import { noticeText, timestamp } from './scalars.ts';

// The fields of a source item; every other shape of a source picks from them.
export const sourceFields = {
  ...sourceNamed,
  type: sourceType,
  url: sourceUrl,
  orgId: field.orgId.nullable(),
  orgSlug: field.orgSlug.nullable(),
  orgName: field.orgName.nullable(),
  productId: field.productId.nullable(),
  productSlug: field.productSlug.nullable(),
  productName: field.productName.nullable(),
  kind: kind.nullable(),
  releaseCount: field.releaseCount,
  latestVersion: field.latestVersion.nullable(),
  latestDate: field.lastActivity.nullable(),
  latestAddedAt: timestamp.nullable().describe('When the newest release came to the registry; null: there is none.'),
  isPrimary: field.isPrimary,
  isHidden: field.isHidden,
  discovery,
  fetchPriority,
  lastFetchedAt: field.lastFetchedAt.nullable(),
  lastPolledAt: field.lastPolledAt.nullable(),
  changeDetectedAt: timestamp.nullable().describe('When a poll last saw a change.'),
  consecutiveNoChange: z.int().min(0).meta({ description: 'Fetches in a row that found nothing new.', example: 2 }),
  consecutiveErrors: z.int().min(0).meta({ description: 'Failed fetches in a row.', example: 0 }),
  nextFetchAfter: timestamp.nullable().describe('The source is not read before this time; null: whenever it is due.'),
  medianGapDays: z
    .number()
    .nullable()
    .meta({ description: 'Median number of days between releases; null: too few.', example: 12.5 }),
  lastRetieredAt: timestamp.nullable().describe('When the polling priority was last adapted; null: never.'),
  metadata: z.string().meta({ description: 'Settings of the source as JSON.', example: '{}' }),
  stars: z.int().min(0).nullable().meta({ description: 'Stars of the repository; null: not known.', example: 4210 }),
  starsFetchedAt: timestamp.nullable().describe('When the stars were counted; null: never.'),
  notice: noticeText.nullable(),
  hasChangelogFile: z.boolean().describe('Whether a changelog file of the source is tracked.'),
  changelogUrl: z.string().nullable().meta({
    description: 'Address of the tracked changelog file.',
    example: 'https://github.com/acme/cli/blob/main/CHANGELOG.md',
  }),
  fetchState: z
    .object({
      state: z
        .enum(['ok', 'failing', 'paused', 'never_fetched'])
        .meta({ description: 'Whether reading works.', example: 'ok' }),
      outcome: z.enum(FETCH_OUTCOMES).nullable().describe('Outcome of the last fetch; null: there was none.'),
      since: timestamp.nullable().meta({
        description: 'Since when it has been in this state; null: not known.',
        example: '2026-03-01T00:00:00.000Z',
      }),
      nextCheckAt: timestamp.nullable().describe('When the source will be checked next; null: not by itself.'),
    })
    .describe('How reading the source is going.'),
};

const orgRef = z.object(orgNamed).describe('The organization; null where there is none.');

export const sourceItem = z.object(sourceFields).meta({ id: 'SourceItem' });

export const sourceRow = z
  .object({
    ...sourceFields,
    org: orgRef.nullable(),
    lastContentHash: field.lastContentHash.nullable(),
    createdAt: field.createdAt,
    updatedAt: field.updatedAt,
    deletedAt: field.deletedAt.nullable(),
    warning: field.warning.optional(),
    adopted: z
      .literal(true)
      .optional()
      .meta({ description: 'A lookup had made the source; it was taken over with its releases.' }),
  })
  .meta({ id: 'SourceRow' });

export const summaryText = z.object({
  type: z.enum(['rolling', 'monthly']).describe('A window up to now, or a calendar month.'),
  year: field.year,
  month: field.month.min(1).max(12),
  windowDays: field.windowDays.nullable(),
  ...pick(field, 'summary', 'releaseCount', 'generatedAt'),
});

const sourceSummaries = z
  .object({
    rolling: summaryText.nullable().describe('Summary of the last days; null: none is written.'),
    monthly: z.array(summaryText).describe('Summaries of single months, newest first.'),
  })
  .meta({ id: 'SourceSummaries' });

export const sourceDetail = z
  .object({
    ...sourceFields,
    org: orgRef.nullable(),
    releasesLast30Days: field.recentCount,
    ...pick(field, 'avgReleasesPerWeek', 'trackingSince', 'createdAt'),
    releases: z.array(feedItem).describe('Releases, newest first.'),
    pagination: z
      .union([
        pagePagination.extend({
          nextCursor: z
            .string()
            .nullable()
            .meta({ description: 'Pass it as `cursor` for the next page; null: this is the last one.', example: null }),
          limit: field.limit.min(1),
        }),
        cursorPagination,
      ])
      .describe('Where this page stands, and how to get the next one.'),
    summaries: sourceSummaries.describe('Summaries of the source.'),
  })
  .meta({ id: 'SourceDetail' });

export type SourceItem = z.infer<typeof sourceItem>;
export type SourceRowShape = z.infer<typeof sourceRow>;
export type SourceDetail = z.infer<typeof sourceDetail>;
export type SummaryText = z.infer<typeof summaryText>;
