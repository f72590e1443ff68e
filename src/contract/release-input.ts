// Releases that operators post. Given values are stored, absent ones are computed.
import { z } from 'zod';
import { parseBodyTimestamp } from '../domain/timestamps.ts';
import { isHttpUrl } from '../domain/urls.ts';
import { breaking, releaseType } from './enums.ts';
import { field } from './fields.ts';
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

export const httpUrl = field.url.refine(isHttpUrl, 'must be an absolute http or https URL');
export const releaseUrl = httpUrl.meta({ example: 'https://github.com/acme/cli/releases/tag/v2.0.0' });

const mediaList = z.array(mediaItem.extend({ url: httpUrl })).max(50);

// Some callers send media as JSON text.
export const media = z
  .union([
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
  ])
  .meta({ description: 'Images and videos of the release.', example: [] });

const derivedFields = {
  summary: field.summary.max(2000).optional(),
  titleGenerated: field.titleGenerated.max(500).optional(),
  titleShort: field.titleShort.max(200).optional(),
  breaking: breaking.optional(),
  migrationNotes: field.migrationNotes.max(20_000).optional(),
  importance: field.importance.min(1).max(5).optional(),
  composition: composition.optional(),
};

export const releaseInput = z
  .object({
    title: field.title.max(500).optional(),
    content: field.content.max(MAX_CONTENT).optional(),
    version: field.version.max(200).optional(),
    url: releaseUrl.optional(),
    guid: field.guid.max(500).optional(),
    id: field.id.max(500).optional(),
    publishedAt: bodyTimestamp.optional().describe('When it was published; null where the source does not say.'),
    media: media.optional(),
    type: releaseType.optional().describe('Whether the entry is a release of its own or a roundup of several.'),
    prerelease: field.prerelease.optional(),
    contentHash: field.contentHash.optional(),
    ...derivedFields,
  })
  .refine((row) => row.title || row.version, { path: ['title'], message: 'a title or a version is required' })
  .meta({ id: 'ReleaseInput' });

export const batchInput = z
  .object({
    releases: z.array(releaseInput).describe('The releases to write.'),
    mode: z
      .enum(['upsert', 'upsert-content', 'insert-only'])
      .default('upsert')
      .describe('What happens to releases that are stored already.'),
    announce: field.announce.optional(),
    silent: field.silent.optional(),
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
    inserted: z.int().describe('Number of new rows.'),
    updated: field.updated,
    unchanged: z.int().describe('Number of rows that did not change.'),
    skipped: z.int().describe('Number of items that were skipped.'),
    total: z.int().describe('Number of items in the request.'),
    insertedIds: field.insertedIds,
    updatedIds: z.array(z.string()).describe('Ids of releases that changed.'),
    announced: z.int().describe('Releases for which events were sent.'),
    items: z
      .array(
        z.object({
          index: field.index,
          id: field.id.nullable(),
          outcome: z.enum(['inserted', 'updated', 'unchanged', 'skipped']).describe('What was done with the item.'),
          reason: z.enum(SKIP_REASONS).optional().describe('Why the item was skipped.'),
        }),
      )
      .describe('What was done with each item, in the order of the request.'),
  })
  .meta({ id: 'BatchResult' });

export type ReleaseInput = z.output<typeof releaseInput>;
export type BatchInput = z.output<typeof batchInput>;
export type BatchResult = z.infer<typeof batchResult>;
export type SkipReason = (typeof SKIP_REASONS)[number];
