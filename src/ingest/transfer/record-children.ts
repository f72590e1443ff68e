// The lists inside records, which are separate tables, and the type of a record's data.
import { z } from 'zod';
import { REVISION_CAUSES } from '../../contract/enums.ts';
import { count } from '../../contract/pagination.ts';
import { httpUrl } from '../../contract/release-input.ts';
import { timestamp } from '../../contract/scalars.ts';
import { longText, plainText, typedId } from './columns.ts';
import type { publishedVersions } from './listing-records.ts';
import { domain, slugText } from './record-texts.ts';

const platform = plainText(40, 1).refine((text) => text === text.toLowerCase(), 'must be in lower case');

export const tags = z.array(slugText).max(50);
export const aliases = z.array(z.object({ domain, createdAt: timestamp })).max(50);
export const accounts = z.array(z.object({ platform, handle: plainText(200, 1), createdAt: timestamp })).max(50);
export const members = z.array(
  z.object({
    orgId: typedId('org').nullable(),
    productId: typedId('prod').nullable(),
    position: count,
    createdAt: timestamp,
  }),
);
export const citations = z.array(
  z.object({
    position: count,
    sourceUrl: httpUrl,
    title: plainText(500).nullable(),
    releaseId: typedId('rel').nullable(),
    startIndex: count,
    endIndex: count,
    citedText: longText(10_000),
  }),
);
// Revisions are exported without their old texts, which only writers may read.
export const revisions = z.array(
  z.object({
    id: typedId('rev'),
    replacedAt: timestamp,
    cause: z.enum(REVISION_CAUSES),
    changed: z.array(plainText(60)).max(50),
    title: plainText(500),
    version: plainText(200).nullable(),
    publishedAt: timestamp.nullable(),
    prerelease: z.boolean(),
    contentHash: plainText(200),
    previousUpdatedAt: timestamp,
  }),
);

// The data of one line. Lists are typed, because records are validated when a file is read.
export interface RecordData {
  [field: string]: unknown;
  tags?: z.output<typeof tags>;
  // The aliases of an org or a product are objects; those of a category are texts.
  aliases?: z.output<typeof aliases>;
  accounts?: z.output<typeof accounts>;
  members?: z.output<typeof members>;
  citations?: z.output<typeof citations>;
  revisions?: z.output<typeof revisions>;
  formerCoordinates?: string[];
  versions?: z.output<typeof publishedVersions>;
}
