import { z } from 'zod';
import { FETCH_OUTCOMES, FETCH_STATUSES } from './enums.ts';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const MAX_RELEASES = 1000;

export const fetchInput = z
  .object({
    dryRun: z.boolean().optional(),
    max: z.int().min(1).max(MAX_RELEASES).optional(),
    announce: z.boolean().optional(),
    silent: z.boolean().optional(),
  })
  .meta({ id: 'FetchInput' });

const sampleItem = z.object({
  title: z.string(),
  version: z.string().nullable(),
  url: z.string().nullable(),
  publishedAt: timestamp.nullable(),
});

export const fetchResult = z
  .object({
    fetched: z.literal(true),
    status: z.enum(FETCH_STATUSES),
    releasesFound: count,
    releasesInserted: count,
    releasesUpdated: count,
    insertedIds: z.array(z.string()),
    announced: count,
    durationMs: count,
    error: z.string().nullable(),
    errorCategory: z.enum(FETCH_OUTCOMES).nullable(),
    fetchLogId: z.string().nullable(),
    sample: z.array(sampleItem).optional(),
  })
  .meta({ id: 'FetchResult' });

export const fetchQueued = z
  .object({ queued: z.literal(true), type: z.literal('flagged').optional() })
  .meta({ id: 'FetchQueued' });

export type FetchInput = z.output<typeof fetchInput>;
export type FetchResultBody = z.infer<typeof fetchResult>;
