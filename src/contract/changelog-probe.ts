import { z } from 'zod';

export const changelogProbe = z
  .object({
    sourceId: z.string(),
    sourceSlug: z.string(),
    url: z.string(),
    paths: z.array(
      z.object({
        path: z.string(),
        origin: z.enum(['root', 'workspace', 'override']),
        exists: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'ChangelogProbe' });

export type ChangelogProbe = z.infer<typeof changelogProbe>;
