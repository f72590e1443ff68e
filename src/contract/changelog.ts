import { z } from 'zod';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

const changelogFile = z
  .object({
    path: z.string(),
    filename: z.string(),
    url: z.string(),
    bytes: count,
    fetchedAt: timestamp,
    canonical: z.boolean(),
  })
  .meta({ id: 'ChangelogFile' });

export const changelogSlice = z
  .object({
    path: z.string(),
    filename: z.string(),
    url: z.string(),
    rawUrl: z.string(),
    bytes: count,
    fetchedAt: timestamp,
    content: z.string(),
    offset: count,
    limit: count,
    tokens: count.optional(),
    sliceTokens: count.optional(),
    nextOffset: count.nullable(),
    totalChars: count,
    totalTokens: count,
    truncated: z.boolean(),
    truncatedAt: count.nullable(),
    files: z.array(changelogFile),
  })
  .meta({ id: 'ChangelogSlice' });

export type ChangelogSlice = z.infer<typeof changelogSlice>;
