import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { FETCH_STATUSES, sourceType } from './enums.ts';
import { field } from './fields.ts';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const period = z
  .object({
    days: z.int().min(1).meta({ description: 'Length of the period in days.', example: 30 }),
    cutoff: timestamp.describe('Start of the period.'),
  })
  .describe('The time that the figures are of.');

const sourceActivity = z.object({
  sourceName: field.sourceName,
  sourceSlug: field.sourceSlug,
  sourceType,
  orgName: field.orgName.nullable(),
  lastFetchedAt: field.lastFetchedAt.nullable(),
  totalReleases: field.totalReleases,
  recentReleases: count.describe('Releases in the period.'),
});

const recentActivity = z.object({
  sourceName: field.sourceName,
  sourceSlug: field.sourceSlug,
  orgName: field.orgName.nullable(),
  ...pick(field, 'releasesFound', 'releasesInserted', 'totalReleases'),
  status: z.enum(FETCH_STATUSES).describe('How the fetch ended.'),
  durationMs: field.durationMs.nullable(),
  error: field.error.max(200).nullable(),
  createdAt: field.createdAt,
});

export const stats = z
  .object({
    orgs: field.orgCount,
    sources: field.sourceCount,
    products: field.productCount,
    releases: field.releaseNumber,
    period,
    totals: z
      .object({
        organizations: field.orgCount,
        sources: field.sourceCount,
        products: field.productCount,
        releases: field.releaseNumber,
        releasesInPeriod: count.describe('Releases published in the period.'),
      })
      .describe('Figures over all.'),
    sourceHealth: z
      .object({
        upToDate: count.describe('Sources that were read within their polling interval.'),
        stale: count.describe('Sources that were not read within their polling interval.'),
        neverFetched: count.describe('Sources that were never read.'),
      })
      .describe('How many sources are read as planned.'),
    sourceActivity: z.array(sourceActivity).max(500).describe('Figures by source.'),
    recentActivity: z.array(recentActivity).max(20).describe('The latest fetches, newest first.'),
  })
  .meta({ id: 'Stats' });

export type Stats = z.infer<typeof stats>;
export type SourceActivityItem = z.infer<typeof sourceActivity>;
export type RecentActivityItem = z.infer<typeof recentActivity>;
