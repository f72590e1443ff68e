// Filters by meaning, as subscriptions hold them: a release passes when it meets any of those that are set.
import { z } from 'zod';
import { MIN_BREAKING } from '../domain/meaning/passes-meaning.ts';

export const meaningFields = {
  minBreaking: z
    .enum(MIN_BREAKING)
    .nullable()
    .describe(
      'Releases pass whose break is at least this grave, by their notes or proven by the package; null: not set.',
    )
    .optional(),
  minImportance: z
    .int()
    .min(1)
    .max(5)
    .nullable()
    .describe('Releases pass that are at least this important, 1 to 5; null: not set.')
    .optional(),
  security: z
    .boolean()
    .optional()
    .meta({ description: 'true lets releases pass that repair a security problem.', example: false }),
};
