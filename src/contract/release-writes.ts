import { z } from 'zod';
import { releaseRow } from './release.ts';
import { releaseInput, SKIP_REASONS } from './release-input.ts';

export const singleReleaseInput = z.object({
  ...releaseInput.shape,
  announce: z.boolean().optional(),
  silent: z.boolean().optional(),
});

export const singleReleaseResult = z.union([
  releaseRow.extend({ outcome: z.enum(['updated', 'unchanged']).optional() }),
  z.object({ skipped: z.literal(true), reason: z.enum(SKIP_REASONS) }),
]);

const releaseIds = z.array(z.string()).min(1).max(500);

export const batchDelete = z.object({ releaseIds });
export const batchSuppress = z.object({
  releaseIds,
  suppressed: z.boolean(),
  reason: z.string().max(500).optional(),
});
export const suppressInput = z.object({ reason: z.string().max(500).optional() });
