import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { FetchLog, FetchLogItem } from '../../contract/admin-logs.ts';
import type { FetchStatus } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import type { FetchLogRow } from '../../store/schema/jobs.ts';
import { ambiguousSlug, resolveOrg, resolveSource, visibleSourcesBySlug } from '../resolve.ts';
import { type CursorPage, readNewest, timeBounds } from './cursor-list.ts';

interface FetchLogInput extends CursorPage {
  source?: string;
  org?: string;
  status?: readonly FetchStatus[];
  excludeStatus?: readonly FetchStatus[];
  after?: string;
  before?: string;
}

export async function listFetchLog(ctx: Context, input: FetchLogInput): Promise<FetchLog> {
  const matching = await matchingRows(ctx, input);
  let listed = matching;
  if (input.status) listed = listed.where('l.status', 'in', input.status);
  if (input.excludeStatus) listed = listed.where('l.status', 'not in', input.excludeStatus);
  const query = listed
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .selectAll('l')
    .select(['s.slug as sourceSlug', 's.name as sourceName', 'o.slug as orgSlug', 'o.name as orgName']);
  const { rows, pagination } = await readNewest(query, input, 'l');
  return { items: rows.map(fetchLogItem), pagination, statusCounts: await countStatuses(ctx, matching) };
}

type LogQuery = ReturnType<typeof logQuery>;

function logQuery(ctx: Context) {
  return queries(ctx).selectFrom('fetch_log as l').innerJoin('sources as s', 's.id', 'l.source_id');
}

// All filters except the status, so that the counts show what each status would return.
async function matchingRows(ctx: Context, input: FetchLogInput): Promise<LogQuery> {
  const { after, before } = timeBounds(ctx, input);
  let rows = logQuery(ctx);
  if (input.source) rows = rows.where('l.source_id', '=', await sourceIdOf(ctx, input.source));
  if (input.org) rows = rows.where('l.source_id', 'in', await sourceIdsOf(ctx, input.org));
  if (after) rows = rows.where('l.created_at', '>=', after);
  if (before) rows = rows.where('l.created_at', '<=', before);
  return rows;
}

// Operators may also filter by hidden sources.
async function sourceIdOf(ctx: Context, value: string): Promise<string> {
  const parameter = 'source';
  if (idPrefixOf(value) === 'src') return (await resolveSource(ctx, { src: value }, { parameter })).source.id;
  const [first, ...others] = await visibleSourcesBySlug(ctx, value);
  if (!first) throw notFound('source', value, { parameter });
  if (others.length === 0) return first.source.id;
  const candidates = [first, ...others].map(({ source, org }) => ({ id: source.id, orgSlug: org?.slug ?? null }));
  throw ambiguousSlug('source', value, candidates);
}

// The ids are listed, so that the index of each source is used instead of the log of all sources.
async function sourceIdsOf(ctx: Context, value: string): Promise<string[]> {
  const org = await resolveOrg(ctx, value, { parameter: 'org' });
  const rows = await queries(ctx).selectFrom('sources').select('id').where('org_id', '=', org.id).execute();
  return [...rows.map((row) => row.id), ''];
}

const NO_COUNTS: FetchLog['statusCounts'] = {
  success: 0,
  no_change: 0,
  error: 0,
  blocked: 0,
  timeout: 0,
  skipped: 0,
  dry_run: 0,
};

// Counting stops here: the shares hardly change beyond it, and the query stays fast however old the log is.
const MAX_COUNTED = 10_000;

async function countStatuses(ctx: Context, matching: LogQuery): Promise<FetchLog['statusCounts']> {
  const newest = matching.select('l.status').orderBy('l.created_at', 'desc').orderBy('l.id', 'desc').limit(MAX_COUNTED);
  const { rows } = await sql<{ status: FetchStatus; count: number }>`
    SELECT status, COUNT(*) AS count FROM (${newest}) AS newest GROUP BY status`.execute(queries(ctx));
  return { ...NO_COUNTS, ...Object.fromEntries(rows.map((row) => [row.status, Number(row.count)])) };
}

type StoredRow = FetchLogRow & Pick<FetchLogItem, 'sourceSlug' | 'sourceName' | 'orgSlug' | 'orgName'>;

export function fetchLogItem(row: StoredRow): FetchLogItem {
  return {
    id: row.id,
    sourceId: row.source_id,
    sourceSlug: row.sourceSlug,
    sourceName: row.sourceName,
    orgSlug: row.orgSlug,
    orgName: row.orgName,
    trigger: row.trigger,
    status: row.status,
    errorCategory: row.error_category,
    error: row.error,
    releasesFound: row.releases_found,
    releasesInserted: row.releases_inserted,
    releasesUpdated: row.releases_updated,
    totalReleases: row.total_releases,
    durationMs: row.duration_ms,
    httpStatus: row.http_status,
    requests: row.requests,
    bytes: row.bytes,
    createdAt: row.created_at,
  };
}
