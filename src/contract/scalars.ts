import { z } from 'zod';
import { keysOf } from '../domain/records.ts';
import { ERROR_STATUS } from './errors.ts';

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ id: 'Timestamp' });
export const day = z.iso.date();
export const noticeText = z
  .object({
    message: z
      .string()
      .min(1)
      .max(280)
      .meta({ description: 'Text for people; it may change.', example: 'The dates of Acme CLI are off by one day.' }),
    linkText: z.string().min(1).max(60).optional().meta({ description: 'Text of the link.', example: 'Read more' }),
    coordinate: z.string().min(1).max(200).optional().meta({
      description: 'owner/name of a GitHub repository, or org/slug of an entry of the registry.',
      example: 'acme/cli',
    }),
    href: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional()
      .meta({ description: 'Address that the link leads to.', example: 'https://acme.example/blog/cli-2' }),
  })
  .meta({ id: 'EntityNotice' })
  .meta({ description: 'A message that is shown with it; null: none.', example: null });
export type EntityNotice = z.infer<typeof noticeText>;

export const deleted = z.object({ deleted: z.literal(true).describe('Always true: it is gone.') });
export const softDeleted = z
  .object({
    deleted: z.literal(true).describe('Always true: it is gone.'),
    deletedAt: timestamp.optional().describe('When it was deleted; null: it is not.'),
    hard: z.literal(true).optional().describe('Always true: the deletion is final.'),
  })
  .meta({ id: 'Deleted' });

export const apiError = z
  .object({
    code: z.string().meta({ description: 'Stable machine code; the set may grow.', example: 'not_found' }),
    type: z.enum(keysOf(ERROR_STATUS)).describe('Class of the error, which gives the status of the answer.'),
    message: z
      .string()
      .meta({ description: 'Text for people; it may change.', example: 'The dates of Acme CLI are off by one day.' }),
    details: z.unknown().optional().describe('More about the error, by code.'),
  })
  .describe('What went wrong.');

// The ids of examples: a prefix and one fixed body.
export const sampleId = (prefix: string) => `${prefix}_7QmZ4tKdXwRv2BnYc8LhA`;
