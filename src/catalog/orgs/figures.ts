// Figures of orgs for a page of them, from the counters that writes maintain for each source; no release is read.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';

interface OrgFigures {
  sourceCount: number;
  releaseCount: number;
  lastActivity: string | null;
  firstDate: string | null;
  lastFetchedAt: string | null;
  lastPolledAt: string | null;
  // Releases by UTC day since the first day asked for.
  days: Map<string, number>;
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;

const NONE: Omit<OrgFigures, 'days'> = {
  sourceCount: 0,
  releaseCount: 0,
  lastActivity: null,
  firstDate: null,
  lastFetchedAt: null,
  lastPolledAt: null,
};

export async function loadOrgFigures(
  ctx: Context,
  input: { orgIds: readonly string[]; from: string },
): Promise<Map<string, OrgFigures>> {
  const figures = new Map(input.orgIds.map((id): [string, OrgFigures] => [id, { ...NONE, days: new Map() }]));
  if (figures.size === 0) return figures;
  for (const row of await sums(ctx, input.orgIds)) {
    const { days } = figures.get(row.orgId ?? '') ?? { days: new Map<string, number>() };
    figures.set(row.orgId ?? '', {
      ...row,
      sourceCount: Number(row.sourceCount),
      releaseCount: Number(row.releaseCount ?? 0),
      days,
    });
  }
  for (const { orgId, days } of await daysOf(ctx, input)) {
    const counts = figures.get(orgId ?? '')?.days;
    for (const entry of days.split(' ')) {
      const day = entry.slice(0, DAY_LENGTH);
      counts?.set(day, (counts.get(day) ?? 0) + Number(entry.slice(DAY_LENGTH + 1)));
    }
  }
  return figures;
}

// One row an org: a row for each day of each org would take longer to hand over than to find.
function daysOf(ctx: Context, { orgIds, from }: { orgIds: readonly string[]; from: string }) {
  return shownSources(ctx, orgIds)
    .innerJoin('release_days as d', 'd.source_id', 's.id')
    .select('s.org_id as orgId')
    .select(sql<string>`string_agg(d.day || ':' || d.count, ' ')`.as('days'))
    .where('d.day', '>=', from)
    .groupBy('s.org_id')
    .execute();
}

function sums(ctx: Context, orgIds: readonly string[]) {
  return shownSources(ctx, orgIds)
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(({ fn }) => [
      's.org_id as orgId',
      fn.countAll<number>().as('sourceCount'),
      fn.sum<number | null>('f.release_count').as('releaseCount'),
      fn.max('f.latest_date').as('lastActivity'),
      fn.min('f.first_date').as('firstDate'),
      fn.max('s.last_fetched_at').as('lastFetchedAt'),
      fn.max('s.last_polled_at').as('lastPolledAt'),
    ])
    .groupBy('s.org_id')
    .execute();
}

// Whether the org itself is hidden does not matter: who may see it sees it as if it were not.
function shownSources(ctx: Context, orgIds: readonly string[]) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .where('s.org_id', 'in', orgIds)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .where(sql<number>`COALESCE(p.is_hidden, 0)`, '=', 0);
}
