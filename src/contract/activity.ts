import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { field, orgNamed, productNamed, sourceNamed } from './fields.ts';
import { count } from './pagination.ts';
import { day } from './scalars.ts';

const named = z.object(pick(orgNamed, 'slug', 'name')).describe('The organization.');
const namedProduct = z.object(pick(productNamed, 'slug', 'name')).describe('The product.');
const namedSource = z.object(pick(sourceNamed, 'slug', 'name')).describe('The source.');
const range = z
  .object({ from: day.describe('First day, inclusive.'), to: day.describe('Last day, inclusive.') })
  .describe('First and last day of the figures.');

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
    weekStart: field.weekStart,
    count: field.releaseNumber,
    earliestVersion: field.earliestVersion.nullable(),
    latestVersion: field.latestVersion.nullable(),
    ...weekMarks,
  })
  .meta({ id: 'WeeklyBucket' });

const sourceActivityRow = namedSource.extend({
  releaseCount: field.releaseCount,
  avgReleasesPerWeek: field.avgReleasesPerWeek.min(0),
  earliestVersion: field.earliestVersion.nullable(),
  latestVersion: field.latestVersion.nullable(),
  latestDate: field.lastActivity.nullable(),
  weeklyBuckets: z.array(weeklyBucket).describe('Weeks with at least one release, oldest first.'),
  unreadWeeks,
});

const groupActivity = {
  range,
  sources: z.array(sourceActivityRow).describe('Sources, by name.'),
  aggregateWeekly: z
    .array(z.object({ weekStart: field.weekStart, count: field.releaseNumber, ...weekMarks }))
    .describe('Releases per week of all sources together.'),
  unreadWeeks,
};

const heatmap = {
  range,
  dailyCounts: z
    .array(
      z.object({ date: day.meta({ description: 'Day in UTC.', example: '2026-03-04' }), count: field.releaseNumber }),
    )
    .describe('Days with at least one release.'),
  total: count.describe('Releases of all days.'),
};

const sparkline = z.array(count).length(30);
const namedSparkline = namedSource.extend({
  sparkline: sparkline.describe('Releases per day of the last 30 days, oldest first.'),
});

export const orgActivity = z.object({ org: named, ...groupActivity }).meta({ id: 'OrgActivity' });
export const productActivity = z.object({ product: namedProduct, ...groupActivity }).meta({ id: 'ProductActivity' });
export const sourceActivity = z
  .object({
    source: namedSource
      .extend({ orgSlug: field.orgSlug.nullable(), orgName: field.orgName.nullable() })
      .describe('The source.'),
    range,
    weeklyBuckets: z.array(weeklyBucket).describe('Weeks with at least one release, oldest first.'),
    unreadWeeks,
  })
  .meta({ id: 'SourceActivity' });

export const orgHeatmap = z.object({ org: named, ...heatmap }).meta({ id: 'OrgHeatmap' });
export const productHeatmap = z.object({ product: namedProduct, ...heatmap }).meta({ id: 'ProductHeatmap' });
export const sourceHeatmap = z.object({ source: namedSource, ...heatmap }).meta({ id: 'SourceHeatmap' });

export const orgSparklines = z
  .object({
    org: named,
    range,
    aggregate: sparkline.describe('Releases per day of all sources together, oldest day first.'),
    sources: z.array(namedSparkline).describe('Sources, by name.'),
    products: z.array(namedSparkline).describe('Products, by name.'),
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
