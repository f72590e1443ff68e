import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import { MOST_ENTITIES, type OrgHit } from '../../contract/search.ts';
import { CATEGORY_TIER } from '../../domain/entity-names/tiers.ts';
import type { OrgRow } from '../../store/schema.ts';
import type { Candidate } from './candidates.ts';
import { byRank, type EntityScope, type RankedEntity, recentReleases, tiersOf } from './ranked.ts';

const OF_CATEGORY = 40;

/** Orgs without a visible release are left out, unless somebody typed the whole domain. */
export async function orgHits(
  ctx: Context,
  input: { candidates: readonly Candidate[]; category: Category | null; scope: EntityScope },
): Promise<OrgHit[]> {
  const { candidates, category, scope } = input;
  const named = await namedOrgs(ctx, candidates, scope);
  const missing = MOST_ENTITIES - named.length;
  const others = category !== null && missing > 0 ? await orgsOfCategory(ctx, category, scope) : [];
  const known = new Set(named.map(({ id }) => id));
  const ranked = [...named, ...others.filter(({ id }) => !known.has(id))].sort(byRank).slice(0, MOST_ENTITIES);
  const aliases = await aliasDomains(
    ctx,
    ranked.map(({ id }) => id),
  );
  return ranked.map(({ row, tier }) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    avatarUrl: row.avatar_url,
    category: row.category as Category | null,
    status: row.status as OrgHit['status'],
    aliasDomains: aliases.get(row.id) ?? [],
    tier,
  }));
}

interface RankedOrg extends RankedEntity {
  row: Pick<OrgRow, 'id' | 'slug' | 'name' | 'domain' | 'avatar_url' | 'category' | 'status'>;
}

async function namedOrgs(ctx: Context, candidates: readonly Candidate[], scope: EntityScope): Promise<RankedOrg[]> {
  if (candidates.length === 0) return [];
  const tiers = tiersOf(candidates);
  const byDomain = candidates.filter((candidate) => candidate.byDomain).map(({ id }) => id);
  let query = shownOrgs(ctx, scope).where('o.id', 'in', [...tiers.keys()]);
  if (!scope.includeEmpty) {
    query = query.where((eb) => eb.or([eb('o.release_count', '>', 0), eb('o.id', 'in', [...byDomain, ''])]));
  }
  const rows = await query.execute();
  return rows.map((row) => toRanked(row, tiers.get(row.id) ?? 0));
}

async function orgsOfCategory(ctx: Context, category: Category, scope: EntityScope): Promise<RankedOrg[]> {
  const rows = await shownOrgs(ctx, scope)
    .where('o.category', '=', category)
    .where('o.release_count', '>', 0)
    .orderBy('o.release_count', 'desc')
    .orderBy('o.id')
    .limit(OF_CATEGORY)
    .execute();
  return rows.map((row) => toRanked(row, CATEGORY_TIER));
}

function shownOrgs(ctx: Context, { owners, filter }: EntityScope) {
  let query = queries(ctx)
    .selectFrom('orgs as o')
    .select(['o.id', 'o.slug', 'o.name', 'o.name_key', 'o.domain', 'o.avatar_url', 'o.category', 'o.status'])
    .select(recentReleases(ctx, sql`rs.org_id = o.id`).as('recent'))
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0);
  if (owners !== null) query = query.where('o.id', 'in', [...owners, '']);
  if (filter.categories) query = query.where('o.category', 'in', [...filter.categories, '']);
  return query;
}

function toRanked(row: RankedOrg['row'] & { name_key: string; recent: number }, tier: number): RankedOrg {
  return { id: row.id, tier, recent: Number(row.recent), nameKey: row.name_key, row };
}

async function aliasDomains(ctx: Context, orgIds: readonly string[]): Promise<Map<string, string[]>> {
  if (orgIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('domain_aliases')
    .select(['org_id', 'domain'])
    .where('org_id', 'in', orgIds)
    .where('deleted_at', 'is', null)
    .orderBy('domain')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.org_id ?? '');
  return new Map([...groups].map(([id, aliases]) => [id, aliases.map(({ domain }) => domain)]));
}
