import { z } from 'zod';
import { count } from './pagination.ts';
import { pick } from './pick.ts';
import { timestamp } from './scalars.ts';

// The fields of a changelog file without its text.
const changelogFileFields = {
  path: z.string(),
  filename: z.string(),
  url: z.string(),
  rawUrl: z.string(),
  bytes: count,
  fetchedAt: timestamp,
  canonical: z.boolean(),
  totalChars: count,
  totalTokens: count,
  truncated: z.boolean(),
  truncatedAt: count.nullable(),
};

const changelogFile = z
  .object(pick(changelogFileFields, 'path', 'filename', 'url', 'bytes', 'fetchedAt', 'canonical'))
  .meta({ id: 'ChangelogFile' });

export const changelogSlice = z
  .object({
    ...pick(changelogFileFields, 'path', 'filename', 'url', 'rawUrl', 'bytes', 'fetchedAt'),
    content: z.string(),
    offset: count,
    limit: count,
    tokens: count.optional(),
    sliceTokens: count.optional(),
    nextOffset: count.nullable(),
    ...pick(changelogFileFields, 'totalChars', 'totalTokens', 'truncated', 'truncatedAt'),
    files: z.array(changelogFile),
  })
  .meta({ id: 'ChangelogSlice' });

export type ChangelogFileFields = z.infer<z.ZodObject<typeof changelogFileFields>>;
export type ChangelogSlice = z.infer<typeof changelogSlice>;
