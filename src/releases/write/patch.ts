// An operator's correction of one release. The fields that it sets are pinned, so that the next fetch does not change
// them.

import { type Context, transact, type WriteContext } from '../../context.ts';
import { conflict, notFound } from '../../contract/errors.ts';
import { PINNABLE, type PinnableField, type ReleasePatch } from '../../contract/release-patch.ts';
import { keysOf } from '../../domain/records.ts';
import { identityKeys } from '../../domain/release-identity.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { isPlaceholderVersion } from '../../domain/versions/index.ts';
import { recordAudit } from '../../entities/audit.ts';
import { sourceById } from '../../entities/resolve.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { findRelease } from '../detail.ts';
import { refreshFigures, refreshOrgCount } from '../figures.ts';
import { notesColumns, textColumns, unpinned } from '../release-columns.ts';
import { storePending } from './announce.ts';
import { reviseRelease } from './revise.ts';
import { RowBuilder } from './row-builder.ts';

const DIRECT = {
  summary: 'summary',
  titleGenerated: 'title_generated',
  titleShort: 'title_short',
  breaking: 'breaking',
  importance: 'importance',
  type: 'type',
} as const satisfies Partial<Record<keyof ReleasePatch, keyof ReleaseRow>>;

export async function patchRelease(ctx: Context, id: string, given: ReleasePatch): Promise<void> {
  const { contentHash: _, ...patch } = given;
  await transact(ctx, async (ctx) => {
    const stored = await findRelease(ctx, id);
    const sourceInOrg = stored && (await sourceById(ctx, stored.source_id));
    if (!stored || !sourceInOrg) throw notFound('release', id);
    await ctx.store.dialect.lock(ctx.tx, `source:${sourceInOrg.source.id}`);
    if (Object.keys(patch).length === 0) return;
    const set = PINNABLE.filter((field) => patch[field] !== undefined);
    const pinned = pinnedAfter(stored, patch, set);
    const changes = await changedColumns(ctx, sourceInOrg, stored, { ...patch, pinned });
    if (changes.identity_key) await refuseClash(ctx, stored, changes.identity_key);
    const next = await reviseRelease(ctx, sourceInOrg, { stored, changes, changed: set, cause: 'operator' });
    await storePending(ctx, next, false);
    const days = new Set([stored, next].flatMap((row) => (row.published_at ? [utcDay(row.published_at)] : [])));
    await refreshFigures(ctx, { id: sourceInOrg.source.id, visible: sourceInOrg.visible }, days);
    await refreshOrgCount(ctx, sourceInOrg.source.org_id);
    await recordAudit(ctx, {
      action: 'release.update',
      targetType: 'release',
      targetId: id,
      before: Object.fromEntries(set.map((field) => [field, wireValue(stored, field)])),
      after: patch,
    });
  });
}

async function changedColumns(
  ctx: WriteContext,
  sourceInOrg: NonNullable<Awaited<ReturnType<typeof sourceById>>>,
  stored: ReleaseRow,
  patch: ReleasePatch & { pinned: PinnableField[] },
): Promise<Partial<ReleaseRow>> {
  const text = {
    title: patch.title ?? stored.title,
    content: patch.content ?? stored.content,
    publishedAt: patch.publishedAt === undefined ? stored.published_at : patch.publishedAt,
  };
  const version = patch.version === undefined ? stored.version : readVersion(patch.version);
  const prerelease = patch.prerelease ?? (patch.version === undefined ? stored.prerelease === 1 : undefined);
  const rows = new RowBuilder(ctx, sourceInOrg);
  const fields = rows.versionOf({ version, prerelease });
  const type = patch.type ?? stored.type;
  const { parsed, ...versionColumns } = fields;
  const changes: Partial<ReleaseRow> = {
    ...(await textColumns(ctx, text, { version })),
    ...versionColumns,
    pinned: toJson(patch.pinned),
  };
  // New text means new derived fields, except for pinned ones.
  const reworded = patch.title !== undefined || patch.content !== undefined || patch.version !== undefined;
  if (reworded || patch.summary === null) {
    const derived = await rows.derive({ ...text, version: fields, type, origin: stored.origin });
    if (reworded) Object.assign(changes, unpinned(derived, stored));
    if (patch.summary === null) changes.summary = derived.summary;
  }
  for (const field of keysOf(DIRECT)) {
    const value = patch[field];
    if (value === undefined || (field === 'summary' && value === null)) continue;
    Object.assign(changes, { [DIRECT[field]]: value });
  }
  if (patch.breaking !== undefined) changes.by_version = 0;
  if (patch.migrationNotes !== undefined) Object.assign(changes, await notesColumns(ctx, patch.migrationNotes));
  if (patch.composition !== undefined) changes.composition = patch.composition && toJson(patch.composition);
  if (patch.media !== undefined) changes.media = toJson(patch.media);
  if (patch.url !== undefined) {
    const item = { ...text, version, url: patch.url, guid: stored.guid };
    changes.url = patch.url;
    changes.identity_key = identityKeys([item], new Set())[0]?.key ?? stored.identity_key;
  }
  return changes;
}

// A summary that is set to null is no longer pinned and is computed again.
function pinnedAfter(stored: ReleaseRow, patch: ReleasePatch, set: readonly PinnableField[]): PinnableField[] {
  const pinned = new Set([...(patch.pinned ?? parseJson(stored.pinned)), ...set]);
  if (patch.summary === null) pinned.delete('summary');
  return [...pinned].sort();
}

function readVersion(version: string | null): string | null {
  return version === null || isPlaceholderVersion(version) ? null : version;
}

async function refuseClash(ctx: WriteContext, stored: ReleaseRow, identityKey: string): Promise<void> {
  const other = await ctx.tx
    .selectFrom('releases')
    .select('id')
    .where('source_id', '=', stored.source_id)
    .where('identity_key', '=', identityKey)
    .where('id', '!=', stored.id)
    .executeTakeFirst();
  if (other) throw conflict('url', identityKey, other.id);
}

function wireValue(row: ReleaseRow, field: PinnableField): unknown {
  switch (field) {
    case 'publishedAt':
      return row.published_at;
    case 'prerelease':
      return row.prerelease === 1;
    case 'composition':
      return row.composition && parseJson(row.composition);
    case 'media':
      return parseJson(row.media);
    case 'titleGenerated':
    case 'titleShort':
      return row[DIRECT[field]];
    case 'migrationNotes':
      return row.migration_notes;
    default:
      return row[field];
  }
}
