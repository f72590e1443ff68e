import { sql } from 'kysely';
import { orgFields } from '../../catalog/orgs/org-fields.ts';
import { type Context, queries } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import { pick } from '../../contract/pick.ts';
import { MOST_ENTITIES, type OrgHit } from '../../contract/search.ts';
import { CATEGORY_TIER } from '../../domain/entity-names/tiers.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { ORG_COLUMNS } from '../filters/columns.ts';
import { allOf, conditionsOf } from '../filters/entry.ts';
import { ENTITY_FILTERS } from '../filters/table.ts';
import type { NameCandidate } from './candidates.ts';
import { byRank, type EntityScope, type RankedEntity, recentReleases } from './ranked.ts';

const OF_CATEGORY = 40;

// Orgs without a visible release are left out, unless somebody typed the whole domain.
export async function orgHits(
  ctx: Context,
  input: { candidates: readonly NameCandidate[]; category: Category | null; scope: EntityScope },
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
    ...pick(orgFields(row), 'id', 'slug', 'name', 'domain', 'avatarUrl', 'category', 'status'),
    aliasDomains: aliases.get(row.id) ?? [],
    tier,
  }));
}

interface RankedOrg extends RankedEntity {
  row: OrgRow;
}

// Visibility is checked here and not in the query, which might then scan an index of visible orgs instead of reading these.
async function namedOrgs(ctx: Context, candidates: readonly NameCandidate[], scope: EntityScope): Promise<RankedOrg[]> {
  const { owners, filter } = scope;
  const inScope = [owners, filter.orgIds].flatMap((ids) => (ids ? new Set(ids) : []));
  const wanted = candidates.filter(({ id }) => inScope.every((ids) => ids.has(id)));
  if (wanted.length === 0) return [];
  const known = new Map(wanted.map((candidate) => [candidate.id, candidate]));
  const rows = await orgQuery(ctx, scope)
    .where('o.id', 'in', [...known.keys()])
    .execute();
  const shown = rows.filter((row) => {
    const isShown = row.release_count > 0 || scope.includeEmpty || known.get(row.id)?.byDomain;
    return isShown && row.is_hidden === 0 && row.deleted_at === null;
  });
  return shown.map((row) => toRanked(row, known.get(row.id)?.tier ?? 0));
}

// The orgs of a category, the largest first; recent releases do not count here.
async function orgsOfCategory(ctx: Context, category: Category, scope: EntityScope): Promise<RankedOrg[]> {
  let largest = queries(ctx)
    .selectFrom('orgs')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .where('category', '=', category)
    .where('release_count', '>', 0);
  if (scope.owners !== null) largest = largest.where('id', 'in', [...scope.owners, '']);
  const rows = await largest.orderBy('release_count', 'desc').orderBy('id').limit(OF_CATEGORY).execute();
  const candidates = rows.map(({ id }) => ({ id, tier: CATEGORY_TIER, byDomain: false }));
  return namedOrgs(ctx, candidates, scope);
}

function orgQuery(ctx: Context, { filter }: EntityScope) {
  return queries(ctx)
    .selectFrom('orgs as o')
    .selectAll('o')
    .select(recentReleases(ctx, sql`rs.org_id = o.id`).as('recent'))
    .where(allOf(conditionsOf(ENTITY_FILTERS, { ...filter, orgIds: undefined }, ORG_COLUMNS)));
}

function toRanked(row: OrgRow & { recent: number }, tier: number): RankedOrg {
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
