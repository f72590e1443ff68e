import { z } from 'zod';
import { field } from './fields.ts';
import { releaseRow } from './release.ts';
import { releaseInput, SKIP_REASONS } from './release-input.ts';
import { sampleId } from './scalars.ts';

export const singleReleaseInput = z.object({
  ...releaseInput.shape,
  announce: field.announce.optional(),
  silent: field.silent.optional(),
});

export const singleReleaseResult = z.union([
  releaseRow.extend({
    outcome: z.enum(['updated', 'unchanged']).optional().describe('Whether the stored release changed.'),
  }),
  z.object({
    skipped: z.literal(true).describe('Always true: nothing was written.'),
    reason: z.enum(SKIP_REASONS).describe('Why nothing was written.'),
  }),
]);

const releaseIds = z
  .array(z.string())
  .min(1)
  .max(500)
  .meta({ description: 'rel_ ids of releases.', example: [sampleId('rel')] });

export const batchDelete = z.object({ releaseIds });
export const batchSuppress = z.object({
  releaseIds,
  suppressed: field.suppressed,
  reason: field.reason.max(500).optional(),
});
export const suppressInput = z.object({ reason: field.reason.max(500).optional() });
