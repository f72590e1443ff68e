// What is being read because somebody asked for it.
import { z } from 'zod';
import { ECOSYSTEMS } from '../domain/ecosystems/index.ts';
import { PART_STATES, READING_PARTS, READING_STATES } from '../domain/readings/reading.ts';
import { field } from './fields.ts';
import { timestamp } from './scalars.ts';

const count = z.int().min(0);

const readingPart = z
  .object({
    part: z.enum(READING_PARTS).meta({
      description:
        'The listing of the package registry, the comparison of the two versions asked for, notes inside the package, notes of its repository, comparisons of the steps between.',
    }),
    state: z.enum(PART_STATES).meta({
      description: '`nothing`: there is none, such as no repository. `off`: it is not read here.',
    }),
    text: z.string().meta({ description: 'The same in words.', example: 'Reading the versions from npm' }),
    done: count.optional().meta({ description: 'How many comparisons are done.' }),
    of: count.optional().meta({ description: 'Of how many.' }),
  })
  .meta({ id: 'ReadingPart' });

const readingKeys = {
  id: z.string().nullable().meta({
    description: 'For `GET /v1/readings/{id}`; null when the reading was refused.',
    example: 'rdg_9vY1mJm3TgqkJ2xW7nQbXA',
  }),
  state: z.enum(READING_STATES).meta({
    description: '`refused`: a limit is reached; `retryAt` says until when.',
  }),
  parts: z.array(readingPart).meta({ description: 'In the order in which they are read.' }),
  startedAt: timestamp.nullable().meta({ description: 'When it began; null while it waits.' }),
  waitAhead: count.meta({ description: 'How many readings come before it.' }),
  retryAt: timestamp.optional().meta({ description: 'When the caller may order again.' }),
  reason: z.string().optional().meta({ description: 'Why it failed or was refused.' }),
};

export const readingState = z.object(readingKeys).meta({ id: 'Reading' });

export const readingAnswer = z
  .object({
    ...readingKeys,
    ecosystem: z.enum(ECOSYSTEMS).meta({ description: 'Package ecosystem.', example: 'npm' }),
    package: field.package,
    from: z.string().nullable().meta({ description: 'The version in use, as asked for.', example: '1.0.0' }),
    to: z.string().nullable().meta({ description: 'The version to go to, as asked for.', example: 'latest' }),
    endedAt: timestamp.nullable().meta({ description: 'When it ended; null while it goes on.' }),
  })
  .meta({ id: 'ReadingAnswer' });

export type ReadingPart = z.infer<typeof readingPart>;
export type ReadingState = z.infer<typeof readingState>;
export type ReadingAnswer = z.infer<typeof readingAnswer>;
