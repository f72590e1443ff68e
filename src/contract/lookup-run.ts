// POST /lookups: a repository or a package that the registry may not know yet.
import { z } from 'zod';
import { orgNamed, sourceNamed, sourceUrl } from './fields.ts';
import { releaseItem } from './release.ts';
import { sourceItem } from './source.ts';

const LOOKUP_STATUSES = ['existing', 'indexed', 'empty', 'not_found', 'deferred'] as const;
export type LookupStatus = (typeof LOOKUP_STATUSES)[number];

// The lookup itself checks the form of the fields, so that a wrong one is answered by 400 `bad_request`.
export const lookupInput = z
  .object({
    provider: z.unknown().optional().describe('The code host of a repository: `github`.'),
    coordinate: z.unknown().optional().describe('owner/name of the repository.'),
    ecosystem: z
      .unknown()
      .optional()
      .describe('In place of a repository, where a package is published: `npm` or `pypi`.'),
    package: z.unknown().optional().describe('The name of the package as its registry spells it.'),
  })
  .meta({ id: 'LookupInput' });

const relatedOrg = z
  .object({
    org: z.object(orgNamed).describe('The organization.'),
    sources: z
      .array(z.object({ ...sourceNamed, url: sourceUrl }))
      .max(5)
      .describe('Sources, by name.'),
  })
  .meta({ id: 'RelatedOrg' });

export const lookupAnswer = z
  .object({
    status: z.enum(LOOKUP_STATUSES).describe('What the lookup found; deferred: it is being read.'),
    source: sourceItem.optional().describe('The source.'),
    releases: z.array(releaseItem).max(20).optional().describe('The newest releases.'),
    relatedOrg: relatedOrg
      .nullable()
      .describe('Organization of the registry that the repository belongs to; null: none.'),
  })
  .meta({ id: 'LookupAnswer' });

export type RelatedOrg = z.infer<typeof relatedOrg>;
export type LookupAnswer = z.infer<typeof lookupAnswer>;
