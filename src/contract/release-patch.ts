import { z } from 'zod';
import { breaking, releaseType } from './enums.ts';
import { field } from './fields.ts';
import { composition } from './release.ts';
import { bodyTimestamp, media, releaseUrl } from './release-input.ts';

// Every field set here is pinned: ingest no longer overwrites it.
export const PINNABLE = [
  'title',
  'content',
  'version',
  'url',
  'publishedAt',
  'summary',
  'titleGenerated',
  'titleShort',
  'breaking',
  'migrationNotes',
  'importance',
  'composition',
  'media',
  'type',
  'prerelease',
] as const;

export const releasePatch = z
  .strictObject({
    title: field.title.min(1).max(500),
    content: field.content.max(1_048_576),
    version: field.version.min(1).max(200).nullable(),
    url: releaseUrl.nullable(),
    publishedAt: bodyTimestamp.nullable().describe('When it was published; null where the source does not say.'),
    summary: z.string().max(2000).nullable().meta({
      description: 'Null brings the computed one back.',
      example: 'Builds take half the time. The `--legacy` flag was removed; use `--compat` instead.',
    }),
    titleGenerated: field.titleGenerated.min(1).max(500).nullable(),
    titleShort: field.titleShort.min(1).max(200).nullable(),
    breaking,
    migrationNotes: field.migrationNotes.min(1).max(20_000).nullable(),
    importance: field.importance.min(1).max(5).nullable(),
    composition: composition.nullable(),
    media,
    type: releaseType.describe('Whether the entry is a release of its own or a roundup of several.'),
    prerelease: field.prerelease,
    pinned: z.array(z.enum(PINNABLE)).describe('Fields that an operator set and fetches leave alone.'),
    contentHash: z.unknown().meta({ description: 'Ignored: it follows from the content.' }),
  })
  .partial()
  .meta({ id: 'ReleasePatch' });

export type PinnableField = (typeof PINNABLE)[number];
export type ReleasePatch = z.output<typeof releasePatch>;
