// What `ignoreVersions` and `prereleaseVersions` of a source make of a stored release.
import { RowBuilder, unpinned } from '../../catalog/releases/row-builder.ts';
import { type VersionFields, versionPatterns } from '../../catalog/releases/versions.ts';
import type { SourceInOrg } from '../../catalog/resolve.ts';
import type { WriteContext } from '../../context.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { AppliedSettings } from './order.ts';

interface VersionChange {
  // Wire names of what a reader sees to be different.
  changed: string[];
  changes: Partial<ReleaseRow>;
}

// Only releases that a pattern of today or of before speaks of are looked at: what the source itself said stands.
export function versionRules(
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
    // The flag that the source gave is not kept; its next fetch gives it again.
    const keep = isPinned || (!wasForced && !isForced);
    const fields = rows.versionOf({ version, prerelease: keep ? row.prerelease === 1 : undefined });
    const changed = fields.prerelease === row.prerelease ? [] : ['prerelease'];
    if (changed.length === 0 && fields.version_sort === row.version_sort) return null;
    return { changed, changes: await columns(rows, row, fields) };
  };
}

async function columns(rows: RowBuilder, row: ReleaseRow, version: VersionFields): Promise<Partial<ReleaseRow>> {
  const { version_sort, prerelease } = version;
  // Texts that a model or an operator wrote do not hang on the number.
  if (row.derived_by !== 'rules' || row.origin === 'api') return { version_sort, prerelease };
  const { title, content, type, origin } = row;
  const derived = await rows.derive({ title, content, version, type, origin });
  return { version_sort, prerelease, ...unpinned(derived, row) };
}
