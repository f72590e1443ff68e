import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { field, idOf } from './fields.ts';
import { sampleId } from './scalars.ts';

const citation = z
  .object({
    sourceUrl: z.string().meta({
      description: 'Address that backs the passage.',
      example: 'https://github.com/acme/cli/releases/tag/v2.0.0',
    }),
    title: field.title.nullable(),
    releaseId: field.releaseId.nullable(),
    releaseWebUrl: z
      .string()
      .nullable()
      .meta({
        description: 'Page of the release; null where there is none.',
        example: `http://localhost:8080/release/${sampleId('rel')}`,
      }),
    ...pick(field, 'startIndex', 'endIndex', 'citedText'),
  })
  .meta({ id: 'Citation' });

export const overview = z
  .object({
    id: idOf('org'),
    scope: z.enum(['org', 'product']).describe('What the text is about.'),
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
    scope: z.literal('playbook').describe('Always `playbook`.'),
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
