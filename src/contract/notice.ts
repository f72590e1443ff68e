import { z } from 'zod';
import { NOTICE_PLACEMENTS } from './enums.ts';
import { field } from './fields.ts';

const fields = {
  active: field.active,
  message: field.message.min(1).max(280),
  placement: z.enum(NOTICE_PLACEMENTS).describe('Where the notice is shown.'),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be # and six hex digits')
    .meta({ description: 'Color of the notice.', example: '#0b5cad' }),
  dismissible: z.boolean().describe('Whether a visitor can close it.'),
};
const linkText = z.string().min(1).max(60).meta({ description: 'Text of the link.', example: 'Read more' });
// Browsers read `/\` like `//`, which would lead to another host, so it is refused.
const href = z
  .string()
  .max(500)
  .regex(/^(?:https?:\/\/[^\s/\\]\S*|\/(?![/\\])\S*)$/, 'must begin with https://, http:// or exactly one /')
  .meta({ description: 'Address that the link leads to.', example: 'https://acme.example/blog/cli-2' });

const siteNotice = z
  .object({ ...fields, linkText: linkText.optional(), href: href.optional(), updatedAt: field.updatedAt })
  .meta({ id: 'SiteNotice' });
export const siteNoticeAnswer = z
  .object({
    notice: siteNotice.nullable().meta({ description: 'A message that is shown with it; null: none.', example: null }),
  })
  .meta({ id: 'SiteNoticeAnswer' });

export const siteNoticeInput = z
  .strictObject({
    ...fields,
    linkText: linkText.nullish(),
    href: href.nullish(),
    // A notice may be sent back as it was read.
    updatedAt: z.unknown().optional().describe('When it last changed.'),
  })
  .refine((notice) => !notice.linkText || notice.href, { path: ['linkText'], message: 'needs href beside it' })
  .meta({ id: 'SiteNoticeInput' });

export type SiteNotice = z.infer<typeof siteNotice>;
export type SiteNoticeAnswer = z.infer<typeof siteNoticeAnswer>;
export type SiteNoticeInput = z.output<typeof siteNoticeInput>;
