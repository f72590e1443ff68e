// Filters by meaning, as subscriptions hold them: a release passes when it meets any of those that are set.
import { z } from 'zod';
import { MIN_BREAKING } from '../domain/meaning/passes-meaning.ts';

export const meaningFields = {
  minBreaking: z.enum(MIN_BREAKING).nullable().optional(),
  minImportance: z.int().min(1).max(5).nullable().optional(),
  security: z.boolean().optional().describe('true lets releases pass that repair a security problem.'),
};
