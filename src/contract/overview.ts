import { z } from 'zod';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

const citation = z
  .object({
    sourceUrl: z.string(),
    title: z.string().nullable(),
    releaseId: z.string().nullable(),
    releaseWebUrl: z.string().nullable(),
    startIndex: count,
    endIndex: count,
    citedText: z.string(),
  })
  .meta({ id: 'Citation' });

export const overview = z
  .object({
    id: z.string(),
    scope: z.enum(['org', 'product']),
    orgId: z.string().nullable(),
    productId: z.string().nullable(),
    orgSlug: z.string(),
    productSlug: z.string().nullable(),
    content: z.string(),
    releaseCount: count,
    lastContributingReleaseAt: timestamp.nullable(),
    generatedAt: timestamp,
    updatedAt: timestamp,
    citations: z.array(citation),
  })
  .meta({ id: 'Overview' });

export const playbook = z
  .object({
    scope: z.literal('playbook'),
    content: z.string(),
    notes: z.string().nullable(),
    releaseCount: count,
    lastContributingReleaseAt: timestamp.nullable(),
    generatedAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Playbook' });

export type Overview = z.infer<typeof overview>;
export type Playbook = z.infer<typeof playbook>;
