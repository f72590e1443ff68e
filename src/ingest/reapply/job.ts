// Applies changed settings to the stored releases of a source, 500 in a transaction.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { factsOf } from '../../domain/source-types.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { type SourceInOrg, sourceById } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../../releases/figures.ts';
import { unpinned } from '../../releases/release-columns.ts';
import { type VersionFields, versionPatterns } from '../../releases/versions.ts';
import { refreshCoverageCounts } from '../../releases/write/coverage-count.ts';
import { itemFilter } from '../../releases/write/item-filters.ts';
import { reviseRelease } from '../../releases/write/revise.ts';
import { RowBuilder } from '../../releases/write/row-builder.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { tagFilter, tagSpellings } from '../adapters/github/tag-patterns.ts';
import type { ClaimedJob } from '../queue/job.ts';
import { complete } from '../queue/lease.ts';
import type { AppliedSettings } from './enqueue.ts';

const ROWS = 500;
const REASON = 'filter';

export async function runReapplying(ctx: Context, job: ClaimedJob): Promise<void> {
  const { before = {}, from = 0 } = job.payload as { before?: AppliedSettings; from?: number };
  const { lease, sourceId } = job;
  await transact(
    ctx,
    async (ctx) => {
      const last = sourceId === null ? null : await reapply(ctx, { sourceId, before, from });
      await complete(ctx, lease, last === null ? null : { dueAt: now(ctx), payload: { before, from: last } });
    },
    'derived',
  );
}

// Returns where the next transaction begins; null after the last row.
async function reapply(
  ctx: WriteContext,
  { sourceId, before, from }: { sourceId: string; before: AppliedSettings; from: number },
): Promise<number | null> {
  await ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`);
  const sourceInOrg = await sourceById(ctx, sourceId);
  if (!sourceInOrg) return null;
  const rows = await ctx.tx
    .selectFrom('releases')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('seq', '>', from)
    .orderBy('seq')
    .limit(ROWS)
    .execute();
  const refused = await filterOf(ctx, sourceInOrg, rows);
  const versions = versionRules(ctx, sourceInOrg, before);
  const days = new Set<string>();
  for (const row of rows) {
    const listing = suppression(row, refused(row));
    const version = await versions(row);
    if (!listing && !version) continue;
    const changed = [...(listing ? ['suppressed'] : []), ...(version?.changed ?? [])];
    const cause = changed.length > 0 ? 'reparse' : null;
    await reviseRelease(ctx, sourceInOrg, {
      stored: row,
      changed,
      cause,
      changes: { ...listing, ...version?.changes },
    });
    if (row.published_at) days.add(utcDay(row.published_at));
    if (listing && row.coverage_of) await refreshCoverageCounts(ctx, { ids: [row.coverage_of] });
  }
  await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, days);
  await refreshOrgCount(ctx, sourceInOrg.source.org_id);
  return rows.length < ROWS ? null : (rows.at(-1)?.seq ?? null);
}

async function filterOf(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  rows: readonly ReleaseRow[],
): Promise<(row: ReleaseRow) => boolean> {
  const byItem = await itemFilter(ctx, sourceInOrg, rows);
  const byTag = tagFilter(sourceInOrg.source.settings);
  return (row) => {
    const isTagged = factsOf(sourceInOrg.source.type).isRepository && row.version !== null && row.origin !== 'api';
    if (isTagged && !byTag(row.origin === 'changelog' ? tagSpellings(row.version) : [row.version ?? ''])) return true;
    return byItem(row) === 'filtered';
  };
}

// A release that is suppressed for another reason stays suppressed.
function suppression(row: ReleaseRow, refused: boolean): Partial<ReleaseRow> | null {
  if (refused)
    return row.suppressed === 1 ? null : { suppressed: 1, suppressed_reason: REASON, suppressed_by: 'source' };
  return row.suppressed_by === 'source' && row.suppressed_reason === REASON
    ? { suppressed: 0, suppressed_reason: null, suppressed_by: null }
    : null;
}

interface VersionChange {
  // Wire names of the fields that change for readers.
  changed: string[];
  changes: Partial<ReleaseRow>;
}

// Applies `ignoreVersions` and `prereleaseVersions` to a stored release. Only releases that a current or previous pattern
// matches are considered: for others the values of the source stay.
function versionRules(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  before: AppliedSettings,
): (row: ReleaseRow) => Promise<VersionChange | null> {
  const patterns = versionPatterns(sourceInOrg.source);
  const rows = new RowBuilder(ctx, sourceInOrg);
  const old = versionPatterns({ settings: toJson(before) });
  const named = [...patterns.ignore, ...patterns.prerelease, ...old.ignore, ...old.prerelease];
  return async (row) => {
    const { version } = row;
    if (version === null || !named.some((pattern) => pattern.test(version))) return null;
    const wasForced = old.prerelease.some((pattern) => pattern.test(version));
    const isForced = patterns.prerelease.some((pattern) => pattern.test(version));
    const isPinned = parseJson(row.pinned).includes('prerelease');
    // The prerelease flag of the source is not stored; its next fetch sets it again.
    const keep = isPinned || (!wasForced && !isForced);
    const fields = rows.versionOf({ version, prerelease: keep ? row.prerelease === 1 : undefined });
    const changed = fields.prerelease === row.prerelease ? [] : ['prerelease'];
    if (changed.length === 0 && fields.version_sort === row.version_sort) return null;
    return { changed, changes: await columns(rows, row, fields) };
  };
}

async function columns(rows: RowBuilder, row: ReleaseRow, version: VersionFields): Promise<Partial<ReleaseRow>> {
  const { version_sort, feed_version, prerelease } = version;
  // Texts of a model or an operator do not depend on the version.
  if (row.derived_by !== 'rules' || row.origin === 'api') return { version_sort, feed_version, prerelease };
  const { title, content, type, origin } = row;
  const derived = await rows.derive({ title, content, version, type, origin });
  return { version_sort, feed_version, prerelease, ...unpinned(derived, row) };
}
