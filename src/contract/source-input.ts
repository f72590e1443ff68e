import { z } from 'zod';
import { isSlug } from '../domain/slugs.ts';
import { discovery, fetchPriority, kind, sourceType } from './enums.ts';
import { bodyTimestamp, httpUrl } from './release-input.ts';
import { noticeText } from './scalars.ts';

const name = z.string().min(1).max(200);
const slug = z.string().refine((value) => isSlug(value), 'must be 1 to 80 of a-z, 0-9 and single dashes between');
// The object or its JSON text; its own rules are checked with the settings.
const metadata = z.union([z.string(), z.record(z.string(), z.unknown())]);

export const sourceCreate = z
  .object({
    name,
    url: httpUrl,
    type: sourceType.optional(),
    slug: slug.optional(),
    orgId: z.string().optional(),
    orgSlug: z.string().optional(),
    productId: z.string().optional(),
    productSlug: z.string().optional(),
    metadata: metadata.optional(),
    kind: kind.optional(),
    isPrimary: z.boolean().optional(),
    isHidden: z.boolean().optional(),
    fetchPriority: fetchPriority.optional(),
    fetch: z.boolean().optional(),
  })
  .meta({ id: 'SourceCreate' });

const counter = z.int().min(0);

export const sourcePatch = z
  .strictObject({
    name,
    url: httpUrl,
    type: sourceType,
    slug,
    metadata,
    orgId: z.string().nullable(),
    productId: z.string().nullable(),
    kind: kind.nullable(),
    isPrimary: z.boolean(),
    isHidden: z.boolean(),
    fetchPriority,
    discovery,
    notice: noticeText.nullable(),
    lastFetchedAt: bodyTimestamp.nullable(),
    lastPolledAt: bodyTimestamp.nullable(),
    lastContentHash: z.string().min(8).max(128).nullable(),
    nextFetchAfter: bodyTimestamp.nullable(),
    changeDetectedAt: bodyTimestamp.nullable(),
    consecutiveNoChange: counter,
    consecutiveErrors: counter,
  })
  .partial()
  .meta({ id: 'SourcePatch' });

export const metadataPatch = z.record(z.string(), z.unknown());
export const contentHashInput = z.object({ contentHash: z.string().min(8).max(128), peek: z.boolean().optional() });

export type SourceCreate = z.output<typeof sourceCreate>;
export type SourcePatch = z.output<typeof sourcePatch>;
