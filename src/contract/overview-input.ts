import { z } from 'zod';
import { discovery, sourceType } from './enums.ts';
import { field, orgNamed, sourceNamed } from './fields.ts';
import { count, pageOf } from './pagination.ts';
import { releaseItem } from './release.ts';
import { bodyTimestamp, httpUrl } from './release-input.ts';
import { timestamp } from './scalars.ts';

const citationInput = z.object({
  sourceUrl: httpUrl.meta({
    description: 'Address that backs the passage.',
    example: 'https://github.com/acme/cli/releases/tag/v2.0.0',
  }),
  title: field.title.max(500).optional(),
  releaseId: field.releaseId.optional(),
  startIndex: field.startIndex.optional(),
  endIndex: field.endIndex.optional(),
  citedText: field.citedText.max(10_000).optional(),
});

export const overviewInput = z
  .object({
    content: field.content.min(1).max(100_000),
    releaseCount: field.releaseCount,
    lastContributingReleaseAt: bodyTimestamp
      .optional()
      .describe('When the newest release that the text speaks of was published.'),
    citations: z
      .array(citationInput)
      .max(200)
      .default([])
      .describe('Passages of the text with the releases that back them.'),
  })
  .meta({ id: 'OverviewInput' });

export const playbookNotes = z
  .strictObject({ notes: field.notes.max(50_000).nullable() })
  .meta({ id: 'PlaybookNotes' });
export const notesWritten = z
  .object({ ok: field.ok, notes: field.notes.nullable() })
  .meta({ id: 'PlaybookNotesWritten' });

const overviewInputsCheck = z.object({
  orgSlug: field.orgSlug,
  selected: count.describe('Number of releases that were chosen.'),
  totalAvailable: field.totalAvailable,
  hasExistingContent: z.boolean().describe('Whether an overview exists.'),
  wouldRegenerate: z.boolean().describe('Whether an overview is due.'),
  windowDays: field.windowDays.min(1),
});

const overviewInputsFull = z.object({
  org: z
    .object({
      ...orgNamed,
      description: field.description.nullable(),
      discovery,
    })
    .describe('The organization.'),
  sources: z.array(z.object({ ...sourceNamed, type: sourceType })).describe('Sources, by name.'),
  existingContent: z.string().nullable().describe('Text of the overview of today; null where there is none.'),
  selected: z.array(releaseItem).describe('Releases that were chosen.'),
  totalAvailable: field.totalAvailable,
  windowDays: field.windowDays.min(1),
});

export const overviewInputs = z.union([overviewInputsFull, overviewInputsCheck]).meta({ id: 'OverviewInputs' });

const STALENESS = ['missing', 'behind', 'fresh'] as const;
const PLANNED_ACTIONS = ['missing', 'refresh', 'skip', 'opted_out'] as const;

const overviewStatus = z
  .object({
    orgSlug: field.orgSlug,
    orgName: field.orgName,
    orgCreatedAt: timestamp.describe('When the organization was created.'),
    discovery,
    autoGenerateContent: field.autoGenerateContent,
    overviewUpdatedAt: timestamp.nullable().describe('When the overview last changed; null: there is none.'),
    overviewGeneratedAt: timestamp.nullable().describe('When the overview was written; null: there is none.'),
    lastContributingReleaseAt: field.lastContributingReleaseAt.nullable(),
    orgLastActivity: timestamp
      .nullable()
      .describe('When the newest release of the organization was published; null: there is none.'),
    releasesSinceOverview: count.describe('Releases since the overview was written.'),
    recentReleaseCount: field.recentCount,
    staleness: z.enum(STALENESS).describe('Whether the overview is missing, behind its releases or fresh.'),
    action: z.enum(PLANNED_ACTIONS).optional().describe('Only with `format=plan`.'),
    needsFetch: z.boolean().optional().meta({
      description: 'Only with `format=plan`: a visible source was never read, or not within its polling interval.',
    }),
  })
  .meta({ id: 'OverviewStatus' });

export const overviewStatuses = pageOf(overviewStatus).meta({ id: 'OverviewStatuses' });

export type CitationInput = z.output<typeof citationInput>;
export type OverviewInput = z.output<typeof overviewInput>;
export type OverviewInputsCheck = z.infer<typeof overviewInputsCheck>;
export type OverviewInputsFull = z.infer<typeof overviewInputsFull>;
export type OverviewStatus = z.infer<typeof overviewStatus>;
export type OverviewStatuses = z.infer<typeof overviewStatuses>;
