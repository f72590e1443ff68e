// What the worker does by itself. A line here is all that a new background task needs.
import { purgeDeleted } from '../accounts/purge-deleted.ts';
import { forgetOldRows } from '../accounts/retention.ts';
import type { Context } from '../context.ts';
import type { Pass } from './loop.ts';

export interface BackgroundTask {
  name: string;
  everyMs: number;
  run(ctx: Context, signal: AbortSignal): Promise<Pass>;
}

const HOUR = 3_600_000;

export const HOUSEKEEPING: readonly BackgroundTask[] = [
  { name: 'retention', everyMs: HOUR, run: async (ctx) => pass(await forgetOldRows(ctx)) },
  { name: 'purge', everyMs: HOUR, run: async (ctx) => pass(await purgeDeleted(ctx)) },
];

function pass(more: boolean): Pass {
  return more ? 'more' : 'idle';
}
