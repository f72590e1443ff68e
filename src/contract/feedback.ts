// What visitors send in, and how operators triage it.
import { z } from 'zod';
import { normalizeDomain } from '../domain/slugs.ts';
import { isHttpUrl } from '../domain/urls.ts';
import { field, idOf } from './fields.ts';
import { cursorPagination, rowsOf } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const FEEDBACK_TYPES = ['bug', 'idea', 'other', 'general'] as const;
export const RECOMMENDATION_TYPES = ['source', 'tracking'] as const;
export const TRIAGE_STATUSES = ['new', 'triaged', 'closed'] as const;

export const feedbackInput = z
  .object({
    message: field.message.min(5).max(4000),
    // Later clients may send kinds that this service does not know yet.
    type: field.type.default('general').transform((text) => FEEDBACK_TYPES.find((type) => type === text) ?? 'general'),
    contact: field.contact.max(200).optional(),
    surface: field.surface.max(64).optional(),
    clientVersion: field.clientVersion.max(64).optional(),
    cliVersion: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Another name of `clientVersion`, which wins.', example: '1.4.0' }),
    os: field.os.max(64).optional(),
  })
  .meta({ id: 'FeedbackInput' });

const publicUrl = field.url
  .transform((text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`))
  .refine((url) => isHttpUrl(url) && normalizeDomain(URL.parse(url)?.hostname ?? '') !== null, {
    message: 'must be an http or https address on a public domain',
  });

export const recommendationInput = z
  .object({
    url: publicUrl,
    type: z.enum(RECOMMENDATION_TYPES).default('source').describe('What is recommended.'),
    note: field.note.max(2000).optional(),
    contactEmail: field.contactEmail.max(200).optional(),
  })
  .meta({ id: 'RecommendationInput' });

export const accepted = z.object({ ok: field.ok, id: idOf('fb') }).meta({ id: 'Accepted' });

const triage = {
  status: z.enum(TRIAGE_STATUSES).describe('State of triage.'),
  archived: field.archived,
  archivedAt: timestamp.nullable().meta({ description: 'When it was archived; null: it is not.', example: null }),
  createdAt: field.createdAt,
};
const nextCursor = z.string().nullable().meta({ description: 'The same as in `pagination`.', example: null });

export const feedbackRow = z
  .object({
    id: idOf('fb'),
    type: z.enum(FEEDBACK_TYPES).describe('What the message is about.'),
    message: field.message,
    contact: field.contact.nullable(),
    surface: field.surface.nullable(),
    clientVersion: field.clientVersion.nullable(),
    cliVersion: z.string().nullable().meta({ description: 'The same as `clientVersion`.', example: '1.4.0' }),
    os: field.os.nullable(),
    ...triage,
  })
  .meta({ id: 'FeedbackRow' });

export const recommendationRow = z
  .object({
    id: idOf('rec'),
    type: z.enum(RECOMMENDATION_TYPES).describe('A new source, or the wish that a known organization be tracked.'),
    url: field.url,
    note: field.note.nullable(),
    contactEmail: field.contactEmail.nullable(),
    ...triage,
  })
  .meta({ id: 'RecommendationRow' });

export const feedbackList = z
  .object({ items: rowsOf(feedbackRow), nextCursor, pagination: cursorPagination })
  .meta({ id: 'FeedbackList' });
export const recommendationList = z
  .object({
    items: rowsOf(recommendationRow),
    nextCursor,
    pagination: cursorPagination,
  })
  .meta({ id: 'RecommendationList' });

export const triageChange = z
  .strictObject({
    status: z.enum(TRIAGE_STATUSES).optional().meta({ description: 'State of triage.', example: 'triaged' }),
    archived: field.archived.optional(),
  })
  .meta({ id: 'TriageChange' });
export const triageDeleted = z.object({ deleted: field.deleted, id: idOf('fb') }).meta({ id: 'TriageDeleted' });

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
