import { z } from 'zod';

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ id: 'Timestamp' });
export const day = z.iso.date();
export const noticeText = z
  .object({
    message: z.string().min(1).max(280),
    linkText: z.string().min(1).max(60).optional(),
    coordinate: z.string().min(1).max(200).optional(),
    href: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
  })
  .meta({ id: 'EntityNotice' });
export type EntityNotice = z.infer<typeof noticeText>;

export const deleted = z.object({ deleted: z.literal(true) });
export const softDeleted = z
  .object({ deleted: z.literal(true), deletedAt: timestamp.optional(), hard: z.literal(true).optional() })
  .meta({ id: 'Deleted' });
