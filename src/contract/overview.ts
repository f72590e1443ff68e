import { z } from 'zod';
import { field } from './fields.ts';

const citation = z
  .object({
    sourceUrl: z.string().describe('Address that backs the passage.'),
    title: field.title.nullable(),
    releaseId: field.releaseId.nullable(),
    releaseWebUrl: z.string().nullable().describe('Page of the release; null where there is none.'),
    startIndex: field.startIndex,
    endIndex: field.endIndex,
    citedText: field.citedText,
  })
  .meta({ id: 'Citation' });

export const overview = z
  .object({
    id: field.id,
    scope: z.enum(['org', 'product']).describe('How far it reaches.'),
    orgId: field.orgId.nullable(),
    productId: field.productId.nullable(),
    orgSlug: field.orgSlug,
    productSlug: field.productSlug.nullable(),
    content: field.content,
    releaseCount: field.releaseCount,
    lastContributingReleaseAt: field.lastContributingReleaseAt.nullable(),
    generatedAt: field.generatedAt,
    updatedAt: field.updatedAt,
    citations: z.array(citation).describe('Passages of the text with the releases that back them.'),
  })
  .meta({ id: 'Overview' });

export const playbook = z
  .object({
    scope: z.literal('playbook').describe('How far it reaches.'),
    content: field.content,
    notes: field.notes.nullable(),
    releaseCount: field.releaseCount,
    lastContributingReleaseAt: field.lastContributingReleaseAt.nullable(),
    generatedAt: field.generatedAt,
    updatedAt: field.updatedAt,
  })
  .meta({ id: 'Playbook' });

export type Overview = z.infer<typeof overview>;
export type Playbook = z.infer<typeof playbook>;
