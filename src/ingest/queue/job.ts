import type { Context } from '../../context.ts';
import { parseJson } from '../../store/json-text.ts';
import type { JobPayload, JobRow } from '../../store/schema/jobs.ts';
import type { FetchTools } from '../adapters/adapter-context.ts';
import type { JobKind } from './kinds.ts';

// Work on long lists, which must leave room for what somebody waits for.
export const LIST_HOST = 'lists';

export interface JobOrder {
  // Keys are unique: a second order moves the first one forward.
  key: string;
  kind: JobKind;
  sourceId?: string | null;
  // Absent for work that calls no other server.
  host?: string;
  payload?: JobPayload;
  priority?: number;
  // Due at once when absent.
  dueAt?: string;
  basis?: string;
}

// Proof that this process owns the job.
export interface JobLease {
  jobId: string;
  host: string;
  token: number;
}

export interface ClaimedJob {
  key: string;
  kind: string;
  sourceId: string | null;
  payload: JobPayload;
  priority: number;
  dueAt: string;
  // Includes this claim; above `LEASES_TO_LOSE` all workers before this one died.
  attempts: number;
  lease: JobLease;
}

export const LEASE_MS = 5 * 60_000;
export const LEASE_LIMIT_MS = 15 * 60_000;
export const HEARTBEAT_MS = 60_000;
export const LEASES_TO_LOSE = 5;

// Another worker owns the job, so the transaction that was to complete it is rolled back.
export class LeaseLost extends Error {
  constructor() {
    super('the lease was lost to another worker');
  }
}

export function claimedJob(row: JobRow): ClaimedJob {
  return {
    key: row.key,
    kind: row.kind,
    sourceId: row.source_id,
    payload: parseJson(row.payload),
    priority: row.priority,
    dueAt: row.due_at,
    attempts: row.attempts,
    lease: { jobId: row.id, host: row.host, token: row.lease_token },
  };
}

export interface JobSurroundings {
  signal: AbortSignal;
  tools: FetchTools;
}

export type JobHandler = (ctx: Context, job: ClaimedJob, surroundings: JobSurroundings) => Promise<void>;
