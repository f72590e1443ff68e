// The row of a release that was not there before.
import type { WriteContext } from '../../context.ts';
import type { ItemKeys } from '../../domain/identity.ts';
import { newId } from '../../domain/ids.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import type { SourceInOrg } from '../resolve.ts';
import { derivedColumns, effectiveCategory, listingOf, textColumns, typeOf, type VersionFields } from './build-row.ts';
import type { ReleaseDraft } from './draft.ts';

// Number and full-text key are given when the whole batch is known.
export function newRow(
  ctx: WriteContext,
  place: SourceInOrg,
  draft: ReleaseDraft,
  key: ItemKeys,
  version: VersionFields,
  previous: Parameters<typeof derivedColumns>[6],
  at: string,
): ReleaseRow {
  const type = typeOf(draft, place.source);
  const text = textColumns(draft, draft.version);
  const suppressed = draft.suppressedReason === undefined ? 0 : 1;
  const listing = listingOf({ suppressed, coverage_of: null }, place.visible);
  const { parsed, ...versionColumns } = version;
  return {
    seq: 0,
    id: newId('rel', ctx.randomBytes),
    source_id: place.source.id,
    org_id: place.source.org_id,
    product_id: place.source.product_id,
    identity_key: key.key,
    guid: draft.guid,
    url: draft.url,
    ...versionColumns,
    ...text,
    feed_at: draft.publishedAt ?? '',
    ...derivedColumns(ctx, place, draft, version, type, draft.origin, previous, draft.given),
    type,
    origin: draft.origin,
    media: toJson(draft.media ?? []),
    source_hash: text.content_hash,
    pending_hash: null,
    pending_since: null,
    suppressed,
    suppressed_reason: draft.suppressedReason ?? null,
    coverage_of: null,
    coverage_count: 0,
    effective_category: effectiveCategory(place),
    listing,
    pinned: toJson([]),
    revision_count: 0,
    doc_key: 0,
    indexed: listing > 0 ? 1 : 0,
    embedded_at: null,
    fetched_at: at,
    updated_at: at,
  };
}
