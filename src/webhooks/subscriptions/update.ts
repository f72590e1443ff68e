import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SavedWebhook, WebhookChange } from '../../contract/webhooks.ts';
import { isSigned, type WebhookFormat } from '../../domain/webhooks/format.ts';
import { shownKey } from '../../domain/webhooks/signature.ts';
import { targetProblem, twiceNamed } from '../../domain/webhooks/subscription-input.ts';
import { recordAudit } from '../../entities/audit.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { newKey } from '../keys.ts';
import { takeChange } from '../limits.ts';
import { refuseField, requireFormat, requireNone } from '../refusals.ts';
import { requireAddress, requireFitting, type WebhookAddress } from '../target.ts';
import { namedFilters, PAUSED_BY_OWNER, requireTied } from './create.ts';
import { isForeign, lockSubscription, ownedSubscription, type SubscriptionOwner } from './owner.ts';
import { readRecord, withoutAddress } from './record.ts';
import { isOwnerDisabled } from './target-changes.ts';

const FOREIGN_FIELDS = new Set(['enabled', 'disabledReason']);
const PAUSED_BY_OPERATOR = 'paused by the operator';

type SubscriptionChanges = Partial<WebhookSubscriptionRow>;

interface Update {
  id: string;
  owner: SubscriptionOwner;
  change: WebhookChange;
}

export async function updateSubscription(ctx: Context, { id, owner, change }: Update): Promise<SavedWebhook> {
  const known = await ownedSubscription(ctx, { id, owner });
  if (owner !== 'operator') await takeChange(ctx, owner.userId);
  requireAllowed(known, owner, change);
  const format = change.format === undefined ? undefined : requireFormat(change.format);
  const address =
    change.url === undefined && format === undefined
      ? null
      : await requireAddress(ctx, change.url ?? known.url, format ?? known.format);
  return transact(ctx, async (ctx) => {
    const row = await lockSubscription(ctx, { id, owner });
    const before = await readRecord(ctx, id, owner);
    if (change.enabled && (await isOwnerDisabled(ctx, row.user_id))) {
      const reason = 'account_disabled';
      throw new ApiError('conflict', 'the account of this webhook is disabled; enable the account first', { reason });
    }
    const { keys, changes } = formatChanges(ctx, row, format);
    await ctx.tx
      .updateTable('webhook_subscriptions')
      .set({
        ...plainChanges(change),
        ...enabledChanges(row, owner, change),
        ...addressChanges(row, { address: change.url === undefined ? null : address, format }),
        ...(await filterChanges(ctx, row, change)),
        ...changes,
        updated_at: now(ctx),
      })
      .where('id', '=', id)
      .execute();
    const after = await readRecord(ctx, id, owner);
    if (owner === 'operator') {
      const [was, is] = [withoutAddress(before), withoutAddress(after)];
      await recordAudit(ctx, { action: 'webhook.update', targetType: 'webhook', targetId: id, before: was, after: is });
    }
    return { ...after, ...keys, ...(address?.warnings ? { warnings: address.warnings } : {}) };
  });
}

function requireAllowed(row: WebhookSubscriptionRow, owner: SubscriptionOwner, change: WebhookChange): void {
  const foreign = isForeign(owner, row) && Object.keys(change).find((field) => !FOREIGN_FIELDS.has(field));
  if (foreign) {
    throw refuseField({ field: foreign, reason: 'of a webhook of an account only enabled and disabledReason change' });
  }
  requireNone(row.scope !== 'org' ? targetProblem(row.scope, change) : twiceNamed(change));
}

function plainChanges(change: WebhookChange): SubscriptionChanges {
  const { description, releaseType, excludePrereleases, minBreaking, minImportance, security } = change;
  return {
    ...(description === undefined ? {} : { description: description || null }),
    ...(releaseType === undefined ? {} : { release_type: releaseType }),
    ...(excludePrereleases === undefined ? {} : { exclude_prereleases: excludePrereleases ? 1 : 0 }),
    ...(minBreaking === undefined ? {} : { min_breaking: minBreaking }),
    ...(minImportance === undefined ? {} : { min_importance: minImportance }),
    ...(security === undefined ? {} : { security: security ? 1 : 0 }),
  };
}

// Enabling resets the failure counters.
function enabledChanges(
  row: WebhookSubscriptionRow,
  owner: SubscriptionOwner,
  change: WebhookChange,
): SubscriptionChanges {
  const { enabled = row.enabled === 1, disabledReason } = change;
  if (enabled) {
    if (disabledReason) {
      throw refuseField({ field: 'disabledReason', reason: 'only a webhook that is disabled has one' });
    }
    if (change.enabled === undefined) return {};
    return {
      enabled: 1,
      disabled_reason: null,
      consecutive_failures: 0,
      consecutive_lost_events: 0,
      failure_streak_started_at: null,
    };
  }
  if (change.enabled === undefined) return disabledReason === undefined ? {} : { disabled_reason: disabledReason };
  const paused = isForeign(owner, row) ? PAUSED_BY_OPERATOR : PAUSED_BY_OWNER;
  return { enabled: 0, disabled_reason: disabledReason || paused };
}

function addressChanges(
  row: WebhookSubscriptionRow,
  { address, format }: { address: WebhookAddress | null; format: WebhookFormat | undefined },
): SubscriptionChanges {
  // Another call may have changed the address or the format meanwhile, so the pair is checked again.
  if (address || format) requireFitting(address?.url ?? row.url, format ?? row.format);
  return address ? { url: address.url, target: address.target } : {};
}

async function filterChanges(
  ctx: WriteContext,
  row: WebhookSubscriptionRow,
  change: WebhookChange,
): Promise<SubscriptionChanges> {
  if (row.org_id === null) return {};
  const filters = await namedFilters(ctx, row.org_id, change);
  if (Object.keys(filters).length === 0) return {};
  const { source_id = row.source_id, product_id = row.product_id } = filters;
  await requireTied(ctx, { source_id, product_id });
  return filters;
}

// Chat formats have no signing key: a change from one to a signed format creates a key and shows it once, a change to one
// destroys it.
function formatChanges(ctx: WriteContext, row: WebhookSubscriptionRow, format: WebhookFormat | undefined) {
  if (format === undefined || format === row.format) return { keys: {}, changes: {} };
  if (!isSigned(format)) {
    const gone = { secret_version: 0, signing_key: null, previous_key: null, previous_key_expires_at: null };
    return { keys: {}, changes: { format, ...gone } };
  }
  if (isSigned(row.format)) return { keys: {}, changes: { format } };
  const { key, sealed } = newKey(ctx, { id: row.id, version: 1 });
  return { keys: shownKey(key), changes: { format, secret_version: 1, signing_key: sealed } };
}
