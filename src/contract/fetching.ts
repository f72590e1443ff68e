import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { FETCH_OUTCOMES, FETCH_STATUSES } from './enums.ts';
import { field } from './fields.ts';
import { count } from './pagination.ts';
import { sampleId } from './scalars.ts';

export const MAX_RELEASES = 1000;

export const fetchInput = z
  .object({
    dryRun: field.dryRun.optional(),
    max: z.int().min(1).max(MAX_RELEASES).optional().describe('At most so many releases are taken in.'),
    announce: field.announce.optional(),
    silent: field.silent.optional(),
  })
  .meta({ id: 'FetchInput' });

const sampleItem = z.object({
  title: field.title,
  version: field.version.nullable(),
  url: field.url.nullable(),
  publishedAt: field.publishedAt.nullable(),
});

export const fetchResult = z
  .object({
    fetched: z.literal(true).describe('Whether the document was read.'),
    status: z.enum(FETCH_STATUSES).describe('How the fetch ended.'),
    ...pick(field, 'releasesFound', 'releasesInserted', 'releasesUpdated', 'insertedIds'),
    announced: count.describe('Releases for which events were sent.'),
    durationMs: field.durationMs,
    error: field.error.nullable(),
    errorCategory: z
      .enum(FETCH_OUTCOMES)
      .nullable()
      .meta({ description: 'Kind of failure; null when it succeeded.', example: null }),
    fetchLogId: z
      .string()
      .nullable()
      .meta({ description: 'Id of the row of the fetch log; null for a dry run.', example: sampleId('fl') }),
    sample: z.array(sampleItem).optional().describe('The first releases that were read.'),
  })
  .meta({ id: 'FetchResult' });

export const fetchQueued = z
  .object({
    queued: z.literal(true).describe('Always true: the work goes on by itself.'),
    type: z.literal('flagged').optional().describe('What sort of thing it is.'),
  })
  .meta({ id: 'FetchQueued' });

export type FetchInput = z.output<typeof fetchInput>;
export type FetchResultBody = z.infer<typeof fetchResult>;
