// Webhook subscriptions, their log, and what is done with them.
import { z } from 'zod';
import { WEBHOOK_FORMATS } from '../domain/webhooks/format.ts';
import { DELIVERY_HEALTH } from '../domain/webhooks/health.ts';
import { DESCRIPTION_MAX_BYTES, URL_MAX_BYTES } from '../domain/webhooks/target.ts';
import { releaseType } from './enums.ts';
import { field, idOf } from './fields.ts';
import { meaningFields } from './meaning.ts';
import { count, cursorPagination, pagePagination } from './pagination.ts';
import { sampleId, timestamp } from './scalars.ts';

const WEBHOOK_SCOPES = ['org', 'follows', 'stack'] as const;
const DELIVERY_OUTCOMES = ['success', 'retry', 'perm_fail', 'dlq', 'auto_disabled', 'skipped'] as const;
export const FAILED_OUTCOMES = ['retry', 'perm_fail', 'dlq', 'auto_disabled'] as const;

const bytesUpTo = (max: number) => (text: string) => Buffer.byteLength(text) <= max;
const limited = (name: z.ZodString) => name.min(1).max(200);
const scope = z
  .enum(WEBHOOK_SCOPES)
  .describe('Releases of one organization, of all that the account follows, or above the versions of a stack.');
const hookUrl = field.url.meta({ example: 'https://hooks.acme.example/releases' });
const url = hookUrl.min(1).refine(bytesUpTo(URL_MAX_BYTES), `must have at most ${URL_MAX_BYTES} bytes`);
const description = field.description.refine(
  bytesUpTo(DESCRIPTION_MAX_BYTES),
  `must have at most ${DESCRIPTION_MAX_BYTES} bytes`,
);
// Which values there are is judged after the rules on scope, so it is only text here.
const format = z
  .string()
  .max(40)
  .meta({ description: `${WEBHOOK_FORMATS.join(', ')}; absent or empty: json` });

const sentType = releaseType.describe('Only releases of this type are sent; null: all.');
const filterNames = {
  sourceSlug: limited(field.sourceSlug).optional(),
  sourceId: limited(field.sourceId).optional(),
  productSlug: limited(field.productSlug).optional(),
  productId: limited(field.productId).optional(),
};

export const webhookCreation = z
  .object({
    url,
    scope: scope.optional(),
    orgSlug: limited(field.orgSlug).optional(),
    orgId: limited(field.orgId).optional(),
    stackName: limited(z.string()).optional().describe('Name of the stack, for the scope `stack`.'),
    ...filterNames,
    releaseType: sentType.optional(),
    excludePrereleases: field.excludePrereleases.optional(),
    ...meaningFields,
    format: format.optional(),
    description: description.optional(),
    enabled: field.enabled.optional(),
  })
  .meta({ id: 'WebhookCreation' });

export const webhookChange = z
  .strictObject({
    url: url.optional(),
    description: description.nullable().optional(),
    enabled: field.enabled.optional(),
    disabledReason: field.disabledReason.max(500).nullable().optional(),
    format: format.nullable().optional(),
    releaseType: sentType.nullable().optional(),
    excludePrereleases: field.excludePrereleases.optional(),
    ...meaningFields,
    sourceSlug: limited(field.sourceSlug).nullable().optional(),
    sourceId: limited(field.sourceId).nullable().optional(),
    productSlug: limited(field.productSlug).nullable().optional(),
    productId: limited(field.productId).nullable().optional(),
  })
  .meta({ id: 'WebhookChange' });

export const webhookSubscription = z
  .object({
    id: idOf('whk'),
    userId: field.userId.nullable(),
    scope,
    orgId: field.orgId.nullable(),
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    sourceId: field.sourceId.nullable(),
    sourceSlug: field.sourceSlug.nullable(),
    sourceName: field.sourceName.nullable(),
    productId: field.productId.nullable(),
    productSlug: field.productSlug.nullable(),
    productName: field.productName.nullable(),
    stackName: z.string().nullable().describe('Name of the stack; null for other scopes.'),
    releaseType: sentType.nullable(),
    excludePrereleases: field.excludePrereleases,
    minBreaking: meaningFields.minBreaking.unwrap(),
    minImportance: meaningFields.minImportance.unwrap(),
    security: z
      .boolean()
      .meta({ description: 'Whether releases that repair a security problem pass.', example: false }),
    // For an operator, the host alone of what belongs to an account.
    url: hookUrl,
    description: field.description.nullable(),
    format: z.enum(WEBHOOK_FORMATS).describe('Form of the message that is sent.'),
    enabled: field.enabled,
    disabledReason: field.disabledReason.nullable(),
    secretVersion: field.secretVersion,
    previousKeyExpiresAt: field.previousKeyExpiresAt.nullable(),
    createdAt: field.createdAt,
    updatedAt: field.updatedAt,
    lastSuccessAt: field.lastSuccessAt.nullable(),
    lastErrorAt: timestamp.nullable().meta({ description: 'When a delivery last failed; null: never.', example: null }),
    lastErrorMsg: field.lastError.nullable(),
    consecutiveFailures: count.meta({ description: 'Failed delivery attempts in a row.', example: 0 }),
    consecutiveLostEvents: count.meta({ description: 'Events in a row that were given up.', example: 0 }),
    failureStreakStartedAt: timestamp
      .nullable()
      .meta({ description: 'When the current run of failures began; null: there is none.', example: null }),
    deliveryHealth: z.enum(DELIVERY_HEALTH).describe('How deliveries have been going.'),
    deliveryHealthSummary: z
      .string()
      .meta({ description: 'The same in one sentence.', example: 'All recent deliveries succeeded.' }),
  })
  .meta({ id: 'WebhookSubscription' });

// Shown once: the answer to a repeated call with the same idempotency key lacks both.
const shownKeys = {
  signingKey: z.string().optional().meta({
    description: 'Signing key in hex, shown once.',
    example: '5d41402abc4b2a76b9719d911017c592ae0f3e7c6a8d9b42b1c5e0d2a4f64f6f',
  }),
  standardSecret: z.string().optional().meta({
    description: 'The same key in the form of Standard Webhooks (`whsec_…`), shown once.',
    example: 'whsec_XUFAKrxLKna5cZ2REBfFkq4PPnxqjZtCscXg0qT2T28=',
  }),
};

export const savedWebhook = webhookSubscription
  .extend({
    ...shownKeys,
    warnings: z
      .array(z.enum(['url_unresolved']))
      .optional()
      .describe('What the caller should look at.'),
  })
  .meta({ id: 'SavedWebhook' });

export const webhookList = z
  .object({ subscriptions: z.array(webhookSubscription).describe('Webhooks, newest first.') })
  .meta({ id: 'WebhookList' });

export const webhookPage = z
  .object({
    subscriptions: z.array(webhookSubscription).describe('Webhooks, newest first.'),
    pagination: pagePagination,
  })
  .meta({ id: 'WebhookPage' });

export const rotation = z
  .object({ revokeOld: z.boolean().optional().describe('true ends the previous key at once instead of after a day.') })
  .meta({ id: 'WebhookRotation' });

export const rotatedKey = z
  .object({
    secretVersion: field.secretVersion,
    ...shownKeys,
    previousKeyExpiresAt: field.previousKeyExpiresAt.nullable(),
  })
  .meta({ id: 'RotatedWebhookKey' });

export const testQueued = z
  .object({
    enqueued: z.literal(true).describe('Always true: the delivery is queued.'),
    eventId: field.eventId,
    deliveryId: field.deliveryId,
  })
  .meta({ id: 'WebhookTestQueued' });

const deliveryRow = z
  .object({
    id: idOf('att'),
    delivery_id: z
      .string()
      .meta({ description: 'Id of the delivery; the same over all its attempts.', example: sampleId('dlv') }),
    timestamp: timestamp.describe('When the attempt was made.'),
    event_id: field.eventId,
    outcome: z.enum(DELIVERY_OUTCOMES).describe('How the attempt ended.'),
    http_status: count.meta({ description: 'HTTP status of the response; 0 where none came.', example: 200 }),
    latency_ms: count.meta({ description: 'Time until the response, in milliseconds.', example: 84 }),
    attempt: z.int().min(1).describe('Number of the attempt, from 1.'),
    error_code: z
      .string()
      .nullable()
      .meta({ description: 'Machine code of the failure; null when it succeeded.', example: null }),
    error_message: z.string().meta({ description: 'What went wrong, in words.', example: '' }),
    format: z.enum(WEBHOOK_FORMATS).describe('Form of the message that is sent.'),
    replay: z.boolean().meta({ description: 'Whether the event was sent again on request.', example: false }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'When the next attempt is due; null: there is none.', example: null }),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryLog = z
  .object({
    data: z.array(deliveryRow).describe('Delivery attempts, newest first.'),
    rows: field.returned,
    pagination: cursorPagination,
  })
  .meta({ id: 'WebhookDeliveryLog' });

export const replayQueued = z
  .object({ deliveryId: field.deliveryId, eventId: field.eventId })
  .meta({ id: 'WebhookReplayQueued' });

export const rangeReplay = z
  .object({
    since: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'Start of the time, ISO 8601.', example: '2026-03-01T00:00:00.000Z' }),
    until: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'End of the time, ISO 8601; absent: now.', example: '2026-03-08T00:00:00.000Z' }),
    only: z.enum(['all', 'failed']).optional().describe('Whether all events are sent again or only those that failed.'),
  })
  .meta({ id: 'WebhookRangeReplay' });

export const rangeReplayQueued = z
  .object({
    matched: count.describe('Number of events in the range.'),
    queued: count.describe('Number of events that were queued.'),
    skipped: count.describe('Number of items that were skipped.'),
    truncated: field.truncated,
    nextSince: timestamp
      .nullable()
      .describe('Pass it as `since` to go on after a truncated replay; null: all was queued.'),
  })
  .meta({ id: 'WebhookRangeReplayQueued' });

export const deadLetters = z
  .object({
    items: z
      .array(
        deliveryRow.extend({
          subscriptionId: z.string().meta({ description: 'whk_ id of the webhook.', example: sampleId('whk') }),
          host: field.host,
        }),
      )
      .describe('Rows of this page.'),
    pagination: cursorPagination,
  })
  .meta({ id: 'WebhookDeadLetters' });

export const eventList = z
  .object({
    events: z
      .array(
        z.looseObject({
          id: idOf('evt'),
          seq: count.meta({ description: 'Number of the event; it grows in the order of commits.', example: 1042 }),
          ts: count.meta({ description: 'When the event happened, in Unix milliseconds.', example: 1_772_616_600_000 }),
          type: field.type,
          release: z.looseObject({}).describe('The release.'),
        }),
      )
      .describe('Events in the order in which they were committed.'),
    head: count.meta({ description: 'Number of the newest event.', example: 1042 }),
    // The requested range begins before the oldest event that is still stored.
    gap: z
      .object({ oldestSeq: count.describe('Number of the oldest event that is still stored.') })
      .optional()
      .describe('Present when the requested events begin before the oldest stored one.'),
  })
  .meta({ id: 'WebhookEvents' });

export type WebhookCreation = z.output<typeof webhookCreation>;
export type WebhookChange = z.output<typeof webhookChange>;
export type WebhookSubscription = z.output<typeof webhookSubscription>;
export type SavedWebhook = z.output<typeof savedWebhook>;
export type RotatedKey = z.output<typeof rotatedKey>;
export type TestQueued = z.output<typeof testQueued>;
export type DeliveryRow = z.output<typeof deliveryRow>;
export type DeliveryLog = z.output<typeof deliveryLog>;
export type ReplayQueued = z.output<typeof replayQueued>;
export type RangeReplay = z.output<typeof rangeReplay>;
export type RangeReplayQueued = z.output<typeof rangeReplayQueued>;
export type DeadLetters = z.output<typeof deadLetters>;
export type EventList = z.output<typeof eventList>;
