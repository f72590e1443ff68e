import { z } from 'zod';
import { count } from './pagination.ts';

const embeddedCount = z
  .object({
    total: count.meta({ description: 'What is shown and can have a vector.' }),
    embedded: count.meta({ description: 'Has a vector of the space in use.' }),
    unembedded: count.meta({ description: '`total` without `embedded`.' }),
    pending: count.meta({ description: 'Waits for its turn.' }),
    failed: count.meta({ description: 'Has a text that the embedder did not accept.' }),
  })
  .meta({ id: 'EmbeddedCount' });

export const embedStatus = z
  .object({
    configured: z.boolean().meta({ description: 'False when search by meaning is switched off.' }),
    model: z.string().nullable().meta({ description: 'Name of the embedder.', example: 'small-1' }),
    dimensions: z.int().min(1).nullable().meta({ description: 'Values of a vector; null while not known.' }),
    index: z
      .object({
        place: z.enum(['process', 'database']).meta({
          description: 'Where neighbours are looked up: in an index of each process, or in one of the database.',
        }),
        extension: z.string().nullable().meta({
          description: 'Version of the extension `vector` in the database; null when there is none.',
          example: '0.8.1',
        }),
        filling: z.boolean().meta({
          description: 'True while the index in the database is filled; processes have their own until it is done.',
        }),
      })
      .describe('The index that search by meaning uses.'),
    releases: embeddedCount.describe('Of releases.'),
    chunks: embeddedCount.describe('Of parts of changelog files.'),
    entities: embeddedCount
      .extend({
        breakdown: z
          .object({
            org: embeddedCount.describe('Of organizations.'),
            product: embeddedCount.describe('Of products.'),
            source: embeddedCount.describe('Of sources.'),
            collection: embeddedCount.meta({ description: 'Collections have no vectors: always 0.' }),
          })
          .describe('The same figures by kind of entity.'),
      })
      .describe('Organizations, products and sources.'),
  })
  .meta({ id: 'EmbedStatus' });

export type EmbeddedCount = z.output<typeof embeddedCount>;
export type EmbedStatus = z.output<typeof embedStatus>;
