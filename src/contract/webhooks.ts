// Webhook subscriptions, their log, and what is done with them.
import { z } from 'zod';
import { WEBHOOK_FORMATS } from '../domain/webhooks/format.ts';
import { DELIVERY_HEALTH } from '../domain/webhooks/health.ts';
import { DESCRIPTION_MAX_BYTES, URL_MAX_BYTES } from '../domain/webhooks/target.ts';
import { releaseType } from './enums.ts';
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
const url = z.string().min(1).refine(bytesUpTo(URL_MAX_BYTES), `must have at most ${URL_MAX_BYTES} bytes`);
const description = z
  .string()
  .refine(bytesUpTo(DESCRIPTION_MAX_BYTES), `must have at most ${DESCRIPTION_MAX_BYTES} bytes`);
// Which values there are is judged after the rules on scope, so it is only text here.
const format = z
  .string()
  .max(40)
  .meta({ description: `${WEBHOOK_FORMATS.join(', ')}; absent or empty: json` });

const filterNames = {
  sourceSlug: name.optional(),
  sourceId: name.optional(),
  productSlug: name.optional(),
  productId: name.optional(),
};

export const webhookCreation = z
  .object({
    url,
    scope: scope.optional(),
    orgSlug: name.optional(),
    orgId: name.optional(),
    stackName: name.optional().describe('Name of the stack, for the scope `stack`.'),
    ...filterNames,
    releaseType: releaseType.optional(),
    excludePrereleases: z.boolean().optional(),
    ...meaningFields,
    format: format.optional(),
    description: description.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'WebhookCreation' });

export const webhookChange = z
  .strictObject({
    url: url.optional(),
    description: description.nullable().optional(),
    enabled: z.boolean().optional(),
    disabledReason: z.string().max(500).nullable().optional(),
    format: format.nullable().optional(),
    releaseType: releaseType.nullable().optional(),
    excludePrereleases: z.boolean().optional(),
    ...meaningFields,
    sourceSlug: name.nullable().optional(),
    sourceId: name.nullable().optional(),
    productSlug: name.nullable().optional(),
    productId: name.nullable().optional(),
  })
  .meta({ id: 'WebhookChange' });

export const webhookSubscription = z
  .object({
    id: z.string(),
    userId: z.string().nullable(),
    scope,
    orgId: z.string().nullable(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    sourceId: z.string().nullable(),
    sourceSlug: z.string().nullable(),
    sourceName: z.string().nullable(),
    productId: z.string().nullable(),
    productSlug: z.string().nullable(),
    productName: z.string().nullable(),
    stackName: z.string().nullable().describe('Name of the stack; null for other scopes.'),
    releaseType: releaseType.nullable(),
    excludePrereleases: z.boolean(),
    minBreaking: meaningFields.minBreaking.unwrap(),
    minImportance: meaningFields.minImportance.unwrap(),
    security: z.boolean().describe('Whether releases that repair a security problem pass.'),
    // For an operator, the host alone of what belongs to an account.
    url: z.string(),
    description: z.string().nullable(),
    format: z.enum(WEBHOOK_FORMATS),
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    secretVersion: count,
    previousKeyExpiresAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    lastSuccessAt: timestamp.nullable(),
    lastErrorAt: timestamp.nullable(),
    lastErrorMsg: z.string().nullable(),
    consecutiveFailures: count,
    consecutiveLostEvents: count,
    failureStreakStartedAt: timestamp.nullable(),
    deliveryHealth: z.enum(DELIVERY_HEALTH),
    deliveryHealthSummary: z.string(),
  })
  .meta({ id: 'WebhookSubscription' });

// Shown once: the answer to a repeated call with the same idempotency key lacks both.
const shownKeys = { signingKey: z.string().optional(), standardSecret: z.string().optional() };

export const savedWebhook = webhookSubscription
  .extend({ ...shownKeys, warnings: z.array(z.enum(['url_unresolved'])).optional() })
  .meta({ id: 'SavedWebhook' });

export const webhookList = z.object({ subscriptions: z.array(webhookSubscription) }).meta({ id: 'WebhookList' });

export const webhookPage = z
  .object({ subscriptions: z.array(webhookSubscription), pagination: pagePagination })
  .meta({ id: 'WebhookPage' });

export const rotation = z.object({ revokeOld: z.boolean().optional() }).meta({ id: 'WebhookRotation' });

export const rotatedKey = z
  .object({ secretVersion: count, ...shownKeys, previousKeyExpiresAt: timestamp.nullable() })
  .meta({ id: 'RotatedWebhookKey' });

export const testQueued = z
  .object({ enqueued: z.literal(true), eventId: z.string(), deliveryId: z.string() })
  .meta({ id: 'WebhookTestQueued' });

const deliveryRow = z
  .object({
    id: z.string(),
    delivery_id: z.string(),
    timestamp,
    event_id: z.string(),
    outcome: z.enum(DELIVERY_OUTCOMES).describe('How the attempt ended.'),
    http_status: count,
    latency_ms: count,
    attempt: z.int().min(1),
    error_code: z.string().nullable(),
    error_message: z.string(),
    format: z.enum(WEBHOOK_FORMATS),
    replay: z.boolean(),
    next_attempt_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryLog = z
  .object({ data: z.array(deliveryRow), rows: count, pagination: cursorPagination })
  .meta({ id: 'WebhookDeliveryLog' });

export const replayQueued = z
  .object({ deliveryId: z.string(), eventId: z.string() })
  .meta({ id: 'WebhookReplayQueued' });

export const rangeReplay = z
  .object({
    since: z.string().min(1).max(64).describe('Start of the time, ISO 8601.'),
    until: z.string().max(64).optional().describe('End of the time, ISO 8601; absent: now.'),
    only: z.enum(['all', 'failed']).optional(),
  })
  .meta({ id: 'WebhookRangeReplay' });

export const rangeReplayQueued = z
  .object({
    matched: count,
    queued: count,
    skipped: count,
    truncated: z.boolean(),
    nextSince: timestamp.nullable(),
  })
  .meta({ id: 'WebhookRangeReplayQueued' });

export const deadLetters = z
  .object({
    items: z.array(deliveryRow.extend({ subscriptionId: z.string(), host: z.string() })),
    pagination: cursorPagination,
  })
  .meta({ id: 'WebhookDeadLetters' });

export const eventList = z
  .object({
    events: z.array(
      z.looseObject({ id: z.string(), seq: count, ts: count, type: z.string(), release: z.looseObject({}) }),
    ),
    head: count,
    // The requested range begins before the oldest event that is still stored.
    gap: z.object({ oldestSeq: count }).optional(),
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
