import { ownStack } from '../../accounts/stacks/manage.ts';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { SavedWebhook, WebhookCreation } from '../../contract/webhooks.ts';
import { idPrefixOf, newId } from '../../domain/ids.ts';
import { isSigned, type WebhookFormat } from '../../domain/webhooks/format.ts';
import { shownKey } from '../../domain/webhooks/signature.ts';
import { type NamedTargets, scopeProblem, type TargetField } from '../../domain/webhooks/subscription-input.ts';
import { recordAudit } from '../../entities/audit.ts';
import { lockOrgs } from '../../entities/org-claims.ts';
import { resolveOrg, resolveProduct, resolveSource } from '../../entities/resolve.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { newKey } from '../keys.ts';
import { takeChange } from '../limits.ts';
import { refuseField, requireFormat, requireNone } from '../refusals.ts';
import { requireAddress, type WebhookAddress } from '../target.ts';
import type { SubscriptionOwner } from './owner.ts';
import { readRecord, withoutAddress } from './record.ts';

// The most webhooks of one account, by scope.
export const MAX_WEBHOOKS = { org: 10, follows: 1, stack: 20 } as const;
export const PAUSED_BY_OWNER = 'paused by owner';

type WebhookScope = keyof typeof MAX_WEBHOOKS;

export async function createSubscription(
  ctx: Context,
  { owner, input }: { owner: SubscriptionOwner; input: WebhookCreation },
): Promise<SavedWebhook> {
  if (owner !== 'operator') await takeChange(ctx, owner.userId);
  const { scope = 'org' } = input;
  if (owner === 'operator' && scope !== 'org') {
    throw refuseField({ field: 'scope', reason: 'follows and stacks belong to accounts; here it must be org' });
  }
  requireNone(scopeProblem(scope, input));
  const format = requireFormat(input.format);
  const address = await requireAddress(ctx, input.url, format);
  return transact(ctx, async (ctx) => {
    if (owner !== 'operator') await ctx.store.dialect.lock(ctx.tx, `webhooks of ${owner.userId}`);
    const targets = await targetsOf(ctx, scope, input);
    const stackId = input.stackName === undefined ? null : (await ownStack(ctx, input.stackName)).id;
    if (owner !== 'operator') await requireRoom(ctx, owner.userId, scope);
    return insert(ctx, { owner, input, scope, format, address, targets, stackId });
  });
}

async function targetsOf(ctx: WriteContext, scope: WebhookScope, input: WebhookCreation): Promise<SubscriptionTargets> {
  if (scope !== 'org') return { org_id: null, source_id: null, product_id: null };
  // Deleting an org deletes its subscriptions, so the lock prevents new ones meanwhile.
  await lockOrgs(ctx);
  const { id } = await namedOrg(ctx, input);
  const { source_id = null, product_id = null } = await namedFilters(ctx, id, input);
  await requireTied(ctx, { source_id, product_id });
  return { org_id: id, source_id, product_id };
}

// The webhooks are counted under the account's lock, so that concurrent calls cannot exceed the limit together.
async function requireRoom(ctx: WriteContext, userId: string, scope: WebhookScope): Promise<void> {
  const limit = MAX_WEBHOOKS[scope];
  const rows = await ctx.tx
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .where('scope', '=', scope)
    .limit(limit)
    .execute();
  if (rows.length < limit) return;
  const noun = limit === 1 ? 'webhook' : 'webhooks';
  throw new ApiError('limit_exceeded', `an account has at most ${limit} ${noun} of the scope ${scope}`, {
    limit,
    scope,
  });
}

interface NewSubscription {
  owner: SubscriptionOwner;
  input: WebhookCreation;
  scope: WebhookScope;
  format: WebhookFormat;
  address: WebhookAddress;
  targets: SubscriptionTargets;
  stackId: string | null;
}

async function insert(ctx: WriteContext, insertion: NewSubscription): Promise<SavedWebhook> {
  const { owner, input, scope, format, address, targets, stackId } = insertion;
  const id = newId('whk', ctx.randomBytes);
  const signed = isSigned(format) ? newKey(ctx, { id, version: 1 }) : null;
  const { enabled = true, excludePrereleases = scope !== 'org' } = input;
  const at = now(ctx);
  const row: WebhookSubscriptionRow = {
    id,
    user_id: owner === 'operator' ? null : owner.userId,
    scope,
    ...targets,
    stack_id: stackId,
    release_type: input.releaseType ?? null,
    exclude_prereleases: excludePrereleases ? 1 : 0,
    min_breaking: input.minBreaking ?? null,
    min_importance: input.minImportance ?? null,
    security: input.security ? 1 : 0,
    url: address.url,
    target: address.target,
    description: input.description || null,
    format,
    enabled: enabled ? 1 : 0,
    disabled_reason: enabled ? null : PAUSED_BY_OWNER,
    secret_version: signed ? 1 : 0,
    signing_key: signed?.sealed ?? null,
    previous_key: null,
    previous_key_expires_at: null,
    last_success_at: null,
    last_error_at: null,
    last_error_msg: null,
    consecutive_failures: 0,
    consecutive_lost_events: 0,
    failure_streak_started_at: null,
    claimed_at: null,
    next_due_at: null,
    window_started_at: null,
    window_claims: null,
    created_at: at,
    updated_at: at,
  };
  await ctx.tx.insertInto('webhook_subscriptions').values(row).execute();
  const record = await readRecord(ctx, id, owner);
  if (owner === 'operator') {
    await recordAudit(ctx, {
      action: 'webhook.create',
      targetType: 'webhook',
      targetId: id,
      after: withoutAddress(record),
    });
  }
  return {
    ...record,
    ...(signed ? shownKey(signed.key) : {}),
    ...(address.warnings ? { warnings: address.warnings } : {}),
  };
}

// Resolves the org, source and product that a subscription names.

interface SubscriptionTargets {
  org_id: string | null;
  source_id: string | null;
  product_id: string | null;
}

async function namedOrg(ctx: Context, named: NamedTargets): Promise<OrgRow> {
  const [value, field] = chosen(named, 'orgSlug', 'orgId');
  if (field === 'orgId' && idPrefixOf(value ?? '') !== 'org') throw notFound('org', value ?? '', { field });
  return resolveOrg(ctx, value ?? '', { field });
}

// Undefined when the call does not mention a filter, null when it clears one.
export async function namedFilters(
  ctx: Context,
  orgId: string,
  named: NamedTargets,
): Promise<{ source_id?: string | null; product_id?: string | null }> {
  const [source, sourceField] = chosen(named, 'sourceSlug', 'sourceId');
  const [product, productField] = chosen(named, 'productSlug', 'productId');
  return {
    ...(source === undefined ? {} : { source_id: source && (await sourceIn(ctx, orgId, source, sourceField)) }),
    ...(product === undefined ? {} : { product_id: product && (await productIn(ctx, orgId, product, productField)) }),
  };
}

// Refuses two filters that no release could match together.
export async function requireTied(
  ctx: Context,
  { source_id, product_id }: Omit<SubscriptionTargets, 'org_id'>,
): Promise<void> {
  if (source_id === null || product_id === null) return;
  const source = await queries(ctx)
    .selectFrom('sources')
    .select('product_id')
    .where('id', '=', source_id)
    .executeTakeFirst();
  if (source?.product_id === product_id) return;
  throw refuseField({ field: 'productSlug', reason: 'the source is not tied to this product' });
}

async function sourceIn(ctx: Context, orgId: string, value: string, field: TargetField): Promise<string> {
  requireForm(value, field, 'src');
  return (await resolveSource(ctx, { org: orgId, source: value }, { field })).source.id;
}

async function productIn(ctx: Context, orgId: string, value: string, field: TargetField): Promise<string> {
  requireForm(value.replace(/^prd_/, 'prod_'), field, 'prod');
  return (await resolveProduct(ctx, { org: orgId, product: value }, { field })).product.id;
}

// A value in an id field that is no id is reported as not found.
function requireForm(value: string, field: TargetField, prefix: 'src' | 'prod'): void {
  if (!field.endsWith('Id') || idPrefixOf(value) === prefix) return;
  throw notFound(prefix === 'src' ? 'source' : 'product', value, { field });
}

function chosen(named: NamedTargets, slug: TargetField, id: TargetField): [string | null | undefined, TargetField] {
  return named[id] === undefined ? [named[slug], slug] : [named[id], id];
}
