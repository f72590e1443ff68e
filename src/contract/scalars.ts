import { z } from 'zod';
import { keysOf } from '../domain/records.ts';
import { ERROR_STATUS } from './errors.ts';

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ id: 'Timestamp' });
export const day = z.iso.date();
export const noticeText = z
  .object({
    message: z.string().min(1).max(280).describe('Text for people; it may change.'),
    linkText: z.string().min(1).max(60).optional().describe('Text of the link.'),
    coordinate: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('owner/name of a GitHub repository, or org/slug of an entry of the registry.'),
    href: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional()
      .describe('Address that the link leads to.'),
  })
  .meta({ id: 'EntityNotice' })
  .describe('A message that is shown with it; null: none.');
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
    code: z.string().describe('Stable machine code; the set may grow.'),
    type: z.enum(keysOf(ERROR_STATUS)).describe('Class of the error, which gives the status of the answer.'),
    message: z.string().describe('Text for people; it may change.'),
    details: z.unknown().optional().describe('More about the error, by code.'),
  })
  .describe('What went wrong.');
