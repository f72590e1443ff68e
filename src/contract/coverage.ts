import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { REVISION_CAUSES } from './enums.ts';
import { field, idOf, imageUrl } from './fields.ts';
import { releaseFields } from './release.ts';
import { timestamp } from './scalars.ts';

const sibling = z
  .object({
    ...pick(releaseFields, 'id', 'version', 'title'),
    sourceName: field.sourceName,
    publishedAt: releaseFields.publishedAt,
    org: z
      .object({ slug: field.slug, name: field.name })
      .nullable()
      .describe('The organization; null where there is none.'),
    thumbnail: z
      .object({ url: imageUrl, alt: field.alt.optional() })
      .nullable()
      .describe('The first image; null: there is none.'),
  })
  .describe('The other release of the link; null: it is not public.');

const coverageRow = z
  .object({
    coverageId: z
      .string()
      .meta({ description: 'Id of the release that covers the canonical one.', example: 'rel_3HsW9pNcE5uJ1VtGb6DxM' }),
    canonicalId: field.canonicalId,
    reason: field.reason.nullable(),
    decidedBy: field.decidedBy,
    decidedAt: timestamp.describe('When the link was made.'),
    sibling: sibling.nullable(),
  })
  .meta({ id: 'CoverageRow' });

export const coverage = z
  .object({
    role: z.enum(['standalone', 'canonical', 'coverage']).describe('Part that the release plays in its launch.'),
    canonical: coverageRow.nullable().describe('The release that this one covers; null when it covers none.'),
    covers: z.array(coverageRow).describe('Releases that cover this one.'),
  })
  .meta({ id: 'Coverage' });

export const coverageLinks = z.object({
  coverageIds: field.coverageIds.min(1).max(100),
  reason: field.reason.max(500).optional(),
  decidedBy: field.decidedBy
    .max(200)
    .regex(/^(?:human|agent):.+$/, 'must begin with human: or agent:')
    .default('human:api'),
});

export const revision = z
  .object({
    id: idOf('rev'),
    replacedAt: timestamp.describe('When this state was replaced.'),
    cause: z
      .enum(REVISION_CAUSES)
      .describe('What replaced the state: a fetch, an operator, a newer parser, or a withdrawal or its end.'),
    changed: z.array(z.string()).describe('Names of the fields that changed.'),
    title: field.title,
    version: field.version.nullable(),
    publishedAt: field.publishedAt.nullable(),
    prerelease: field.prerelease,
    contentHash: field.contentHash,
    previousUpdatedAt: timestamp.describe('When the replaced state had been written.'),
    content: field.content.optional(),
  })
  .meta({ id: 'Revision' });

export type Coverage = z.infer<typeof coverage>;
export type CoverageRow = z.infer<typeof coverageRow>;
export type CoverageLinks = z.output<typeof coverageLinks>;
export type Revision = z.infer<typeof revision>;
