// Stores what a source says about the packages it publishes: by its manifests, and by tags that begin with a scoped name.
import type { WriteContext } from '../../context.ts';
import { publishedName } from '../../domain/upgrade/manifests/read-manifest.ts';
import { partOfPackage } from '../../domain/upgrade/package-part.ts';
import { partsOfSources } from '../../insight/whats-changed/package-parts.ts';
import type { PackageClaimRow } from '../../store/schema/repositories.ts';
import { folderOf } from '../adapters/changelog/files.ts';

export type ManifestClaim = Pick<PackageClaimRow, 'location' | 'blob_hash' | 'ecosystem' | 'name' | 'is_own'>;

function storedClaims(ctx: Pick<WriteContext, 'tx'>, sourceId: string): Promise<PackageClaimRow[]> {
  return ctx.tx
    .selectFrom('package_claims')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('location')
    .execute();
}

const TAG = 'tag:';

interface ClaimsRead {
  sourceId: string;
  // The manifests that were read again.
  fresh: readonly ManifestClaim[];
  // Every path of a complete tree; null when the tree is not known as a whole.
  paths: ReadonlySet<string> | null;
}

// Updates the claims of a source from the manifests that were read and from its tags.
export async function writeClaims(ctx: WriteContext, { sourceId, fresh, paths }: ClaimsRead): Promise<void> {
  const stored = await storedClaims(ctx, sourceId);
  const parts = (await partsOfSources(ctx, [sourceId])).get(sourceId)?.parts ?? [];
  const manifests = new Map<string, ManifestClaim>();
  for (const claim of stored) {
    const isGone = paths !== null && !paths.has(claim.location);
    if (!claim.location.startsWith(TAG) && !isGone) manifests.set(claim.location, claim);
  }
  for (const claim of fresh) manifests.set(claim.location, claim);
  const wanted = [...[...manifests.values()].map((claim) => withPart(claim, parts)), ...tagClaims(parts)];
  await replaceClaims(ctx, { sourceId, stored, wanted });
}

type ClaimColumns = Omit<PackageClaimRow, 'source_id'>;

function withPart(claim: ManifestClaim, parts: readonly string[]): ClaimColumns {
  const { location, blob_hash, ecosystem, name, is_own } = claim;
  const part = name === null ? null : partOfPackage(parts, { name, folder: folderOf(location) });
  return { location, blob_hash, ecosystem, name, is_own, package_part: part };
}

// A tag such as `@scope/pkg@1.2.3` names the package that it releases.
function tagClaims(parts: readonly string[]): ClaimColumns[] {
  return parts.flatMap((part): ClaimColumns[] => {
    const name = part.startsWith('@') && part.includes('/') ? publishedName('npm', part) : null;
    if (name === null) return [];
    return [{ location: TAG + part, blob_hash: null, ecosystem: 'npm', name, is_own: 0, package_part: part }];
  });
}

async function replaceClaims(
  ctx: WriteContext,
  {
    sourceId,
    stored,
    wanted,
  }: { sourceId: string; stored: readonly PackageClaimRow[]; wanted: readonly ClaimColumns[] },
): Promise<void> {
  const before = new Map(stored.map(({ source_id, ...claim }) => [claim.location, JSON.stringify(sorted(claim))]));
  const wantedPaths = new Set(wanted.map(({ location }) => location));
  const gone = stored.map(({ location }) => location).filter((location) => !wantedPaths.has(location));
  if (gone.length > 0) {
    await ctx.tx.deleteFrom('package_claims').where('source_id', '=', sourceId).where('location', 'in', gone).execute();
  }
  for (const claim of wanted) {
    if (before.get(claim.location) === JSON.stringify(sorted(claim))) continue;
    await ctx.tx
      .insertInto('package_claims')
      .values({ source_id: sourceId, ...claim })
      .onConflict((conflict) => conflict.columns(['source_id', 'location']).doUpdateSet(claim))
      .execute();
  }
}

function sorted({ location, blob_hash, ecosystem, name, is_own, package_part }: ClaimColumns) {
  return [location, blob_hash, ecosystem, name, is_own, package_part];
}
