// Webhook subscriptions, their log, and what is done with them.
import { z } from 'zod';
import { WEBHOOK_FORMATS } from '../domain/webhooks/format.ts';
import { DELIVERY_HEALTH } from '../domain/webhooks/health.ts';
import { DESCRIPTION_MAX_BYTES, URL_MAX_BYTES } from '../domain/webhooks/target.ts';
import { releaseType } from './enums.ts';
import { field } from './fields.ts';
import { meaningFields } from './meaning.ts';
import { count, cursorPagination, pagePagination } from './pagination.ts';
import { timestamp } from './scalars.ts';

const WEBHOOK_SCOPES = ['org', 'follows', 'stack'] as const;
const DELIVERY_OUTCOMES = ['success', 'retry', 'perm_fail', 'dlq', 'auto_disabled', 'skipped'] as const;
export const FAILED_OUTCOMES = ['retry', 'perm_fail', 'dlq', 'auto_disabled'] as const;

const bytesUpTo = (max: number) => (text: string) => Buffer.byteLength(text) <= max;
const name = z.string().min(1).max(200);
const scope = z
  .enum(WEBHOOK_SCOPES)
  .describe('Releases of one organization, of all that the account follows, or above the versions of a stack.');
const url = field.url.min(1).refine(bytesUpTo(URL_MAX_BYTES), `must have at most ${URL_MAX_BYTES} bytes`);
const description = field.description.refine(
  bytesUpTo(DESCRIPTION_MAX_BYTES),
  `must have at most ${DESCRIPTION_MAX_BYTES} bytes`,
);
// Which values there are is judged after the rules on scope, so it is only text here.
const format = z
  .string()
  .max(40)
  .meta({ description: `${WEBHOOK_FORMATS.join(', ')}; absent or empty: json` });

const filterNames = {
  sourceSlug: name.optional().describe('Slug of the source; null where there is none.'),
  sourceId: name.optional().describe('src_ id of the source; null where there is none.'),
  productSlug: name.optional().describe('Slug of the product; null where there is none.'),
  productId: name.optional().describe('prod_ id of the product; null where there is none.'),
};

export const webhookCreation = z
  .object({
    url,
    scope: scope.optional(),
    orgSlug: name.optional().describe('Slug of the organization; null where there is none.'),
    orgId: name.optional().describe('org_ id of the organization; null where there is none.'),
    stackName: name.optional().describe('Name of the stack, for the scope `stack`.'),
    ...filterNames,
    releaseType: releaseType.optional().describe('Only releases of this type are sent; null: all.'),
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
    releaseType: releaseType.nullable().optional().describe('Only releases of this type are sent; null: all.'),
    excludePrereleases: field.excludePrereleases.optional(),
    ...meaningFields,
    sourceSlug: name.nullable().optional().describe('Slug of the source; null where there is none.'),
    sourceId: name.nullable().optional().describe('src_ id of the source; null where there is none.'),
    productSlug: name.nullable().optional().describe('Slug of the product; null where there is none.'),
    productId: name.nullable().optional().describe('prod_ id of the product; null where there is none.'),
  })
  .meta({ id: 'WebhookChange' });

export const webhookSubscription = z
  .object({
    id: field.id,
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
    releaseType: releaseType.nullable().describe('Only releases of this type are sent; null: all.'),
    excludePrereleases: field.excludePrereleases,
    minBreaking: meaningFields.minBreaking.unwrap(),
    minImportance: meaningFields.minImportance.unwrap(),
    security: z.boolean().describe('Whether releases that repair a security problem pass.'),
    // For an operator, the host alone of what belongs to an account.
    url: field.url,
    description: field.description.nullable(),
    format: z.enum(WEBHOOK_FORMATS).describe('Form of the message that is sent.'),
    enabled: field.enabled,
    disabledReason: field.disabledReason.nullable(),
    secretVersion: field.secretVersion,
    previousKeyExpiresAt: field.previousKeyExpiresAt.nullable(),
    createdAt: field.createdAt,
    updatedAt: field.updatedAt,
    lastSuccessAt: field.lastSuccessAt.nullable(),
    lastErrorAt: timestamp.nullable().describe('When a delivery last failed; null: never.'),
    lastErrorMsg: field.lastError.nullable(),
    consecutiveFailures: count.describe('Failed delivery attempts in a row.'),
    consecutiveLostEvents: count.describe('Events in a row that were given up.'),
    failureStreakStartedAt: timestamp
      .nullable()
      .describe('When the current run of failures began; null: there is none.'),
    deliveryHealth: z.enum(DELIVERY_HEALTH).describe('How deliveries have been going.'),
    deliveryHealthSummary: z.string().describe('The same in one sentence.'),
  })
  .meta({ id: 'WebhookSubscription' });

// Shown once: the answer to a repeated call with the same idempotency key lacks both.
const shownKeys = {
  signingKey: z.string().optional().describe('Signing key in hex, shown once.'),
  standardSecret: z
    .string()
    .optional()
    .describe('The same key in the form of Standard Webhooks (`whsec_…`), shown once.'),
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
    id: field.id,
    delivery_id: z.string().describe('Id of the delivery; the same over all its attempts.'),
    timestamp: timestamp.describe('When the attempt was made.'),
    event_id: field.eventId,
    outcome: z.enum(DELIVERY_OUTCOMES).describe('How the attempt ended.'),
    http_status: count.describe('HTTP status of the response; 0 where none came.'),
    latency_ms: count.describe('Time until the response, in milliseconds.'),
    attempt: z.int().min(1).describe('Number of the attempt, from 1.'),
    error_code: z.string().nullable().describe('Machine code of the failure; null when it succeeded.'),
    error_message: z.string().describe('What went wrong, in words.'),
    format: z.enum(WEBHOOK_FORMATS).describe('Form of the message that is sent.'),
    replay: z.boolean().describe('Whether the event was sent again on request.'),
    next_attempt_at: timestamp.nullable().describe('When the next attempt is due; null: there is none.'),
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
    since: z.string().min(1).max(64).describe('Start of the time, ISO 8601.'),
    until: z.string().max(64).optional().describe('End of the time, ISO 8601; absent: now.'),
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
      .array(deliveryRow.extend({ subscriptionId: z.string().describe('whk_ id of the webhook.'), host: field.host }))
      .describe('Rows of this page.'),
    pagination: cursorPagination,
  })
  .meta({ id: 'WebhookDeadLetters' });

export const eventList = z
  .object({
    events: z
      .array(
        z.looseObject({
          id: field.id,
          seq: count.describe('Number of the event; it grows in the order of commits.'),
          ts: count.describe('When the event happened, in Unix milliseconds.'),
          type: field.type,
          release: z.looseObject({}).describe('The release.'),
        }),
      )
      .describe('Events in the order in which they were committed.'),
    head: count.describe('Number of the newest event.'),
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
