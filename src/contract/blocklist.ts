import { z } from 'zod';
import { field, idOf } from './fields.ts';
import { pageOf } from './pagination.ts';

const type = z.enum(['exact', 'domain']).describe('One address, or a domain with everything below it.');

const blockedUrl = z
  .object({ id: idOf('bu'), pattern: field.pattern, type, reason: field.reason.nullable(), createdAt: field.createdAt })
  .meta({ id: 'BlockedUrl' });
// A page of blocked addresses; with `url` the row that covers that address, or null.
export const blockedUrls = z.union([pageOf(blockedUrl), blockedUrl, z.null()]);

export const blockInput = z
  .object({
    pattern: field.pattern.min(1).max(2048),
    type: type.default('exact'),
    reason: field.reason.max(500).optional(),
  })
  .meta({ id: 'BlockInput' });
export const blocked = z
  .object({ blocked: z.literal(true).describe('Always true: the address is blocked now.') })
  .meta({ id: 'Blocked' });

export type BlockType = z.infer<typeof type>;
export type BlockedUrl = z.infer<typeof blockedUrl>;
export type BlockInput = z.output<typeof blockInput>;
