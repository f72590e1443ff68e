import { z } from 'zod';
import type { FetchTrigger } from '../../contract/admin-logs.ts';
import type { FetchStatus } from '../../contract/enums.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import type { FetchTools } from '../adapters/adapter-context.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import type { JobLease } from '../queue/job.ts';
import type { NextRun } from '../queue/lease.ts';
import type { FetchSubject } from './subject.ts';

export interface RunOptions {
  trigger: FetchTrigger;
  dryRun?: boolean;
  max?: number;
  announce?: boolean;
  silent?: boolean;
  // The lease of the job that runs the fetch; the job ends in the transaction of the result.
  lease?: JobLease;
  // Computes when that job runs next; by default the plan of the source.
  nextRun?: (end: RunEnd) => NextRun | null;
  // The address at which a first fetch stopped.
  backfill?: string;
  signal?: AbortSignal;
  tools?: FetchTools;
}

export interface RunEnd {
  outcome: FetchOutcome;
  result: AdapterResult;
}

interface PreviewItem {
  title: string;
  version: string | null;
  url: string | null;
  publishedAt: string | null;
}

export interface RunReport {
  status: FetchStatus;
  releasesFound: number;
  releasesInserted: number;
  releasesUpdated: number;
  insertedIds: string[];
  announced: number;
  durationMs: number;
  error: string | null;
  errorCategory: FetchOutcome | null;
  fetchLogId: string | null;
  // What a dry run would have stored, the newest first.
  sample?: PreviewItem[];
}

// The state of one run in the pipeline.
export interface PipelineRun {
  subject: FetchSubject;
  options: RunOptions;
  startedAt: number;
}

export const NOTHING_DONE = {
  releasesFound: 0,
  releasesInserted: 0,
  releasesUpdated: 0,
  insertedIds: [] as string[],
  announced: 0,
  error: null,
  errorCategory: null,
  fetchLogId: null,
} as const;

const options = z.object({
  trigger: z.enum(['schedule', 'manual', 'agent', 'lookup']).catch('schedule').default('schedule'),
  // Also when the source is not due.
  anyway: z.boolean().optional(),
  dryRun: z.boolean().optional(),
  max: z.int().optional(),
  announce: z.boolean().optional(),
  silent: z.boolean().optional(),
});

export type JobOptions = z.infer<typeof options>;

// The options of a requested fetch, as they are stored in the payload of its job.
export function readFetchOptions(payload: unknown): JobOptions {
  return options.parse(payload);
}
