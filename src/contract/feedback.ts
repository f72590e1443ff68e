// What visitors send in, and how operators triage it.
import { z } from 'zod';
import { normalizeDomain } from '../domain/hosts.ts';
import { isHttpUrl } from '../domain/urls.ts';
import { cursorPagination } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const FEEDBACK_TYPES = ['bug', 'idea', 'other', 'general'] as const;
export const RECOMMENDATION_TYPES = ['source', 'tracking'] as const;
export const TRIAGE_STATUSES = ['new', 'triaged', 'closed'] as const;

export const feedbackInput = z
  .object({
    message: z.string().min(5).max(4000),
    // Later clients may send kinds that this service does not know yet.
    type: z
      .string()
      .default('general')
      .transform((text) => FEEDBACK_TYPES.find((type) => type === text) ?? 'general'),
    contact: z.string().max(200).optional(),
    surface: z.string().max(64).optional(),
    clientVersion: z.string().max(64).optional(),
    cliVersion: z.string().max(64).optional().meta({ description: 'Another name of `clientVersion`, which wins.' }),
    os: z.string().max(64).optional(),
  })
  .meta({ id: 'FeedbackInput' });

const publicUrl = z
  .string()
  .transform((text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`))
  .refine((url) => isHttpUrl(url) && normalizeDomain(URL.parse(url)?.hostname ?? '') !== null, {
    message: 'must be an http or https address on a public domain',
  });

export const recommendationInput = z
  .object({
    url: publicUrl,
    type: z.enum(RECOMMENDATION_TYPES).default('source'),
    note: z.string().max(2000).optional(),
    contactEmail: z.string().max(200).optional(),
  })
  .meta({ id: 'RecommendationInput' });

export const accepted = z.object({ ok: z.literal(true), id: z.string() }).meta({ id: 'Accepted' });

const triage = {
  status: z.enum(TRIAGE_STATUSES).describe('State of triage.'),
  archived: z.boolean(),
  archivedAt: timestamp.nullable(),
  createdAt: timestamp,
};
const nextCursor = z.string().nullable().meta({ description: 'The same as in `pagination`.' });

export const feedbackRow = z
  .object({
    id: z.string(),
    type: z.enum(FEEDBACK_TYPES).describe('What the message is about.'),
    message: z.string(),
    contact: z.string().nullable(),
    surface: z.string().nullable(),
    clientVersion: z.string().nullable(),
    cliVersion: z.string().nullable().meta({ description: 'The same as `clientVersion`.' }),
    os: z.string().nullable(),
    ...triage,
  })
  .meta({ id: 'FeedbackRow' });

export const recommendationRow = z
  .object({
    id: z.string(),
    type: z.enum(RECOMMENDATION_TYPES).describe('A new source, or the wish that a known organization be tracked.'),
    url: z.string(),
    note: z.string().nullable(),
    contactEmail: z.string().nullable(),
    ...triage,
  })
  .meta({ id: 'RecommendationRow' });

export const feedbackList = z
  .object({ items: z.array(feedbackRow), nextCursor, pagination: cursorPagination })
  .meta({ id: 'FeedbackList' });
export const recommendationList = z
  .object({ items: z.array(recommendationRow), nextCursor, pagination: cursorPagination })
  .meta({ id: 'RecommendationList' });

export const triageChange = z
  .strictObject({ status: z.enum(TRIAGE_STATUSES).optional(), archived: z.boolean().optional() })
  .meta({ id: 'TriageChange' });
export const triageDeleted = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'TriageDeleted' });

export type FeedbackType = (typeof FEEDBACK_TYPES)[number];
export type RecommendationType = (typeof RECOMMENDATION_TYPES)[number];
export type TriageStatus = (typeof TRIAGE_STATUSES)[number];
export type FeedbackInput = z.output<typeof feedbackInput>;
export type RecommendationInput = z.output<typeof recommendationInput>;
export type FeedbackRowShape = z.infer<typeof feedbackRow>;
export type RecommendationRowShape = z.infer<typeof recommendationRow>;
export type FeedbackList = z.infer<typeof feedbackList>;
export type RecommendationList = z.infer<typeof recommendationList>;
export type TriageChange = z.output<typeof triageChange>;
