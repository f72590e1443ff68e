import { z } from 'zod';
import { count } from './pagination.ts';
import { day, timestamp } from './scalars.ts';

const named = z.object({ slug: z.string(), name: z.string() });
const range = z.object({ from: day, to: day });

const weekMarks = {
  breaking: z.boolean().optional().describe('true: a release of the week has the verdict major or minor.'),
  worst: z.enum(['minor', 'major']).optional().describe('The worst verdict of the week; absent without a break.'),
  unread: z
    .boolean()
    .optional()
    .describe('true: a source could not be read during the week, so that the count may be too low.'),
};
const unreadWeeks = z
  .array(day)
  .optional()
  .describe(
    'Mondays of the weeks in which a source could not be read, weeks without a release included: its current failure covers the week, or all checks of the week failed, or the week passed without a check that was due. Absent when there is none. Weeks from before the fetch log are never listed.',
  );

const weeklyBucket = z
  .object({
    weekStart: day,
    count,
    earliestVersion: z.string().nullable(),
    latestVersion: z.string().nullable(),
    ...weekMarks,
  })
  .meta({ id: 'WeeklyBucket' });

const sourceActivityRow = named.extend({
  releaseCount: count,
  avgReleasesPerWeek: z.number().min(0),
  earliestVersion: z.string().nullable(),
  latestVersion: z.string().nullable(),
  latestDate: timestamp.nullable(),
  weeklyBuckets: z.array(weeklyBucket),
  unreadWeeks,
});

const groupActivity = {
  range,
  sources: z.array(sourceActivityRow),
  aggregateWeekly: z.array(z.object({ weekStart: day, count, ...weekMarks })),
  unreadWeeks,
};

const heatmap = { range, dailyCounts: z.array(z.object({ date: day, count })), total: count };

const sparkline = z.array(count).length(30);
const namedSparkline = named.extend({ sparkline });

export const orgActivity = z.object({ org: named, ...groupActivity }).meta({ id: 'OrgActivity' });
export const productActivity = z.object({ product: named, ...groupActivity }).meta({ id: 'ProductActivity' });
export const sourceActivity = z
  .object({
    source: named.extend({ orgSlug: z.string().nullable(), orgName: z.string().nullable() }),
    range,
    weeklyBuckets: z.array(weeklyBucket),
    unreadWeeks,
  })
  .meta({ id: 'SourceActivity' });

export const orgHeatmap = z.object({ org: named, ...heatmap }).meta({ id: 'OrgHeatmap' });
export const productHeatmap = z.object({ product: named, ...heatmap }).meta({ id: 'ProductHeatmap' });
export const sourceHeatmap = z.object({ source: named, ...heatmap }).meta({ id: 'SourceHeatmap' });

export const orgSparklines = z
  .object({
    org: named,
    range,
    aggregate: sparkline,
    sources: z.array(namedSparkline),
    products: z.array(namedSparkline),
  })
  .meta({ id: 'OrgSparklines' });

export type WeeklyBucket = z.infer<typeof weeklyBucket>;
export type SourceActivityRow = z.infer<typeof sourceActivityRow>;
export type OrgActivity = z.infer<typeof orgActivity>;
export type ProductActivity = z.infer<typeof productActivity>;
export type SourceActivity = z.infer<typeof sourceActivity>;
export type GroupActivity = Pick<OrgActivity, 'range' | 'sources' | 'aggregateWeekly' | 'unreadWeeks'>;
export type Heatmap = Pick<z.infer<typeof orgHeatmap>, 'range' | 'dailyCounts' | 'total'>;
export type OrgSparklines = z.infer<typeof orgSparklines>;
export type NamedSubject = z.infer<typeof named>;
export type DayRange = z.infer<typeof range>;
