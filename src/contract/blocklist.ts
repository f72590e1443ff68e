import { z } from 'zod';
import { pageOf } from './pagination.ts';
import { timestamp } from './scalars.ts';

const type = z.enum(['exact', 'domain']).describe('One address, or a domain with everything below it.');

const blockedUrl = z
  .object({ id: z.string(), pattern: z.string(), type, reason: z.string().nullable(), createdAt: timestamp })
  .meta({ id: 'BlockedUrl' });
// A page of blocked addresses; with `url` the row that covers that address, or null.
export const blockedUrls = z.union([pageOf(blockedUrl), blockedUrl, z.null()]);

export const blockInput = z
  .object({ pattern: z.string().min(1).max(2048), type: type.default('exact'), reason: z.string().max(500).optional() })
  .meta({ id: 'BlockInput' });
export const blocked = z.object({ blocked: z.literal(true) }).meta({ id: 'Blocked' });

export type BlockType = z.infer<typeof type>;
export type BlockedUrl = z.infer<typeof blockedUrl>;
export type BlockInput = z.output<typeof blockInput>;
