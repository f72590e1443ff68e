// Reads one release by its id, with the visibility rules for single releases.
import { addDependencies, type Context, now, queries } from '../context.ts';
import { seesHidden } from '../contract/caller.ts';
import { notFound } from '../contract/errors.ts';
import type { ReleaseDetail, ReleaseRowShape } from '../contract/release.ts';
import { pick } from '../domain/records.ts';
import { isWithdrawn } from '../domain/withdrawal.ts';
import { visibleSource } from '../entities/visible.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';
import { authoredMark, authorsOf, differenceOf } from './authored.ts';
import { storedReleaseFields } from './release-fields.ts';
import { leanItem, loadSurroundings, type ReleaseOwners, storeAndVideo } from './release-items.ts';
import { withdrawnAtRegistry } from './withdrawn.ts';

// Only writers may read suppressed and future releases, and those of hidden sources, unless a lookup created the
// source. What its author has withdrawn stays readable, because version ranges lead to it.
export async function resolveRelease(ctx: Context, id: string): Promise<ReleaseRow> {
  const row = await findRelease(ctx, id);
  if (!row) throw notFound('release', id);
  const withdrawn = isWithdrawn(row);
  const suppressed = row.suppressed === 1 && !withdrawn;
  // The listing of a withdrawn release does not tell whether its source is shown.
  const hidden = withdrawn ? !(await isShown(ctx, row.source_id)) : row.listing < 0;
  const unlisted = hidden && (await isUnlisted(ctx, row.source_id));
  const upcoming = row.feed_at > now(ctx);
  if (!seesHidden(ctx.caller) && (suppressed || upcoming || (hidden && !unlisted))) throw notFound('release', id);
  if (hidden || suppressed || upcoming) ctx.answer.containsHidden = true;
  return row;
}

// Releases of deleted sources cannot be read by anybody.
export async function findRelease(ctx: Context, id: string): Promise<ReleaseRow | null> {
  const row = await queries(ctx)
    .selectFrom('releases as r')
    .innerJoin('sources as s', 's.id', 'r.source_id')
    .selectAll('r')
    .where('r.id', '=', id)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
  addDependencies(ctx, row?.source_id ?? null);
  return row ?? null;
}

async function isShown(ctx: Context, sourceId: string): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('s.id')
    .where('s.id', '=', sourceId)
    .where(visibleSource())
    .executeTakeFirst();
  return row !== undefined;
}

async function isUnlisted(ctx: Context, sourceId: string): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('sources')
    .select('id')
    .where('id', '=', sourceId)
    .where('is_hidden', '=', 1)
    .where('discovery', '=', 'on_demand')
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseDetail(ctx: Context, id: string): Promise<ReleaseDetail> {
  return detailOf(ctx, await resolveRelease(ctx, id));
}

export async function detailOf(ctx: Context, row: ReleaseRow): Promise<ReleaseDetail> {
  const near = await surroundingsOf(ctx, row);
  const item = leanItem(ctx, row, near);
  const { appStore = null, video = null } = storeAndVideo(near);
  const stored = storedReleaseFields(row);
  const [listed, authors] = await Promise.all([withdrawnAtRegistry(ctx, [row.id]), authorsOf(ctx, [row.id])]);
  const withdrawn = isWithdrawn(row) || listed.has(row.id);
  const author = authors.get(row.id);
  return {
    ...item,
    ...(withdrawn ? { withdrawn: true as const } : {}),
    ...(author && { authored: { ...authoredMark(author, near.orgSlug), differs: differenceOf(author) } }),
    content: row.content,
    org: item.org && {
      ...item.org,
      avatarUrl: near.orgAvatarUrl,
      discovery: near.orgDiscovery ?? 'curated',
      isHidden: near.orgIsHidden === 1,
    },
    sourceName: near.sourceName,
    sourceSlug: near.sourceSlug,
    sourceType: near.sourceType,
    sourceIsHidden: near.sourceIsHidden === 1,
    appStore,
    video,
    contentHash: stored.contentHash,
    effectiveCategory: row.effective_category,
    ...pick(stored, 'suppressed', 'suppressedReason', 'suppressedBy', 'embeddedAt', 'versionSort'),
    derivedBy: row.derived_by,
    revisionCount: stored.revisionCount,
    coverage: { role: coverageRole(row), canonicalId: row.coverage_of },
  };
}

export function coverageRole(
  row: Pick<ReleaseRow, 'coverage_of' | 'coverage_count'>,
): 'standalone' | 'canonical' | 'coverage' {
  if (row.coverage_of) return 'coverage';
  return row.coverage_count > 0 ? 'canonical' : 'standalone';
}

async function surroundingsOf(ctx: Context, row: ReleaseRow): Promise<ReleaseOwners> {
  const near = (await loadSurroundings(ctx, [row.source_id])).get(row.source_id);
  if (!near) throw notFound('release', row.id);
  return near;
}

// The response of writes: the item and everything that an operator needs.
export async function releaseRowShape(ctx: Context, id: string): Promise<ReleaseRowShape> {
  const row = await findRelease(ctx, id);
  if (!row) throw notFound('release', id);
  return {
    ...leanItem(ctx, row, await surroundingsOf(ctx, row)),
    content: row.content,
    ...storedReleaseFields(row),
  };
}
