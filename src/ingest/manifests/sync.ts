// Updates an org from the manifest of its domain: read, check locations, then one short transaction.

import { now, transact, type WriteContext } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import type { ManifestFile } from '../../contract/manifest-file.ts';
import type { ManifestResult, ManifestSync, PlanStep } from '../../contract/manifest-sync.ts';
import { recordAudit } from '../../entities/audit.ts';
import { lockOrgs } from '../../entities/org-claims.ts';
import { resolveOrg } from '../../entities/resolve.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { ProvingContext } from '../adapters/proofs.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import { applySurvey, pauseProducts, planOf } from './apply.ts';
import { withClaim } from './claim.ts';
import { fetchManifest, writeOrgFields } from './fetch-manifest.ts';
import { type KnownOrg, loadKnown, type ManifestMemory, rememberManifest } from './known.ts';
import { writeProducts } from './products.ts';
import { locatorOf, type Surveyed, survey, wantedByFile } from './survey.ts';

interface SyncManifest {
  org: string;
  dryRun?: boolean | undefined;
  // Lifts the shrink guard for this run.
  confirm?: boolean | undefined;
}

// Results for which the manifest itself was read.
const READ: readonly ManifestResult[] = ['ok', 'unchanged', 'invalid_json', 'invalid_schema', 'claimed_elsewhere'];

export async function syncManifest(ctx: ProvingContext, input: SyncManifest): Promise<ManifestSync> {
  const { id, domain } = await resolveOrg(ctx, input.org);
  if (domain === null) return { fetched: false, applied: false, result: 'not_found', skippedReason: 'no_domain' };
  requireNoTransaction(ctx);
  const target = { id, domain, dryRun: input.dryRun ?? false, confirm: input.confirm ?? false };
  return target.dryRun ? run(ctx, target) : withClaim(ctx, id, () => run(ctx, target));
}

interface SyncTarget {
  id: string;
  domain: string;
  dryRun: boolean;
  confirm: boolean;
}

async function run(ctx: ProvingContext, target: SyncTarget): Promise<ManifestSync> {
  const reading = await fetchManifest(ctx, target);
  if (reading.result !== 'ok') {
    return leave(ctx, target, reading.result, 'issues' in reading ? { issues: reading.issues } : {});
  }
  const { file, hash } = reading;
  const claimed = file.registries?.[ctx.config.name]?.org;
  if (claimed !== undefined && claimed !== target.id) return leave(ctx, target, 'claimed_elsewhere');
  const known = await loadKnown(ctx, target.id);
  if (known.org.manifest_hash === hash && !isOpen(known)) return leave(ctx, target, 'unchanged');

  const surveyed = await surveyFile(ctx, known, file);
  const pruning = (fresh: KnownOrg) => {
    const keys = new Set(surveyed.map(({ key }) => key));
    return judgePruning(fresh, { keys, hash, day: now(ctx).slice(0, 10), confirmed: target.confirm });
  };
  if (target.dryRun) {
    const plan = [...planOf(known, surveyed), ...pruningSteps(pruning(known))];
    return { fetched: true, applied: false, result: 'ok', skippedReason: 'dry_run', plan };
  }
  return transact(ctx, (ctx) => apply(ctx, { orgId: target.id, file, hash, surveyed, pruning }));
}

// A stub has locations but no sources until it is promoted.
async function surveyFile(ctx: ProvingContext, known: KnownOrg, file: ManifestFile): Promise<Surveyed[]> {
  const wanted = wantedByFile(file);
  if (known.org.status !== 'stub') return survey(ctx.proofs, known, wanted);
  return wanted.map((one) => ({ ...one, finding: { action: 'skip', reason: 'stub', retry: false } }));
}

// Locations that could not be checked are checked again, although the manifest is unchanged.
function isOpen({ org, locations }: KnownOrg): boolean {
  return org.status === 'tracked' && locations.some((row) => row.basis === 'declared' && row.source_id === null);
}

interface Application {
  orgId: string;
  file: ManifestFile;
  hash: string;
  surveyed: Surveyed[];
  pruning: (known: KnownOrg) => Pruning;
}

async function apply(ctx: WriteContext, { orgId, file, hash, surveyed, pruning }: Application): Promise<ManifestSync> {
  await lockOrgs(ctx);
  const known = await loadKnown(ctx, orgId);
  // The manifest is applied as the service, so that its changes are not recorded as the operator's edits.
  const service = { ...ctx, caller: SYSTEM };
  const judged = pruning(known);
  await writeOrgFields(service, known, file);
  const productIds = await writeProducts(service, known, file);
  const steps = await applySurvey(service, { known, surveyed, productIds });
  if (!judged.guarded) await prune(service, judged.dropped);
  await pauseProducts(
    service,
    productIds.filter((_, index) => file.products[index]?.archived),
  );
  await rememberManifest(ctx, orgId, { ...known.memory, shrunk: judged.shrunk });
  await ctx.tx
    .updateTable('orgs')
    // The hash of a guarded manifest is not stored, so that its next reading counts as another day.
    .set({ manifest_hash: judged.guarded ? null : hash, manifest_checked_at: now(ctx), updated_at: now(ctx) })
    .where('id', '=', orgId)
    .execute();
  const plan = [...steps, ...pruningSteps(judged)];
  await recordAudit(ctx, { action: 'org.sync_manifest', targetType: 'org', targetId: orgId, after: { plan } });
  const skipped = judged.guarded ? { skippedReason: 'shrink_guard' as const } : {};
  return { fetched: true, applied: true, result: 'ok', ...skipped, plan };
}

function pruningSteps({ dropped, guarded }: Pruning): PlanStep[] {
  return dropped.map((row) => {
    const step = { locator: locatorOf(row), ...(row.source_id === null ? {} : { sourceId: row.source_id }) };
    return guarded ? { ...step, action: 'skip', reason: 'shrink_guard' } : { ...step, action: 'remove' };
  });
}

// Only records that the domain was asked.
async function leave(
  ctx: ProvingContext,
  { id, dryRun }: SyncTarget,
  result: ManifestResult,
  more: Pick<ManifestSync, 'issues'> = {},
): Promise<ManifestSync> {
  if (!dryRun) {
    const stamp = { manifest_checked_at: now(ctx) };
    await transact(ctx, ({ tx }) => tx.updateTable('orgs').set(stamp).where('id', '=', id).execute(), 'bookkeeping');
  }
  return { fetched: READ.includes(result), applied: false, result, ...more };
}

// Removes locations that a manifest no longer declares. A manifest that suddenly drops most of them may be a mistake, so it
// has to be seen on several days.

const MIN_DROPPED = 3;
const DAYS_TO_BELIEVE = 3;

interface Pruning {
  dropped: ReleaseLocationRow[];
  // The manifest drops too much to be applied at once.
  guarded: boolean;
  // The state to store for the next reading.
  shrunk: ManifestMemory['shrunk'];
}

function judgePruning(
  { locations, memory }: Pick<KnownOrg, 'locations' | 'memory'>,
  read: { keys: ReadonlySet<string>; hash: string; day: string; confirmed: boolean },
): Pruning {
  const declared = locations.filter(({ basis }) => basis === 'declared');
  const dropped = declared.filter(({ match_key }) => !read.keys.has(match_key));
  const shrinks = dropped.length >= MIN_DROPPED && dropped.length * 2 > declared.length;
  if (!shrinks || read.confirmed) return { dropped, guarded: false, shrunk: null };
  const before = memory.shrunk?.hash === read.hash ? memory.shrunk.days : [];
  const days = [...new Set([...before, read.day])];
  const guarded = days.length < DAYS_TO_BELIEVE;
  return { dropped, guarded, shrunk: guarded ? { hash: read.hash, days } : null };
}

// Removes the rows. Their releases stay, and sources that only the manifest declared are paused.
async function prune(ctx: WriteContext, rows: readonly ReleaseLocationRow[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.tx
    .deleteFrom('release_locations')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const orphans = rows.flatMap(({ source_id }) => source_id ?? []);
  if (orphans.length === 0) return;
  // Written without an audit row: every row there is a person's change.
  await ctx.tx
    .updateTable('sources')
    .set({ fetch_priority: 'paused', updated_at: now(ctx) })
    .where('id', 'in', orphans)
    .where('discovery', '=', 'agent')
    .where('deleted_at', 'is', null)
    .where('id', 'not in', ctx.tx.selectFrom('audit_log').select('target_id').where('target_id', 'in', orphans))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('release_locations')
        .select('source_id')
        .where('source_id', 'in', orphans)
        .where('deleted_at', 'is', null)
        .$castTo<{ source_id: string }>(),
    )
    .execute();
}
