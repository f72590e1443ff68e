import { z } from 'zod';
import { breaking, releaseType } from './enums.ts';
import { composition } from './release.ts';
import { bodyTimestamp, httpUrl, media } from './release-input.ts';

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
    title: z.string().min(1).max(500),
    content: z.string().max(1_048_576),
    version: z.string().min(1).max(200).nullable(),
    url: httpUrl.nullable(),
    publishedAt: bodyTimestamp.nullable(),
    summary: z.string().max(2000).nullable().meta({ description: 'Null brings the computed one back.' }),
    titleGenerated: z.string().min(1).max(500).nullable(),
    titleShort: z.string().min(1).max(200).nullable(),
    breaking,
    migrationNotes: z.string().min(1).max(20_000).nullable(),
    importance: z.int().min(1).max(5).nullable(),
    composition: composition.nullable(),
    media,
    type: releaseType,
    prerelease: z.boolean(),
    pinned: z.array(z.enum(PINNABLE)),
    contentHash: z.unknown().meta({ description: 'Ignored: it follows from the content.' }),
  })
  .partial()
  .meta({ id: 'ReleasePatch' });

export type PinnableField = (typeof PINNABLE)[number];
export type ReleasePatch = z.output<typeof releasePatch>;
