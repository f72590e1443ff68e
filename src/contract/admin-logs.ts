import { z } from 'zod';
import { FETCH_OUTCOMES, FETCH_STATUSES } from './enums.ts';
import { count, cursorPagination, pageOf } from './pagination.ts';
import { timestamp } from './scalars.ts';
import { sourceItem } from './source.ts';
import { period } from './stats.ts';

const FETCH_TRIGGERS = ['schedule', 'manual', 'agent', 'lookup'] as const;

const status = z.enum(FETCH_STATUSES).describe('How the fetch ended.');
const outcome = z.enum(FETCH_OUTCOMES);

export const fetchLogRow = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    sourceSlug: z.string(),
    sourceName: z.string(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    trigger: z.enum(FETCH_TRIGGERS),
    status,
    errorCategory: outcome.nullable(),
    error: z.string().nullable(),
    releasesFound: count,
    releasesInserted: count,
    releasesUpdated: count,
    totalReleases: count,
    durationMs: count.nullable(),
    httpStatus: z.int().nullable(),
    requests: count.nullable(),
    bytes: count.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'FetchLogRow' });

export const fetchLog = z
  .object({
    items: z.array(fetchLogRow),
    pagination: cursorPagination,
    statusCounts: z.record(status, count),
  })
  .meta({ id: 'FetchLog' });

export const FAILED = new Set<string>(['error', 'blocked', 'timeout']);

export const fetchReport = z
  .object({
    sourceId: z.string().min(1).max(80),
    releasesFound: count,
    releasesInserted: count,
    releasesUpdated: count.optional(),
    status,
    durationMs: count.optional(),
    error: z.string().max(500).optional(),
    errorCategory: outcome.exclude(['success', 'no_change']).optional(),
  })
  .refine((report) => report.errorCategory === undefined || FAILED.has(report.status), {
    path: ['errorCategory'],
    message: 'only a run that failed has one',
  })
  .meta({ id: 'FetchReport' });

const usageTotal = { totalInput: count, totalOutput: count, count };
const usageGroup = z.array(z.object({ label: z.string(), ...usageTotal }));

export const usageStats = z
  .object({
    period,
    totals: z.object(usageTotal),
    byOperation: usageGroup,
    byModel: usageGroup,
    bySource: usageGroup,
  })
  .meta({ id: 'UsageStats' });

export const usageReport = z
  .object({
    operation: z.string().min(1).max(120),
    model: z.string().min(1).max(200),
    inputTokens: count,
    outputTokens: count,
    sourceId: z.string().min(1).max(80).optional(),
    releaseCount: count.optional(),
  })
  .meta({ id: 'UsageReport' });

export const usageRow = z
  .object({
    id: z.string(),
    operation: z.string(),
    model: z.string(),
    inputTokens: count,
    outputTokens: count,
    sourceId: z.string().nullable(),
    releaseCount: count.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'UsageRow' });

const stuckSource = z.object({
  source: sourceItem,
  attempts: z.array(fetchLogRow.pick({ status: true, errorCategory: true, error: true, createdAt: true })),
  lastSuccessAt: timestamp.nullable(),
  // The fields of `source` again, on the level of the row.
  sourceId: z.string(),
  sourceSlug: z.string(),
  ...sourceItem.pick({
    name: true,
    type: true,
    url: true,
    kind: true,
    orgSlug: true,
    orgName: true,
    fetchPriority: true,
    isPrimary: true,
    isHidden: true,
    lastFetchedAt: true,
  }).shape,
  recentAttempts: count,
  recentErrors: count,
  lastAttemptAt: timestamp.nullable(),
  lastError: z.string().nullable(),
  lastErrorCategory: outcome.nullable(),
  sourceCreatedAt: timestamp,
});

export const stuckSources = pageOf(stuckSource)
  .extend({ meta: z.object({ window: z.int(), minAttempts: z.int(), includePaused: z.boolean() }) })
  .meta({ id: 'StuckSources' });

export const auditLog = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        createdAt: timestamp,
        actor: z.string(),
        action: z.string(),
        targetType: z.string(),
        targetId: z.string(),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
    pagination: cursorPagination,
  })
  .meta({ id: 'AuditLog' });

export type FetchLogItem = z.infer<typeof fetchLogRow>;
export type FetchLog = z.infer<typeof fetchLog>;
export type FetchReport = z.output<typeof fetchReport>;
export type FetchTrigger = (typeof FETCH_TRIGGERS)[number];
export type UsageStats = z.infer<typeof usageStats>;
export type UsageGroup = z.infer<typeof usageGroup>;
export type UsageReport = z.output<typeof usageReport>;
export type UsageRow = z.infer<typeof usageRow>;
export type StuckSource = z.infer<typeof stuckSource>;
export type StuckSources = z.infer<typeof stuckSources>;
export type AuditLog = z.infer<typeof auditLog>;
