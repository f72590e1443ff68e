// The lists inside records, which are separate tables, and the type of a record's data.
import { z } from 'zod';
import { REVISION_CAUSES } from '../../contract/enums.ts';

export const tags = z.array(z.string());
export const aliases = z.array(z.object({ domain: z.string(), createdAt: z.string() }));
export const accounts = z.array(z.object({ platform: z.string(), handle: z.string(), createdAt: z.string() }));
export const members = z.array(
  z.object({
    orgId: z.string().nullable(),
    productId: z.string().nullable(),
    position: z.int(),
    createdAt: z.string(),
  }),
);
export const citations = z.array(
  z.object({
    position: z.int(),
    sourceUrl: z.string(),
    title: z.string().nullable(),
    releaseId: z.string().nullable(),
    startIndex: z.int(),
    endIndex: z.int(),
    citedText: z.string(),
  }),
);
// Revisions are exported without their old texts, which only writers may read.
export const revisions = z.array(
  z.object({
    id: z.string(),
    replacedAt: z.string(),
    cause: z.enum(REVISION_CAUSES),
    changed: z.array(z.string()),
    title: z.string(),
    version: z.string().nullable(),
    publishedAt: z.string().nullable(),
    prerelease: z.boolean(),
    contentHash: z.string(),
    previousUpdatedAt: z.string(),
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
}
