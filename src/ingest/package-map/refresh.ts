// One refresh of the manifests of a repository: everything is fetched first, then written in one transaction.

import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { fileNameOf, folderOf, isIgnoredFolder } from '../../domain/changelog/files.ts';
import { type Ecosystem, ecosystemOfFile, publishedName, SCOPED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import { partOfPackage } from '../../domain/upgrade/requested-package.ts';
import { noteSpelling } from '../../entities/packages/spelling.ts';
import { findSource } from '../../entities/resolve.ts';
import { partsOfSources } from '../../packages/whats-changed/package-sources.ts';
import { parseJson } from '../../store/json-text.ts';
import type { PackageClaimRow } from '../../store/schema/repositories.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { readDocument } from '../../threads/documents.ts';
import type { AdapterContext, Budget } from '../adapters/contract.ts';
import { createGithubApi } from '../adapters/github/api.ts';
import { repositoryPath } from '../adapters/github/run.ts';
import type { Failure } from '../adapters/outcomes.ts';
import { fileAddresses } from '../changelog-files/addresses.ts';
import { byDepthAndPath, type TreeFile } from '../changelog-files/choose.ts';
import { downloadFile } from '../changelog-files/download.ts';
import { readTree, type TreeAnswer } from '../changelog-files/read-tree.ts';
import { readValidators, storeValidators } from '../state/validators.ts';
import { MANIFEST_READING } from './manifest-task.ts';
import { writeMap } from './write-map.ts';

interface PackageMapRefresh {
  outcome: FetchOutcome;
  detail: string | null;
  httpStatus: number | null;
  retryAt: string | null;
  // The number of manifests that were read again, and of map entries that changed.
  read: number;
  changed: number;
  budget: Budget | null;
}

const MANIFEST_TREE = 'tree:manifests';

export async function refreshPackageMap(
  ctx: Context,
  adapterCtx: AdapterContext,
  source: SourceRow,
): Promise<PackageMapRefresh> {
  const coordinate = source.github_coordinate;
  if (coordinate === null) return ended(null, NOT_A_REPOSITORY);
  const api = createGithubApi(adapterCtx, await readValidators(ctx, source.id));
  const tree = await readTree(api, {
    repositoryPath: repositoryPath({ coordinate }),
    paths: await storedLocations(ctx, source.id),
    endpoint: MANIFEST_TREE,
  });
  if (tree.kind === 'failure') return ended(api.budget, tree.failure);
  const files = tree.kind === 'read' ? chooseManifests(tree.files) : [];
  const found = await readManifests(ctx, adapterCtx, { source, files });
  const changed = await transact(ctx, (ctx) => settle(ctx, { source, tree, found }), 'derived');
  const outcome = changed > 0 ? 'success' : 'no_change';
  const end = found.failure ?? { outcome, detail: null, httpStatus: 200, retryAt: null };
  return { ...ended(api.budget, end), read: found.fresh.length, changed };
}

const NOT_A_REPOSITORY: Failure = {
  outcome: 'error',
  detail: 'the source names no GitHub repository',
  httpStatus: null,
  retryAt: null,
};

type MapOutcome = Pick<PackageMapRefresh, 'outcome' | 'detail' | 'httpStatus' | 'retryAt'>;

function ended(budget: Budget | null, { outcome, detail, httpStatus, retryAt }: MapOutcome): PackageMapRefresh {
  return { outcome, detail, httpStatus, retryAt, read: 0, changed: 0, budget };
}

async function storedLocations(ctx: Context, sourceId: string): Promise<string[]> {
  const claims = queries(ctx).selectFrom('package_claims').select('location').where('source_id', '=', sourceId);
  return (await claims.execute()).map(({ location }) => location);
}

interface ManifestsRead {
  fresh: FreshClaim[];
  // The raw host is a cache and can be some minutes older than the tree.
  isBehind: boolean;
  // The failure of the last download; what was read before is stored all the same.
  failure: Failure | null;
}

async function readManifests(
  ctx: Context,
  adapterCtx: AdapterContext,
  { source, files }: { source: SourceRow; files: readonly TreeFile[] },
): Promise<ManifestsRead> {
  const stored = await queries(ctx)
    .selectFrom('package_claims')
    .select(['location', 'blob_hash'])
    .where('source_id', '=', source.id)
    .execute();
  const hashes = new Map(stored.map(({ location, blob_hash }) => [location, blob_hash]));
  const result: ManifestsRead = { fresh: [], isBehind: false, failure: null };
  for (const { path, hash, size } of files) {
    const ecosystem = ecosystemOfFile('manifests', fileNameOf(path));
    if (ecosystem === null || (hash !== null && hashes.get(path) === hash)) continue;
    const claim = { source, path, ecosystem };
    const { rawUrl } = fileAddresses(adapterCtx.settings, source.github_coordinate ?? '', path);
    const got = await downloadFile(adapterCtx, { rawUrl, hash, size });
    if (got.kind === 'text') {
      result.fresh.push(await claimOf(claim, got));
      if (hash !== null && got.hash !== hash) result.isBehind = true;
      // A file that is no text names no package.
    } else if (got.failure.outcome === 'malformed') result.fresh.push(await claimOf(claim, { text: '', hash }));
    else result.failure ??= got.failure;
    // A missing file says nothing about the others; any other failure would meet them too.
    if (result.failure && result.failure.outcome !== 'gone') break;
  }
  return result;
}

async function claimOf(
  { source, path, ecosystem }: { source: SourceRow; path: string; ecosystem: Ecosystem },
  { text, hash }: { text: string; hash: string | null },
): Promise<FreshClaim> {
  const filename = fileNameOf(path);
  const manifest = await readDocument(MANIFEST_READING, { filename, text }, text.length);
  const names = [source.github_coordinate, ...parseJson(source.former_coordinates)];
  return {
    location: path,
    blob_hash: hash,
    ecosystem,
    name: manifest?.name ?? null,
    spelling: manifest?.spelling ?? null,
    is_own: manifest?.repositories.some((coordinate) => names.includes(coordinate)) ? 1 : 0,
  };
}

async function settle(
  ctx: Parameters<typeof writeMap>[0],
  {
    source: { id: sourceId },
    tree,
    found: { fresh, isBehind, failure },
  }: { source: SourceRow; tree: Exclude<TreeAnswer, { kind: 'failure' }>; found: ManifestsRead },
): Promise<number> {
  await ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`);
  if (!(await findSource(ctx, { src: sourceId }))) return 0;
  const isWhole = tree.kind === 'same' || (tree.complete && failure === null);
  const paths = tree.kind === 'read' && tree.complete ? new Set(tree.files.map(({ path }) => path)) : null;
  await writeClaims(ctx, { sourceId, fresh, paths });
  const validator = tree.kind === 'read' ? tree.validator : null;
  if (validator && isWhole && !isBehind) await storeValidators(ctx, sourceId, [validator]);
  const changed = await writeMap(ctx, { sourceId, complete: isWhole });
  await noteSpellings(ctx, sourceId, fresh);
  return changed;
}

// A repository may spell only names that the map assigns to it.
async function noteSpellings(ctx: WriteContext, sourceId: string, fresh: readonly FreshClaim[]): Promise<void> {
  const spelled = new Map(
    fresh.flatMap(({ name, spelling }) => (name && spelling && spelling !== name ? [[name, spelling] as const] : [])),
  );
  if (spelled.size === 0) return;
  const own = await ctx.tx
    .selectFrom('packages')
    .select(['ecosystem', 'name'])
    .where('source_id', '=', sourceId)
    .where('name', 'in', [...spelled.keys()])
    .execute();
  for (const named of own) await noteSpelling(ctx, named, spelled.get(named.name) ?? named.name);
}

export const MAX_MANIFESTS = 300;
// Larger files are generated and not read.
const MAX_BYTES = 512 * 1024;

// The manifests nearest to the root come first.
export function chooseManifests(tree: readonly TreeFile[]): TreeFile[] {
  const manifests = tree.filter(
    ({ path, size }) =>
      ecosystemOfFile('manifests', fileNameOf(path)) !== null &&
      (size ?? 0) <= MAX_BYTES &&
      !folderOf(path).split('/').some(isIgnoredFolder),
  );
  return manifests.sort(byDepthAndPath).slice(0, MAX_MANIFESTS);
}

// Stores what a source says about the packages it publishes: by its manifests, and by tags that begin with a scoped name.

type ManifestClaim = Pick<PackageClaimRow, 'location' | 'blob_hash' | 'ecosystem' | 'name' | 'is_own'>;

interface FreshClaim extends ManifestClaim {
  // The name as it is published.
  spelling: string | null;
}

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
async function writeClaims(ctx: WriteContext, { sourceId, fresh, paths }: ClaimsRead): Promise<void> {
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
    const name = part.startsWith('@') && part.includes('/') ? publishedName(SCOPED_ECOSYSTEM, part) : null;
    if (name === null) return [];
    return [
      { location: TAG + part, blob_hash: null, ecosystem: SCOPED_ECOSYSTEM, name, is_own: 0, package_part: part },
    ];
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
