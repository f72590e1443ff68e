// Releases that operators post. Given values are stored, absent ones are computed.
import { z } from 'zod';
import { parseBodyTimestamp } from '../domain/timestamps.ts';
import { isHttpUrl } from '../domain/urls.ts';
import { breaking, releaseType } from './enums.ts';
import { composition, mediaItem } from './release.ts';

const MAX_CONTENT = 1_048_576;

export const bodyTimestamp = z
  .string()
  .transform((value, context) => {
    const iso = parseBodyTimestamp(value);
    if (iso) return iso;
    context.addIssue({ code: 'custom', message: 'must be a real date or a date-time with zone' });
    return z.NEVER;
  })
  .meta({ param: { type: 'string', format: 'date-time' } });

export const httpUrl = z.string().refine(isHttpUrl, 'must be an absolute http or https URL');

const mediaList = z.array(mediaItem.extend({ url: httpUrl })).max(50);

// Some callers send media as JSON text.
export const media = z.union([
  mediaList,
  z.string().transform((value, context) => {
    try {
      const parsed = mediaList.safeParse(JSON.parse(value));
      if (parsed.success) return parsed.data;
    } catch {
      // A parse error gets the same message as every other bad text, below.
    }
    context.addIssue({ code: 'custom', message: 'must be a list of media items or its JSON text' });
    return z.NEVER;
  }),
]);

const derivedFields = {
  summary: z.string().max(2000).optional(),
  titleGenerated: z.string().max(500).optional(),
  titleShort: z.string().max(200).optional(),
  breaking: breaking.optional(),
  migrationNotes: z.string().max(20_000).optional(),
  importance: z.int().min(1).max(5).optional(),
  composition: composition.optional(),
};

export const releaseInput = z
  .object({
    title: z.string().max(500).optional(),
    content: z.string().max(MAX_CONTENT).optional(),
    version: z.string().max(200).optional(),
    url: httpUrl.optional(),
    guid: z.string().max(500).optional(),
    id: z.string().max(500).optional(),
    publishedAt: bodyTimestamp.optional(),
    media: media.optional(),
    type: releaseType.optional(),
    prerelease: z.boolean().optional(),
    contentHash: z.string().optional(),
    ...derivedFields,
  })
  .refine((row) => row.title || row.version, { path: ['title'], message: 'a title or a version is required' })
  .meta({ id: 'ReleaseInput' });

export const batchInput = z
  .object({
    releases: z.array(releaseInput),
    mode: z
      .enum(['upsert', 'upsert-content', 'insert-only'])
      .default('upsert')
      .describe('What happens to releases that are stored already.'),
    announce: z.boolean().optional(),
    silent: z.boolean().optional(),
  })
  .meta({ id: 'BatchInput' });

export const BATCH_ROWS = 500;

export const SKIP_REASONS = [
  'filtered',
  'ignored_url',
  'blocked_url',
  'title_duplicate',
  'deleted',
  'repeated_in_batch',
] as const;

export const batchResult = z
  .object({
    inserted: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    total: z.int(),
    insertedIds: z.array(z.string()),
    updatedIds: z.array(z.string()),
    announced: z.int(),
    items: z.array(
      z.object({
        index: z.int(),
        id: z.string().nullable(),
        outcome: z.enum(['inserted', 'updated', 'unchanged', 'skipped']).describe('What was done with the item.'),
        reason: z.enum(SKIP_REASONS).optional().describe('Why the item was skipped.'),
      }),
    ),
  })
  .meta({ id: 'BatchResult' });

export type ReleaseInput = z.output<typeof releaseInput>;
export type BatchInput = z.output<typeof batchInput>;
export type BatchResult = z.infer<typeof batchResult>;
export type SkipReason = (typeof SKIP_REASONS)[number];
