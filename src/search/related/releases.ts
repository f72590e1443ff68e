// Releases about something similar: neighbours of the stored vector, ranked by similarity, age and content.

import { addDependencies, type Context, now } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { RelatedRelease, RelatedScope } from '../../contract/related.ts';
import { tierOf } from '../../domain/embedding/content-tier.ts';
import { releaseIdOf } from '../../domain/ids.ts';
import { pick } from '../../domain/records.ts';
import { isRelated, type RelatedNeighbour as Ranked, relatedRank } from '../../domain/retrieval/related-rank.ts';
import type { VectorHit } from '../../domain/retrieval/retrievers.ts';
import { resolveRelease } from '../../releases/detail.ts';
import { RELEASE_COLUMNS, releaseFields, thumbnailOf } from '../../releases/release-fields.ts';
import { loadSurroundings, type ReleaseOwners, storeAndVideo } from '../../releases/release-items.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import {
  cachedNeighbours,
  degradedAnswer,
  excludedOrgIds,
  isInScope,
  type Neighbours,
  neighbourCount,
  type Related,
  type RelatedQuestion,
} from './answer.ts';

export async function relatedReleases(
  ctx: Context,
  { release, ...question }: RelatedQuestion & { release: string },
): Promise<Related<RelatedRelease>> {
  const id = releaseIdOf(release);
  if (id === null) throw notFound('release', release, { parameter: 'release' });
  return relatedTo(ctx, await resolveRelease(ctx, id), question, await excludedOrgIds(ctx, question));
}

// The same for a release that was read already.
export async function relatedTo(
  ctx: Context,
  anchor: ReleaseRow,
  { scope, limit }: Pick<RelatedQuestion, 'scope' | 'limit'>,
  excluded: readonly string[],
): Promise<Related<RelatedRelease>> {
  if (scope === 'org' && anchor.org_id === null) return withoutOrg(ctx, anchor, scope);
  const name = ['release', anchor.id, scope, neighbourCount(limit), excluded];
  const neighbours = await cachedNeighbours(ctx, name, () => neighboursOf(ctx, anchor, { scope, limit }, excluded));
  if ('degraded' in neighbours) return degradedAnswer(ctx, scope, neighbours);
  const candidates = (await candidatesOf(ctx, anchor, neighbours.hits)).filter(({ row }) =>
    isInScope(row.org_id, { scope, anchorOrg: anchor.org_id, excluded }),
  );
  const present = ctx.clock();
  const ranked = candidates
    .filter((one) => isRelated(one, scope))
    .sort((a, b) => relatedRank(b, present) - relatedRank(a, present) || b.row.seq - a.row.seq)
    .slice(0, limit);
  return { scope, items: ranked.map((one) => shape(ctx, one)), degraded: false };
}

// Without an org there are no siblings, but a missing vector is still reported.
async function withoutOrg(ctx: Context, anchor: ReleaseRow, scope: RelatedScope): Promise<Related<RelatedRelease>> {
  const known = await ctx.ports.vectors.stored(ctx, { kind: 'release', ref: anchor.id });
  return 'degraded' in known ? degradedAnswer(ctx, scope, known) : { scope, items: [], degraded: false };
}

async function neighboursOf(
  ctx: Context,
  anchor: ReleaseRow,
  { scope, limit }: RelatedQuestion,
  exceptOrgIds: readonly string[],
): Promise<Neighbours> {
  const { vectors } = ctx.ports;
  const known = await vectors.stored(ctx, { kind: 'release', ref: anchor.id });
  if ('degraded' in known) return known;
  const filter = {
    includePrereleases: true,
    includeCoverage: false,
    ...(scope === 'org' && anchor.org_id ? { orgIds: [anchor.org_id] } : {}),
  };
  const { vector } = known;
  return vectors.search(ctx, { kind: 'release', vector, filter, exceptOrgIds, limit: neighbourCount(limit) });
}

type NeighbourRow = Awaited<ReturnType<typeof rowsOf>>[number];

interface RelatedCandidate extends Ranked {
  row: NeighbourRow;
  near: ReleaseOwners;
}

// Releases that are visible now, without the anchor and without releases of the same launch.
async function candidatesOf(ctx: Context, anchor: ReleaseRow, hits: readonly VectorHit[]): Promise<RelatedCandidate[]> {
  const canonical = anchor.coverage_of ?? anchor.id;
  const cosines = new Map(hits.map(({ key, cosine }) => [key, cosine]));
  const present = now(ctx);
  const found = await rowsOf(ctx, [...cosines.keys()]);
  // Neighbours that are hidden now may be shown again, so the answer depends on all of them.
  addDependencies(ctx, ...found.map((row) => row.source_id));
  const rows = found.filter((row) => {
    if (row.listing !== 2 || row.deleted !== 0 || (row.published_at ?? '') > present) return false;
    return row.id !== anchor.id && row.id !== canonical && row.coverage_of !== canonical;
  });
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.flatMap((row) => {
    const near = surroundings.get(row.source_id);
    if (!near) return [];
    const { published_at: publishedAt, importance } = row;
    const cosine = cosines.get(row.seq) ?? 0;
    return [{ row, near, cosine, publishedAt, importance, tier: tierOf(row.tier), sourceType: near.sourceType }];
  });
}

async function rowsOf(ctx: Context, keys: readonly number[]) {
  if (keys.length === 0) return [];
  const { space } = ctx.ports.vectors.status();
  return ctx.store.search
    .selectFrom('releases as r')
    .innerJoin('vectors as v', (join) =>
      join
        .on('v.space', '=', space ?? '')
        .on('v.kind', '=', 'release')
        .onRef('v.key', '=', 'r.seq'),
    )
    .select(RELEASE_COLUMNS.map((column) => `r.${column}` as const))
    .select(['r.seq', 'r.org_id', 'r.listing'])
    .select(['v.tier', 'v.deleted'])
    .where(ctx.store.dialect.amongKeys('r.seq', keys))
    .execute();
}

function shape({ config }: Context, { row, near, cosine }: RelatedCandidate): RelatedRelease {
  const { appStore } = storeAndVideo(near);
  const fields = releaseFields(row, config.webUrl);
  return {
    ...pick(fields, 'id', 'title', 'version', 'url', 'webUrl', 'publishedAt', 'summary'),
    ...pick(fields, 'titleGenerated', 'titleShort', 'importance', 'security'),
    thumbnail: thumbnailOf(fields),
    score: cosine,
    source: {
      id: near.sourceId,
      slug: near.sourceSlug,
      name: near.sourceName,
      productName: near.productName,
      orgSlug: near.orgSlug,
      orgName: near.orgName,
      orgAvatarUrl: near.orgAvatarUrl,
      ...(appStore ? { appStore } : {}),
    },
  };
}
