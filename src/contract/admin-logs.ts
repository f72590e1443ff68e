import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { FETCH_OUTCOMES, FETCH_STATUSES } from './enums.ts';
import { field, idOf } from './fields.ts';
import { count, cursorPagination, pageOf, rowsOf } from './pagination.ts';
import { timestamp } from './scalars.ts';
import { sourceItem } from './source.ts';
import { period } from './stats.ts';

const FETCH_TRIGGERS = ['schedule', 'manual', 'agent', 'lookup'] as const;

const status = z.enum(FETCH_STATUSES).describe('How the fetch ended.');
const outcome = z.enum(FETCH_OUTCOMES);

export const fetchLogRow = z
  .object({
    id: idOf('fl'),
    ...pick(field, 'sourceId', 'sourceSlug', 'sourceName'),
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    trigger: z.enum(FETCH_TRIGGERS).describe('What started the fetch.'),
    status,
    errorCategory: outcome.nullable().meta({ description: 'Kind of failure; null when it succeeded.', example: null }),
    error: field.error.nullable(),
    ...pick(field, 'releasesFound', 'releasesInserted', 'releasesUpdated', 'totalReleases'),
    durationMs: field.durationMs.nullable(),
    httpStatus: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last response; null where none came.', example: 200 }),
    requests: count.nullable().describe('HTTP requests that were made; null: not counted.'),
    bytes: field.bytes.nullable(),
    createdAt: field.createdAt,
  })
  .meta({ id: 'FetchLogRow' });

export const fetchLog = z
  .object({
    items: rowsOf(fetchLogRow),
    pagination: cursorPagination,
    statusCounts: z.record(status, count).describe('Number of rows by status.'),
  })
  .meta({ id: 'FetchLog' });

export const FAILED = new Set<string>(['error', 'blocked', 'timeout']);

export const fetchReport = z
  .object({
    sourceId: field.sourceId.min(1).max(80),
    releasesFound: field.releasesFound,
    releasesInserted: field.releasesInserted,
    releasesUpdated: field.releasesUpdated.optional(),
    status,
    durationMs: field.durationMs.optional(),
    error: field.error.max(500).optional(),
    errorCategory: outcome
      .exclude(['success', 'no_change'])
      .optional()
      .describe('Kind of failure; null when it succeeded.'),
  })
  .refine((report) => report.errorCategory === undefined || FAILED.has(report.status), {
    path: ['errorCategory'],
    message: 'only a run that failed has one',
  })
  .meta({ id: 'FetchReport' });

const usageTotal = {
  totalInput: count.describe('Tokens sent to models.'),
  totalOutput: count.describe('Tokens that models answered.'),
  count: field.releaseNumber,
};
const usageGroup = z.array(z.object({ label: z.string().describe('What the figures are of.'), ...usageTotal }));

export const usageStats = z
  .object({
    period,
    totals: z.object(usageTotal).describe('Figures over all.'),
    byOperation: usageGroup.describe('Use by operation.'),
    byModel: usageGroup.describe('Use by model.'),
    bySource: usageGroup.describe('Use by source.'),
  })
  .meta({ id: 'UsageStats' });

export const usageReport = z
  .object({
    operation: field.operation.min(1).max(120),
    model: field.model.min(1).max(200),
    inputTokens: field.inputTokens,
    outputTokens: field.outputTokens,
    sourceId: field.sourceId.min(1).max(80).optional(),
    releaseCount: field.releaseCount.optional(),
  })
  .meta({ id: 'UsageReport' });

export const usageRow = z
  .object({
    id: idOf('usg'),
    ...pick(field, 'operation', 'model', 'inputTokens', 'outputTokens'),
    sourceId: field.sourceId.nullable(),
    releaseCount: field.releaseCount.nullable(),
    createdAt: field.createdAt,
  })
  .meta({ id: 'UsageRow' });

const stuckSource = z.object({
  source: sourceItem.describe('The source.'),
  attempts: z
    .array(fetchLogRow.pick({ status: true, errorCategory: true, error: true, createdAt: true }))
    .describe('The last attempts, newest first.'),
  lastSuccessAt: field.lastSuccessAt.nullable(),
  // The fields of `source` again, on the level of the row.
  sourceId: field.sourceId,
  sourceSlug: field.sourceSlug,
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
  recentAttempts: count.describe('Attempts in the window.'),
  recentErrors: count.describe('Failed attempts in the window.'),
  lastAttemptAt: timestamp.nullable().describe('When the source was last tried; null: never.'),
  lastError: field.lastError.nullable(),
  lastErrorCategory: outcome
    .nullable()
    .meta({ description: 'Kind of the last failure; null: there was none.', example: null }),
  sourceCreatedAt: timestamp.describe('When the source was created.'),
});

export const stuckSources = pageOf(stuckSource)
  .extend({
    meta: z
      .object({
        window: z.int().describe('Length of the window in days.'),
        minAttempts: z.int().describe('How many attempts a source must have had to be judged.'),
        includePaused: z.boolean().describe('Whether paused sources are listed.'),
      })
      .describe('What the list was made with.'),
  })
  .meta({ id: 'StuckSources' });

export const auditLog = z
  .object({
    items: z
      .array(
        z.object({
          id: idOf('aud'),
          createdAt: field.createdAt,
          actor: z.string().meta({ description: 'Who did it, as the audit log shows callers.', example: 'root' }),
          action: z.string().meta({ description: 'What was done.', example: 'org.update' }),
          targetType: z.string().describe('Kind of the entity.'),
          targetId: field.targetId,
          before: z.unknown().describe('State before the write, as far as it is logged.'),
          after: z.unknown().describe('State after the write, as far as it is logged.'),
        }),
      )
      .describe('Rows of this page.'),
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
