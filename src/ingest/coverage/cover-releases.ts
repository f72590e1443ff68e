// Links new releases to releases of the same launch, in the transaction that inserts them.
import type { WriteContext } from '../../context.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { coverCascades } from './cover-cascades.ts';
import { coverInOrg } from './cover-org.ts';
import { type LightRow, rowsById } from './rows.ts';
import { orderVectorCoverage } from './vector-job.ts';

interface CoveredSource {
  source: SourceRow;
  org: OrgRow | null;
  visible: boolean;
}

// Returns which of the given releases are now covered by another one: they are not announced.
export async function coverReleases(
  ctx: WriteContext,
  { source, org, visible }: CoveredSource,
  releaseIds: readonly string[],
): Promise<ReadonlySet<string>> {
  // A source without an org and without a repository has no releases to compare with.
  const alone = org === null && source.github_coordinate === null;
  if (!visible || alone || releaseIds.length === 0) return new Set();
  // Read again only after links were written.
  let rows = await rowsById(ctx, releaseIds);
  const fresh = eligible(ctx, rows);
  if (fresh.length === 0) return new Set();
  const isRepository = source.github_coordinate !== null;
  if (isRepository && (await coverCascades(ctx, source.id, fresh))) rows = await rowsById(ctx, releaseIds);
  const open = eligible(ctx, rows).filter(({ coverage_of }) => coverage_of === null);
  const compared = org !== null && open.length > 0 ? { org, sourceId: source.id, fresh: open } : null;
  if (compared && (await coverInOrg(ctx, compared))) rows = await rowsById(ctx, releaseIds);
  const isOpen = rows.some(({ listing, coverage_of }) => listing === 2 && coverage_of === null);
  if (org !== null && isOpen) await orderVectorCoverage(ctx, source, org);
  return new Set(rows.filter(({ coverage_of }) => coverage_of !== null).map(({ id }) => id));
}

// Releases with a future date are left out, so that they hide none that readers see.
function eligible(ctx: WriteContext, rows: readonly LightRow[]): LightRow[] {
  const present = ctx.clock().getTime();
  return rows.filter(
    ({ listing, published_at }) => listing > 0 && published_at !== null && Date.parse(published_at) <= present,
  );
}
