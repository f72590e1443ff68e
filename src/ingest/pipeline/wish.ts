// What somebody who asks for a fetch may wish, as it travels in the payload of the job.
import { z } from 'zod';

const wish = z.object({
  trigger: z.enum(['schedule', 'manual', 'agent', 'lookup']).catch('schedule').default('schedule'),
  // Also when the source is not due.
  anyway: z.boolean().optional(),
  dryRun: z.boolean().optional(),
  max: z.int().optional(),
  announce: z.boolean().optional(),
  silent: z.boolean().optional(),
});

export type Wish = z.infer<typeof wish>;

export function readWish(payload: unknown): Wish {
  return wish.parse(payload);
}
