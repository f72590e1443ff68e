// The row of an org as wire fields, from which lists, details and search hits select, and its figures.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { OrgFields, OrgRowShape } from '../../contract/org.ts';
import { parseJson } from '../../store/json-text.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { aliasesOf, tagNamesOf } from '../taxonomy/entity-labels.ts';

type CoreColumn = 'id' | 'slug' | 'name' | 'domain' | 'description' | 'category' | 'avatar_url';

// The fields that every shape of an org begins with.
export function orgCore(row: Pick<OrgRow, CoreColumn>) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    description: row.description,
    category: row.category,
    avatarUrl: row.avatar_url,
  };
}

export function orgFields(row: OrgRow): OrgFields {
  return {
    ...orgCore(row),
    discovery: row.discovery,
    status: row.status,
    isHidden: row.is_hidden === 1,
    featured: row.featured === 1,
    fetchPaused: row.fetch_paused === 1,
    autoGenerateContent: row.auto_generate_content === 1,
    overviewCadenceDays: row.overview_cadence_days,
    trackingRequestedAt: row.tracking_requested_at,
    notice: row.notice && parseJson(row.notice),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}

// The response of writes.
export async function orgRowShape(ctx: Context, row: OrgRow): Promise<OrgRowShape> {
  const { notice, createdAt, updatedAt, deletedAt, ...fields } = orgFields(row);
  return {
    ...fields,
    tags: await tagNamesOf(ctx, { orgId: row.id }),
    aliases: await aliasesOf(ctx, { orgId: row.id }),
    notice,
    createdAt,
    updatedAt,
    deletedAt,
  };
}

export async function orgRowById(ctx: Context, id: string): Promise<OrgRowShape> {
  const row = await queries(ctx).selectFrom('orgs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return orgRowShape(ctx, row);
}

// The figures of a page of orgs, from the counters that writes maintain for each source; no release is read.

interface OrgFigures {
  sourceCount: number;
  releaseCount: number;
  lastActivity: string | null;
  firstDate: string | null;
  lastFetchedAt: string | null;
  lastPolledAt: string | null;
  // Releases by UTC day since the first requested day.
  days: Map<string, number>;
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;

export async function loadOrgFigures(
  ctx: Context,
  input: { orgIds: readonly string[]; from: string },
): Promise<Map<string, OrgFigures>> {
  if (input.orgIds.length === 0) return new Map();
  const rows = await sums(ctx, input);
  return new Map(
    rows.map((row): [string, OrgFigures] => [
      row.orgId ?? '',
      {
        sourceCount: Number(row.sourceCount),
        releaseCount: Number(row.releaseCount ?? 0),
        lastActivity: row.lastActivity,
        firstDate: row.firstDate,
        lastFetchedAt: row.lastFetchedAt,
        lastPolledAt: row.lastPolledAt,
        days: readDays(row.days),
      },
    ]),
  );
}

function readDays(text: string | null): Map<string, number> {
  const days = new Map<string, number>();
  if (text === null) return days;
  for (const entry of text.split(' ')) {
    const day = entry.slice(0, DAY_LENGTH);
    days.set(day, (days.get(day) ?? 0) + Number(entry.slice(DAY_LENGTH + 1)));
  }
  return days;
}

// One row per org, with its days in one text: a row per day and org would take longer to transfer than to find. Only
// the days of sources with a release since the first day are read.
function sums(ctx: Context, { orgIds, from }: { orgIds: readonly string[]; from: string }) {
  // It changes once a day, and a server that does not know the first day expects to read years of them.
  const first = sql.lit(from);
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
    .select(
      sql<
        string | null
      >`string_agg(CASE WHEN f.latest_date >= ${first} THEN (SELECT string_agg(d.day || ':' || d.count, ' ')
        FROM release_days d WHERE d.source_id = s.id AND d.day >= ${first}) END, ' ')`.as('days'),
    )
    .groupBy('s.org_id')
    .modifyEnd(ONE_PLAN)
    .execute();
}

// The visibility of the org itself is ignored: a caller who may read a hidden org sees its figures.
function shownSources(ctx: Context, orgIds: readonly string[]) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .where(ctx.store.dialect.amongIds('s.org_id', orgIds))
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .where(sql<number>`COALESCE(p.is_hidden, 0)`, '=', 0);
}
