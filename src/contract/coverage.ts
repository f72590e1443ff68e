import { z } from 'zod';
import { REVISION_CAUSES } from './enums.ts';
import { pick } from './pick.ts';
import { releaseFields } from './release.ts';
import { timestamp } from './scalars.ts';

const sibling = z.object({
  ...pick(releaseFields, 'id', 'version', 'title'),
  sourceName: z.string(),
  publishedAt: releaseFields.publishedAt,
  org: z.object({ slug: z.string(), name: z.string() }).nullable(),
  thumbnail: z.object({ url: z.string(), alt: z.string().optional() }).nullable(),
});

const coverageRow = z
  .object({
    coverageId: z.string(),
    canonicalId: z.string(),
    reason: z.string().nullable(),
    decidedBy: z.string(),
    decidedAt: timestamp,
    sibling: sibling.nullable(),
  })
  .meta({ id: 'CoverageRow' });

export const coverage = z
  .object({
    role: z.enum(['standalone', 'canonical', 'coverage']),
    canonical: coverageRow.nullable(),
    covers: z.array(coverageRow),
  })
  .meta({ id: 'Coverage' });

export const coverageLinks = z.object({
  coverageIds: z.array(z.string()).min(1).max(100),
  reason: z.string().max(500).optional(),
  decidedBy: z
    .string()
    .max(200)
    .regex(/^(?:human|agent):.+$/, 'must begin with human: or agent:')
    .default('human:api'),
});

export const revision = z
  .object({
    id: z.string(),
    replacedAt: timestamp,
    cause: z.enum(REVISION_CAUSES),
    changed: z.array(z.string()),
    title: z.string(),
    version: z.string().nullable(),
    publishedAt: timestamp.nullable(),
    prerelease: z.boolean(),
    contentHash: z.string(),
    previousUpdatedAt: timestamp,
    content: z.string().optional(),
  })
  .meta({ id: 'Revision' });

export type Coverage = z.infer<typeof coverage>;
export type CoverageRow = z.infer<typeof coverageRow>;
export type CoverageLinks = z.output<typeof coverageLinks>;
export type Revision = z.infer<typeof revision>;
