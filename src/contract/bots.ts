// What update bots are answered, in the words that they read.
import { z } from 'zod';
import { field } from './fields.ts';

const CONFIDENCES = ['low', 'neutral', 'high'] as const;

export const mergeConfidence = z
  .object({
    confidence: z
      .enum(CONFIDENCES)
      .describe('low: it breaks. high: no sign of a break, and published for three days. Everything else is neutral.'),
  })
  .meta({ id: 'MergeConfidence' });

export const botAvailability = z
  .object({ available: z.literal(true).describe('Always true: questions are answered.') })
  .meta({ id: 'BotAvailability' });

export const botReleases = z
  .object({
    releases: z
      .array(
        z.object({
          version: field.version,
          releaseTimestamp: z.string().optional().describe('When it was published; absent where that is not known.'),
          isDeprecated: z.boolean().describe('Whether its publisher advises against it.'),
          isStable: z.boolean().describe('Whether it is no prerelease.'),
        }),
      )
      .describe('Published versions.'),
    tags: z
      .object({ latest: z.string().describe('The version that an installation gets.') })
      .optional()
      .describe('Versions by their tag.'),
    sourceUrl: z
      .string()
      .optional()
      .meta({ description: 'Address of the repository.', example: 'https://github.com/acme/cli/releases/tag/v2.0.0' }),
    changelogUrl: z.string().optional().meta({
      description: 'Page of the package on this registry.',
      example: 'https://github.com/acme/cli/blob/main/CHANGELOG.md',
    }),
    homepage: z.string().optional().describe('Website of the package.'),
  })
  .meta({ id: 'BotReleases' });

export type Confidence = (typeof CONFIDENCES)[number];
export type BotReleases = z.output<typeof botReleases>;
