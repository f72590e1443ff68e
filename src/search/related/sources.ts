// Sources that publish similar things: neighbours of the stored vector, the active ones first.

import { addDependencies, type Context, now } from '../../context.ts';
import type { RelatedScope, RelatedSource } from '../../contract/related.ts';
import { ageFactor } from '../../domain/retrieval/related-rank.ts';
import type { VectorHit } from '../../domain/retrieval/retrievers.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { dayCountsBySource, recentCount } from '../../entities/activity/counts.ts';
import { resolveSourceByName, type SourceInOrg } from '../../entities/resolve.ts';
import { visibleSource } from '../../entities/visible.ts';
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

const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

export async function relatedSources(
  ctx: Context,
  { source, ...question }: RelatedQuestion & { source: string },
): Promise<Related<RelatedSource>> {
  const anchor = await resolveSourceByName(ctx, source, 'source');
  const excluded = await excludedOrgIds(ctx, question);
  const { scope, limit } = question;
  if (scope === 'org' && anchor.org === null) return withoutOrg(ctx, anchor, scope);
  const name = ['source', anchor.source.id, scope, neighbourCount(limit), excluded];
  const neighbours = await cachedNeighbours(ctx, name, () => neighboursOf(ctx, anchor, question, excluded));
  if ('degraded' in neighbours) return degradedAnswer(ctx, scope, neighbours);
  const others = neighbours.hits.filter(({ ref }) => ref !== anchor.source.id);
  // Neighbours that are hidden now may be shown again, so the answer depends on all of them.
  addDependencies(ctx, ...others.map(({ ref }) => ref));
  const present = ctx.clock();
  const ranked = (await rowsOf(ctx, others))
    .filter((row) => isInScope(row.org_id, { scope, anchorOrg: anchor.source.org_id, excluded }))
    .map((row) => ({ row, rank: row.cosine * ageFactor(row.latest_date, present) }))
    .sort((a, b) => b.rank - a.rank || (a.row.id < b.row.id ? -1 : 1))
    .slice(0, limit)
    .map(({ row }) => row);
  return { scope, items: await shapes(ctx, ranked), degraded: false };
}

// Without an org there are no siblings, but a missing vector is still reported.
async function withoutOrg(ctx: Context, { source }: SourceInOrg, scope: RelatedScope): Promise<Related<RelatedSource>> {
  const known = await ctx.ports.vectors.stored(ctx, { kind: 'entity', ref: source.id });
  return 'degraded' in known ? degradedAnswer(ctx, scope, known) : { scope, items: [], degraded: false };
}

async function neighboursOf(
  ctx: Context,
  { source, org }: SourceInOrg,
  { scope, limit }: RelatedQuestion,
  exceptOrgIds: readonly string[],
): Promise<Neighbours> {
  const { vectors } = ctx.ports;
  const known = await vectors.stored(ctx, { kind: 'entity', ref: source.id });
  if ('degraded' in known) return known;
  const filter = {
    includePrereleases: true,
    includeCoverage: false,
    ...(scope === 'org' && org ? { orgIds: [org.id] } : {}),
  };
  return vectors.search(ctx, {
    kind: 'entity',
    entityType: 'source',
    vector: known.vector,
    filter,
    exceptOrgIds,
    limit: neighbourCount(limit),
  });
}

type RelatedSourceRow = Awaited<ReturnType<typeof rowsOf>>[number];

// Sources that are visible now.
async function rowsOf(ctx: Context, hits: readonly VectorHit[]) {
  if (hits.length === 0) return [];
  const cosines = new Map(hits.map(({ ref, cosine }) => [ref, cosine]));
  const rows = await ctx.store.search
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select([
      's.id',
      's.org_id',
      's.slug',
      's.name',
      's.type',
      's.url',
      'o.slug as org_slug',
      'o.name as org_name',
      'o.avatar_url',
    ])
    .select(['f.release_count', 'f.latest_date', 'f.latest_version'])
    .where('s.id', 'in', [...cosines.keys()])
    .where(visibleSource())
    .execute();
  return rows.map((row) => ({ ...row, cosine: cosines.get(row.id) ?? 0 }));
}

async function shapes(ctx: Context, rows: readonly RelatedSourceRow[]): Promise<RelatedSource[]> {
  const today = utcDay(now(ctx));
  const from = utcDay(new Date(ctx.clock().getTime() - RECENT_DAYS * DAY_MS).toISOString());
  const days = await dayCountsBySource(ctx, { sourceIds: rows.map(({ id }) => id), from });
  const titles = await Promise.all(rows.map((row) => latestTitle(ctx, row)));
  return rows.map((row, at) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    url: row.url,
    score: row.cosine,
    orgSlug: row.org_slug,
    orgName: row.org_name,
    orgAvatarUrl: row.avatar_url,
    releaseCount: row.release_count ?? 0,
    recentCount: recentCount(days.get(row.id) ?? new Map(), today),
    latestDate: row.latest_date,
    latestTitle: titles[at] ?? null,
    latestVersion: row.latest_version,
  }));
}

// The title of the release whose date is shown beside it; without any date, of the highest version.
async function latestTitle(
  ctx: Context,
  { id, latest_date }: { id: string; latest_date: string | null },
): Promise<string | null> {
  const row = await ctx.store.search
    .selectFrom('releases')
    .select('title')
    .where('source_id', '=', id)
    .where('listing', '=', 2)
    .where('feed_at', '<=', now(ctx))
    .$if(latest_date !== null, (query) => query.where('published_at', 'is not', null))
    .orderBy('feed_at', 'desc')
    .orderBy('feed_version', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.title ?? null;
}
