import { z } from 'zod';
import { isSlug } from '../domain/slugs.ts';
import { discovery, fetchPriority, kind, sourceType } from './enums.ts';
import { field, sourceNamed } from './fields.ts';
import { bodyTimestamp, httpUrl } from './release-input.ts';
import { noticeText } from './scalars.ts';

const url = httpUrl.meta({ example: 'https://github.com/acme/cli' });
const name = sourceNamed.name.min(1).max(200);
const slug = sourceNamed.slug.refine((value) => isSlug(value), 'must be 1 to 80 of a-z, 0-9 and single dashes between');
// The object or its JSON text; its own rules are checked with the settings.
const metadata = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .meta({ description: 'Settings of the source as JSON.', example: '{}' });

export const sourceCreate = z
  .object({
    name,
    url: url,
    type: sourceType.optional(),
    slug: slug.optional(),
    orgId: field.orgId.optional(),
    orgSlug: field.orgSlug.optional(),
    productId: field.productId.optional(),
    productSlug: field.productSlug.optional(),
    metadata: metadata.optional(),
    kind: kind.optional(),
    isPrimary: field.isPrimary.optional(),
    isHidden: field.isHidden.optional(),
    fetchPriority: fetchPriority.optional(),
    fetch: z.boolean().optional().describe('Whether the source is fetched right away.'),
  })
  .meta({ id: 'SourceCreate' });

const counter = z.int().min(0);

export const sourcePatch = z
  .strictObject({
    name,
    url: url,
    type: sourceType,
    slug,
    metadata,
    orgId: field.orgId.nullable(),
    productId: field.productId.nullable(),
    kind: kind.nullable(),
    isPrimary: field.isPrimary,
    isHidden: field.isHidden,
    fetchPriority,
    discovery,
    notice: noticeText.nullable(),
    lastFetchedAt: bodyTimestamp.nullable().describe('When it was last read with success; null: never.'),
    lastPolledAt: bodyTimestamp.nullable().describe('When it was last checked for changes; null: never.'),
    lastContentHash: field.lastContentHash.min(8).max(128).nullable(),
    nextFetchAfter: bodyTimestamp
      .nullable()
      .describe('The source is not read before this time; null: whenever it is due.'),
    changeDetectedAt: bodyTimestamp.nullable().describe('When a poll last saw a change.'),
    consecutiveNoChange: counter.meta({ description: 'Fetches in a row that found nothing new.', example: 2 }),
    consecutiveErrors: counter.meta({ description: 'Failed fetches in a row.', example: 0 }),
  })
  .partial()
  .meta({ id: 'SourcePatch' });

export const metadataPatch = z.record(z.string(), z.unknown());
export const contentHashInput = z.object({
  contentHash: field.contentHash.min(8).max(128),
  peek: z.boolean().optional().describe('true compares without storing the hash.'),
});

export type SourceCreate = z.output<typeof sourceCreate>;
export type SourcePatch = z.output<typeof sourcePatch>;
