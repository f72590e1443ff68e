import { z } from 'zod';
import { field, sourceUrl } from './fields.ts';

export const changelogProbe = z
  .object({
    sourceId: field.sourceId,
    sourceSlug: field.sourceSlug,
    url: sourceUrl,
    paths: z
      .array(
        z.object({
          path: field.path,
          origin: z.enum(['root', 'workspace', 'override']).describe('Where the entry comes from.'),
          exists: z.boolean().describe('Whether the repository has the file today.'),
        }),
      )
      .describe('Files that were looked for.'),
  })
  .meta({ id: 'ChangelogProbe' });

export type ChangelogProbe = z.infer<typeof changelogProbe>;
