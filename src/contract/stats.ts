import { z } from 'zod';
import { FETCH_STATUSES, sourceType } from './enums.ts';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const period = z.object({ days: z.int().min(1), cutoff: timestamp });

const sourceActivity = z.object({
  sourceName: z.string(),
  sourceSlug: z.string(),
  sourceType,
  orgName: z.string().nullable(),
  lastFetchedAt: timestamp.nullable(),
  totalReleases: count,
  recentReleases: count,
});

const recentActivity = z.object({
  sourceName: z.string(),
  sourceSlug: z.string(),
  orgName: z.string().nullable(),
  releasesFound: count,
  releasesInserted: count,
  totalReleases: count,
  status: z.enum(FETCH_STATUSES),
  durationMs: count.nullable(),
  error: z.string().max(200).nullable(),
  createdAt: timestamp,
});

export const stats = z
  .object({
    orgs: count,
    sources: count,
    products: count,
    releases: count,
    period,
    totals: z.object({
      organizations: count,
      sources: count,
      products: count,
      releases: count,
      releasesInPeriod: count,
    }),
    sourceHealth: z.object({ upToDate: count, stale: count, neverFetched: count }),
    sourceActivity: z.array(sourceActivity).max(500),
    recentActivity: z.array(recentActivity).max(20),
  })
  .meta({ id: 'Stats' });

export type Stats = z.infer<typeof stats>;
export type SourceActivityItem = z.infer<typeof sourceActivity>;
export type RecentActivityItem = z.infer<typeof recentActivity>;
