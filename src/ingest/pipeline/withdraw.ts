// Suppresses releases that their source has withdrawn, and shows them again when the source does.

import type { WriteContext } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { sourceById } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../../releases/figures.ts';
import { refreshCoverageCounts } from '../../releases/write/coverage-count.ts';
import { releasesWhere } from '../../releases/write/match-stored.ts';
import { reviseRelease } from '../../releases/write/revise.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';

const REASON = 'withdrawn';

// Whether the source took the release back because its listing lacked it, so that it returns with the next sight.
export function wasWithdrawn(row: Pick<ReleaseRow, 'suppressed_by' | 'suppressed_reason'>): boolean {
  return row.suppressed_by === 'source' && row.suppressed_reason === REASON;
}

interface Withdrawal {
  sourceId: string;
  // Guids, as the adapter names them.
  withdrawn: readonly string[];
  restored: readonly string[];
  // Ids of releases that were seen again.
  seenAgain: readonly string[];
}

// Returns how many releases changed.
export async function withdrawReleases(ctx: WriteContext, withdrawal: Withdrawal): Promise<number> {
  const { sourceId, withdrawn, restored, seenAgain } = withdrawal;
  if (withdrawn.length + restored.length + seenAgain.length === 0) return 0;
  const sourceInOrg = await sourceById(ctx, sourceId);
  if (!sourceInOrg) return 0;
  const gone = (await releasesWhere(ctx, sourceId, { column: 'guid', values: withdrawn })).filter(
    (row) => row.suppressed === 0,
  );
  const back = [
    ...(await releasesWhere(ctx, sourceId, { column: 'guid', values: restored })),
    ...(await releasesWhere(ctx, sourceId, { column: 'id', values: seenAgain })),
  ].filter(wasWithdrawn);
  const changes = new Map<string, { row: ReleaseRow; hide: boolean }>();
  for (const row of back) changes.set(row.id, { row, hide: false });
  for (const row of gone) changes.set(row.id, { row, hide: true });
  const days = new Set<string>();
  for (const { row, hide } of changes.values()) {
    await reviseRelease(ctx, sourceInOrg, {
      stored: row,
      changed: ['suppressed'],
      cause: hide ? 'withdrawn' : 'restored',
      changes: hide
        ? { suppressed: 1, suppressed_reason: REASON, suppressed_by: 'source' }
        : { suppressed: 0, suppressed_reason: null, suppressed_by: null },
    });
    if (row.published_at) days.add(utcDay(row.published_at));
    if (row.coverage_of) await refreshCoverageCounts(ctx, { ids: [row.coverage_of] });
  }
  if (changes.size > 0) {
    await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, days);
    await refreshOrgCount(ctx, sourceInOrg.source.org_id);
  }
  return changes.size;
}
