import { z } from 'zod';
import { discovery, sourceType } from './enums.ts';
import { count, pageOf } from './pagination.ts';
import { releaseItem } from './release.ts';
import { bodyTimestamp, httpUrl } from './release-input.ts';
import { timestamp } from './scalars.ts';

const citationInput = z.object({
  sourceUrl: httpUrl,
  title: z.string().max(500).optional(),
  releaseId: z.string().optional(),
  startIndex: count.optional(),
  endIndex: count.optional(),
  citedText: z.string().max(10_000).optional(),
});

export const overviewInput = z
  .object({
    content: z.string().min(1).max(100_000),
    releaseCount: count,
    lastContributingReleaseAt: bodyTimestamp.optional(),
    citations: z.array(citationInput).max(200).default([]),
  })
  .meta({ id: 'OverviewInput' });

export const playbookNotes = z.strictObject({ notes: z.string().max(50_000).nullable() }).meta({ id: 'PlaybookNotes' });
export const notesWritten = z
  .object({ ok: z.literal(true), notes: z.string().nullable() })
  .meta({ id: 'PlaybookNotesWritten' });

const overviewInputsCheck = z.object({
  orgSlug: z.string(),
  selected: count,
  totalAvailable: count,
  hasExistingContent: z.boolean(),
  wouldRegenerate: z.boolean(),
  windowDays: z.int().min(1),
});

const overviewInputsFull = z.object({
  org: z.object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    discovery,
  }),
  sources: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string(), type: sourceType })),
  existingContent: z.string().nullable(),
  selected: z.array(releaseItem),
  totalAvailable: count,
  windowDays: z.int().min(1),
});

export const overviewInputs = z.union([overviewInputsFull, overviewInputsCheck]).meta({ id: 'OverviewInputs' });

const STALENESS = ['missing', 'behind', 'fresh'] as const;
const PLANNED_ACTIONS = ['missing', 'refresh', 'skip', 'opted_out'] as const;

const overviewStatus = z
  .object({
    orgSlug: z.string(),
    orgName: z.string(),
    orgCreatedAt: timestamp,
    discovery,
    autoGenerateContent: z.boolean(),
    overviewUpdatedAt: timestamp.nullable(),
    overviewGeneratedAt: timestamp.nullable(),
    lastContributingReleaseAt: timestamp.nullable(),
    orgLastActivity: timestamp.nullable(),
    releasesSinceOverview: count,
    recentReleaseCount: count,
    staleness: z.enum(STALENESS),
    action: z.enum(PLANNED_ACTIONS).optional().meta({ description: 'Only with `format=plan`.' }),
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
