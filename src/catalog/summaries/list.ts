import { type Context, queries } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import type { SummaryRowShape } from '../../contract/summary.ts';
import { resolveOrg, resolveSource, resolveSourceByName, type SourceInOrg, type SourcePath } from '../resolve.ts';
import { summaryTextOf } from './row.ts';

interface SummaryFilter {
  type?: 'rolling' | 'monthly';
  year?: number;
  month?: number;
}

interface SummaryQuery extends SummaryFilter {
  sourceId?: string;
  sourceSlug?: string;
  // Narrows a slug that several orgs use.
  orgSlug?: string;
}

export async function listSummaries(ctx: Context, input: SummaryQuery): Promise<SummaryRowShape[]> {
  return summariesOf(ctx, await namedSource(ctx, input), input);
}

export async function listSourceSummaries(
  ctx: Context,
  input: { path: SourcePath; filter: SummaryFilter },
): Promise<SummaryRowShape[]> {
  return summariesOf(ctx, await resolveSource(ctx, input.path), input.filter);
}

async function namedSource(ctx: Context, { sourceId, sourceSlug, orgSlug }: SummaryQuery): Promise<SourceInOrg> {
  if (sourceId !== undefined) return resolveSource(ctx, { src: sourceId }, { parameter: 'sourceId' });
  if (sourceSlug === undefined) throw badRequest('sourceId', 'sourceId or sourceSlug is required');
  if (orgSlug === undefined) return resolveSourceByName(ctx, sourceSlug, 'sourceSlug');
  const org = await resolveOrg(ctx, orgSlug, { parameter: 'orgSlug' });
  return resolveSource(ctx, { org: org.id, source: sourceSlug }, { parameter: 'sourceSlug' });
}

// Rolling texts first, then the newest month.
async function summariesOf(ctx: Context, { source }: SourceInOrg, filter: SummaryFilter): Promise<SummaryRowShape[]> {
  let rows = queries(ctx).selectFrom('summaries').selectAll().where('source_id', '=', source.id);
  if (filter.type !== undefined) rows = rows.where('type', '=', filter.type);
  if (filter.year !== undefined) rows = rows.where('year', '=', filter.year);
  if (filter.month !== undefined) rows = rows.where('month', '=', filter.month);
  const found = await rows
    .orderBy('type', 'desc')
    .orderBy('year', 'desc')
    .orderBy('month', 'desc')
    .orderBy('window_days')
    .execute();
  return found.map((row) => ({ id: row.id, sourceId: source.id, orgId: source.org_id, ...summaryTextOf(row) }));
}
