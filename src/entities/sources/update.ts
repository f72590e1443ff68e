import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound, validationFailed } from '../../contract/errors.ts';
import type { SourceRowShape } from '../../contract/source.ts';
import type { SourcePatch } from '../../contract/source-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { keysOf, pick } from '../../domain/records.ts';
import { factsOf } from '../../domain/source-types.ts';
import { githubCoordinate, normalizeUrl } from '../../domain/urls.ts';
import { toJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { recordAudit } from '../audit.ts';
import { refreshNames } from '../refresh-names.ts';
import { findOrg, findProduct, resolveSource, type SourceInOrg, type SourcePath } from '../resolve.ts';
import { claimSlug, lockChildSlugs } from '../slug-claim.ts';
import { type Metadata, metadataOf, readMetadata, settingColumns } from './metadata.ts';
import { clearOtherPrimaries } from './primary.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { oneSourceRow } from './source-fields.ts';

export async function updateSource(ctx: Context, path: SourcePath, patch: SourcePatch): Promise<SourceRowShape> {
  return transact(ctx, async (ctx) => {
    const found = await resolveSource(ctx, path);
    const changes = await columnsOf(ctx, found, patch);
    const row = await ctx.tx
      .updateTable('sources')
      .set({ ...changes, updated_at: now(ctx) })
      .where('id', '=', found.source.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await refreshNames(ctx, [{ type: 'source', id: row.id }]);
    await afterChange(ctx, { before: found, row, patch });
    await recordAudit(ctx, {
      action: 'source.update',
      targetType: 'source',
      targetId: row.id,
      before: pick(found.source, ...keysOf(changes)),
      after: patch,
    });
    return oneSourceRow(ctx, row);
  });
}

const DIRECT = {
  type: 'type',
  kind: 'kind',
  discovery: 'discovery',
  fetchPriority: 'fetch_priority',
  lastFetchedAt: 'last_fetched_at',
  lastPolledAt: 'last_polled_at',
  lastContentHash: 'last_content_hash',
  nextFetchAfter: 'next_fetch_after',
  changeDetectedAt: 'change_detected_at',
  consecutiveNoChange: 'consecutive_no_change',
  consecutiveErrors: 'consecutive_errors',
} as const satisfies Partial<Record<keyof SourcePatch, keyof SourceRow>>;

async function columnsOf(
  ctx: WriteContext,
  { source, org }: SourceInOrg,
  patch: SourcePatch,
): Promise<Partial<SourceRow>> {
  const columns: Partial<SourceRow> = startsAnew(source, patch) ? { ...FRESH_START } : {};
  if (readsElsewhere(patch)) columns.listing_completed_at = null;
  const owner = patch.orgId === undefined ? org : await newOwner(ctx, patch.orgId);
  columns.org_id = owner?.id ?? null;
  columns.product_id = await productFor(ctx, { source, patch, orgId: owner?.id ?? null });
  if (patch.slug !== undefined || columns.org_id !== source.org_id) {
    await lockChildSlugs(ctx, columns.org_id);
    const slug = patch.slug ?? source.slug;
    columns.slug = await claimSlug(ctx, { entity: 'source', org: owner, slug, name: source.name, exceptId: source.id });
  }
  if (patch.name !== undefined) Object.assign(columns, { name: patch.name, name_key: foldName(patch.name) });
  if (patch.url !== undefined) {
    await refuseBlocked(ctx, patch.url, owner);
    Object.assign(columns, { url: patch.url, url_key: normalizeUrl(patch.url) ?? patch.url });
  }
  if (patch.metadata !== undefined) Object.assign(columns, settingColumns(readMetadata(patch.metadata)));
  if (
    factsOf(patch.type ?? source.type).isRepository &&
    (patch.url !== undefined || patch.metadata !== undefined || patch.type !== undefined)
  ) {
    columns.github_coordinate = columns.github_coordinate ?? githubCoordinate(patch.url ?? source.url);
  }
  if (patch.isPrimary !== undefined) columns.is_primary = patch.isPrimary ? 1 : 0;
  if (patch.isHidden !== undefined) columns.is_hidden = patch.isHidden ? 1 : 0;
  if (patch.notice !== undefined) columns.notice = patch.notice && toJson(patch.notice);
  for (const field of keysOf(DIRECT)) {
    if (patch[field] !== undefined) Object.assign(columns, { [DIRECT[field]]: patch[field] });
  }
  return columns;
}

const FRESH_START: Partial<SourceRow> = {
  consecutive_no_change: 0,
  consecutive_errors: 0,
  next_fetch_after: null,
  failing_since: null,
  last_content_hash: null,
};

// Remembered until the source was read at its new address: what it lists there is new to the registry.
export const READ_ELSEWHERE = 'readElsewhere';

// A change of URL, type or settings means that other releases are listed.
function readsElsewhere({ url, type, metadata }: SourcePatch): boolean {
  return url !== undefined || type !== undefined || metadata !== undefined;
}

// After a pause, or with another URL or type, the state of earlier fetches is no longer valid.
function startsAnew(source: SourceRow, patch: SourcePatch): boolean {
  const resumed =
    source.fetch_priority === 'paused' && patch.fetchPriority !== undefined && patch.fetchPriority !== 'paused';
  return resumed || readsElsewhere(patch);
}

async function newOwner(ctx: WriteContext, value: string | null) {
  if (value === null) return null;
  const owner = await findOrg(ctx, value);
  if (!owner) throw notFound('org', value, { field: 'orgId' });
  return owner;
}

async function productFor(
  ctx: WriteContext,
  { source, patch, orgId }: { source: SourceRow; patch: SourcePatch; orgId: string | null },
): Promise<string | null> {
  if (patch.productId === undefined) return orgId === source.org_id ? source.product_id : null;
  if (patch.productId === null) return null;
  const found = orgId && (await findProduct(ctx, { org: orgId, product: patch.productId }));
  if (!found) throw validationFailed([{ path: 'productId', reason: 'must be a product of the same org' }]);
  return found.product.id;
}

async function afterChange(
  ctx: WriteContext,
  { before, row, patch }: { before: SourceInOrg; row: SourceRow; patch: SourcePatch },
): Promise<void> {
  const { source } = before;
  if (patch.isPrimary) await clearOtherPrimaries(ctx, row);
  if (startsAnew(source, patch)) {
    await ctx.tx.deleteFrom('source_validators').where('source_id', '=', row.id).execute();
    await ctx.tx.deleteFrom('source_memory').where('source_id', '=', row.id).execute();
    // Whatever it brings next is judged anew.
    await ctx.tx.deleteFrom('source_holds').where('source_id', '=', row.id).execute();
  }
  if (readsElsewhere(patch)) {
    const memory = { source_id: row.id, name: READ_ELSEWHERE, value: 'true', stored_at: now(ctx) };
    await ctx.tx.insertInto('source_memory').values(memory).execute();
  }
  const shown = row.is_hidden !== source.is_hidden;
  // Showing a source that a lookup created also shows the org that was created for it, unless the source leaves that
  // org.
  const staysIn = before.org?.id === row.org_id ? before.org : null;
  if (shown && row.is_hidden === 0 && source.discovery === 'on_demand' && staysIn?.is_hidden) {
    await ctx.tx
      .updateTable('orgs')
      .set({ is_hidden: 0, updated_at: now(ctx) })
      .where('id', '=', staysIn.id)
      .execute();
  }
  if (patch.metadata !== undefined) await ctx.ports.settings.changed(ctx, source, row);
  const moved = row.org_id !== source.org_id || row.product_id !== source.product_id;
  if (shown || moved || row.kind !== source.kind || row.type !== source.type)
    await ctx.ports.releases.relist(ctx, [row.id]);
  if (moved) await ctx.ports.webhooks.moveTarget(ctx, row);
  if (row.org_id !== source.org_id) await ctx.ports.releases.countOrg(ctx, source.org_id);
}

// The patch is merged one level deep; null deletes a key.
export async function patchMetadata(ctx: Context, path: SourcePath, patch: Metadata): Promise<Metadata> {
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, path);
    const merged = { ...metadataOf(source), ...patch };
    for (const [key, value] of Object.entries(patch)) if (value === null) delete merged[key];
    const row = await updateSource(ctx, { src: source.id }, { metadata: merged });
    return readMetadata(row.metadata);
  });
}
