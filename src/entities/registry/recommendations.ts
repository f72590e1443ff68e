import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type {
  RecommendationInput,
  RecommendationList,
  RecommendationRowShape,
  TriageChange,
} from '../../contract/feedback.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { RecommendationRow } from '../../store/schema/operation.ts';
import { findOrg } from '../resolve.ts';
import { readNewest } from './cursor-list.ts';
import { changeTriage, deleteTriaged, type TriageInput, triaged } from './triage.ts';

const REMEMBERED_MS = 30 * 86_400_000;

// The same URL again within a month returns the existing recommendation.
export async function recommend(ctx: Context, input: RecommendationInput): Promise<{ ok: true; id: string }> {
  const key = normalizeUrl(input.url) ?? input.url;
  return transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, `recommendation:${key}`);
    if (input.type === 'tracking') await requestTracking(ctx, input.url);
    const known = await recentOf(ctx, key);
    return { ok: true, id: known ?? (await insert(ctx, input, key)) };
  });
}

async function recentOf(ctx: WriteContext, key: string): Promise<string | null> {
  const since = new Date(ctx.clock().getTime() - REMEMBERED_MS).toISOString();
  const row = await ctx.tx
    .selectFrom('recommendations')
    .select('id')
    .where('url_key', '=', key)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function insert(ctx: WriteContext, input: RecommendationInput, key: string): Promise<string> {
  const row: RecommendationRow = {
    id: newId('rec', ctx.randomBytes),
    type: input.type,
    url: input.url,
    url_key: key,
    note: input.note || null,
    contact_email: input.contactEmail || null,
    status: 'new',
    archived_at: null,
    created_at: now(ctx),
  };
  await ctx.tx.insertInto('recommendations').values(row).execute();
  return row.id;
}

// Only a stub can be requested, and only the first request sets the time.
async function requestTracking(ctx: WriteContext, url: string): Promise<void> {
  const domain = normalizeDomain(url);
  const org = domain ? await findOrg(ctx, domain) : null;
  if (org?.status !== 'stub') return;
  await ctx.tx
    .updateTable('orgs')
    .set({ tracking_requested_at: now(ctx) })
    .where('id', '=', org.id)
    .where('tracking_requested_at', 'is', null)
    .execute();
}

export async function listRecommendations(ctx: Context, input: TriageInput): Promise<RecommendationList> {
  const query = triaged(queries(ctx).selectFrom('recommendations as r').selectAll('r'), input, 'r');
  const { rows, pagination } = await readNewest(query, input, 'r');
  return { items: rows.map(shape), nextCursor: pagination.nextCursor, pagination };
}

export async function changeRecommendation(
  ctx: Context,
  input: { id: string; change: TriageChange },
): Promise<RecommendationRowShape> {
  return shape(await changeTriage(ctx, { table: 'recommendations', ...input }));
}

export async function deleteRecommendation(
  ctx: Context,
  { id }: { id: string },
): Promise<{ deleted: true; id: string }> {
  return deleteTriaged(ctx, { table: 'recommendations', id });
}

function shape(row: RecommendationRow): RecommendationRowShape {
  return {
    id: row.id,
    type: row.type,
    url: row.url,
    note: row.note,
    contactEmail: row.contact_email,
    status: row.status,
    archived: row.archived_at !== null,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
  };
}
