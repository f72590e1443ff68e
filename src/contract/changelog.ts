import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { field, sourceUrl } from './fields.ts';
import { count } from './pagination.ts';

// The fields of a changelog file without its text.
const changelogFileFields = {
  path: field.path,
  filename: z.string().meta({ description: 'Name of the file.', example: 'CHANGELOG.md' }),
  url: sourceUrl,
  rawUrl: z.string().meta({
    description: 'Address of the file as plain text.',
    example: 'https://raw.githubusercontent.com/acme/cli/main/CHANGELOG.md',
  }),
  ...pick(field, 'bytes', 'fetchedAt', 'canonical'),
  totalChars: count.describe('Length of the file in characters.'),
  totalTokens: count.describe('Estimated length of the file in tokens.'),
  truncated: field.truncated,
  truncatedAt: count
    .nullable()
    .meta({ description: 'Position at which the stored file was cut; null: it is whole.', example: null }),
};

const changelogFile = z
  .object(pick(changelogFileFields, 'path', 'filename', 'url', 'bytes', 'fetchedAt', 'canonical'))
  .meta({ id: 'ChangelogFile' });

export const changelogSlice = z
  .object({
    ...pick(changelogFileFields, 'path', 'filename', 'url', 'rawUrl', 'bytes', 'fetchedAt'),
    content: field.content,
    offset: field.offset,
    limit: count.meta({ description: 'Largest number of rows of a page.', example: 20 }),
    tokens: count.optional().describe('Budget of the slice in tokens.'),
    sliceTokens: count.optional().describe('Estimated length of this slice in tokens.'),
    nextOffset: count
      .nullable()
      .meta({ description: 'Pass it as `offset` for the next slice; null: this is the last one.', example: null }),
    ...pick(changelogFileFields, 'totalChars', 'totalTokens', 'truncated', 'truncatedAt'),
    files: z.array(changelogFile).describe('All tracked changelog files of the source.'),
  })
  .meta({ id: 'ChangelogSlice' });

export type ChangelogFileFields = z.infer<z.ZodObject<typeof changelogFileFields>>;
export type ChangelogSlice = z.infer<typeof changelogSlice>;
