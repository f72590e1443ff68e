// One release from its author's own pipeline.
import { z } from 'zod';
import { breaking } from './enums.ts';
import { field } from './fields.ts';
import { releaseRow } from './release.ts';
import { bodyTimestamp, releaseUrl, SKIP_REASONS } from './release-input.ts';

// As much as a local changelog may have.
const MAX_CHANGELOG = 2 * 1024 * 1024;
const MAX_CONTENT = 1_048_576;

export const publishInput = z
  .object({
    source: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'The source (id or org/source), or `ecosystem` and `package`.', example: 'acme/cli' }),
    ecosystem: field.ecosystem.optional(),
    package: field.packageName.min(1).max(214).optional(),
    version: field.version.min(1).max(200).optional(),
    title: field.title.max(500).optional(),
    content: field.content.max(MAX_CONTENT).optional(),
    changelog: z
      .string()
      .max(MAX_CHANGELOG)
      .optional()
      .meta({ description: 'Text of a changelog file: the section of the version is taken.', example: '## 2.0.0' }),
    publishedAt: bodyTimestamp
      .optional()
      .describe('When it was published; by default the date of the section, or now.'),
    url: releaseUrl.optional(),
    breaking: breaking.optional(),
    prerelease: field.prerelease.optional(),
    body: field.content.max(MAX_CONTENT).optional().describe('What GitHub calls `content`.'),
    tag_name: field.version.min(1).max(200).optional().describe('What GitHub calls `version`.'),
    name: field.title.max(500).optional().describe('What GitHub calls `title`.'),
    dryRun: field.dryRun.optional(),
  })
  .meta({ id: 'PublishInput' });

export const publishResult = z
  .object({
    outcome: z.enum(['inserted', 'updated', 'unchanged', 'skipped']).describe('What was done, or would be.'),
    reason: z.enum(SKIP_REASONS).optional().describe('Why it was skipped.'),
    dryRun: z.literal(true).optional().describe('Nothing was written, and the id below is not kept.'),
    release: releaseRow.nullable().describe('The release as it is stored; null when it was skipped.'),
  })
  .meta({ id: 'PublishResult' });

export type PublishInput = z.output<typeof publishInput>;
export type PublishResult = z.infer<typeof publishResult>;
