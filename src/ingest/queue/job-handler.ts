// What runs a job of the queue, and what it is given.
import type { Context } from '../../context.ts';
import type { FetchTools } from '../adapters/tools.ts';
import type { ClaimedJob } from './job.ts';

export interface JobSurroundings {
  signal: AbortSignal;
  tools: FetchTools;
}

export type JobHandler = (ctx: Context, job: ClaimedJob, surroundings: JobSurroundings) => Promise<void>;
