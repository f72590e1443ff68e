// Sources whose fetches fail repeatedly.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { FAILED, type StuckSource, type StuckSources } from '../../contract/admin-logs.ts';
import { paginate } from '../../contract/pagination.ts';
import type { SourceItem } from '../../contract/source.ts';
import { sourceItems } from '../sources/source-fields.ts';

export interface StuckInput {
  window: number;
  minAttempts: number;
  includePaused: boolean;
  page: number;
  limit: number;
}

export async function stuckSources(ctx: Context, input: StuckInput): Promise<StuckSources> {
  const { window, minAttempts, includePaused } = input;
  const stuck = stuckRows(ctx, input);
  const counted = await stuck.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  // Sources with the oldest successful fetch come first.
  const rows = await stuck
    .selectAll('s')
    .orderBy(sql`COALESCE(s.last_fetched_at, '')`)
    .orderBy('s.name_key')
    .orderBy('s.id')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const items: StuckSource[] = [];
  for (const [index, source] of (await sourceItems(ctx, rows)).entries()) {
    const attempts = await lastAttempts(ctx, source.id, window);
    items.push(stuckSource({ source, attempts, createdAt: rows[index]?.created_at ?? '' }));
  }
  const pagination = paginate({ ...input, returned: items.length, total: Number(counted?.total ?? 0) });
  return { items, pagination, meta: { window, minAttempts, includePaused } };
}

function stuckSource(found: { source: SourceItem; attempts: StuckSource['attempts']; createdAt: string }): StuckSource {
  const { source, attempts } = found;
  const { id, slug, name, type, url, kind, orgSlug, orgName, fetchPriority, isPrimary, isHidden, lastFetchedAt } =
    source;
  const failures = attempts.filter(({ status }) => FAILED.has(status));
  return {
    source,
    attempts,
    lastSuccessAt: lastFetchedAt,
    sourceId: id,
    sourceSlug: slug,
    ...{ name, type, url, kind, orgSlug, orgName, fetchPriority, isPrimary, isHidden, lastFetchedAt },
    recentAttempts: attempts.length,
    recentErrors: failures.length,
    lastAttemptAt: attempts[0]?.createdAt ?? null,
    lastError: failures[0]?.error ?? null,
    lastErrorCategory: failures[0]?.errorCategory ?? null,
    sourceCreatedAt: found.createdAt,
  };
}

function stuckRows(ctx: Context, { window, minAttempts, includePaused }: StuckInput) {
  let sources = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .where('s.deleted_at', 'is', null)
    // A source whose last run succeeded is not stuck, which excludes most of them early.
    .where(sql<boolean>`COALESCE(s.last_outcome, '') NOT IN ('success', 'no_change')`)
    .where(sql<boolean>`(SELECT COUNT(*) FROM ${attempts(minAttempts)} AS tried) >= ${minAttempts}`)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM ${attempts(window)} AS tried
      WHERE tried.status IN ('success', 'no_change'))`);
  if (!includePaused) {
    sources = sources
      .where('s.fetch_priority', '<>', 'paused')
      .where((eb) => eb.or([eb('o.fetch_paused', 'is', null), eb('o.fetch_paused', '=', 0)]));
  }
  return sources;
}

// Skipped runs and dry runs say nothing about the source.
function attempts(most: number): RawBuilder<unknown> {
  return sql`(SELECT l.status FROM fetch_log l WHERE l.source_id = s.id AND l.status NOT IN ('skipped', 'dry_run')
    ORDER BY l.created_at DESC, l.id DESC LIMIT ${most})`;
}

async function lastAttempts(ctx: Context, sourceId: string, most: number): Promise<StuckSource['attempts']> {
  const rows = await queries(ctx)
    .selectFrom('fetch_log')
    .select(['status', 'error_category', 'error', 'created_at'])
    .where('source_id', '=', sourceId)
    .where('status', 'not in', ['skipped', 'dry_run'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    status: row.status,
    errorCategory: row.error_category,
    error: row.error,
    createdAt: row.created_at,
  }));
}
