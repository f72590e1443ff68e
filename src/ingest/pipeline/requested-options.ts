// The options of a fetch that somebody asked for, as they travel in the payload of its job.
import { z } from 'zod';

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

export function readFetchOptions(payload: unknown): JobOptions {
  return options.parse(payload);
}
