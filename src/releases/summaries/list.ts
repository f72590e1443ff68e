import { type Context, queries } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import type { SourceDetail, SummaryText } from '../../contract/source.ts';
import type { SummaryRowShape } from '../../contract/summary.ts';
import {
  resolveOrg,
  resolveSource,
  resolveSourceByName,
  type SourceInOrg,
  type SourcePath,
} from '../../entities/resolve.ts';
import type { SummaryRow } from '../../store/schema/insight.ts';

interface SummaryFilter {
  type?: 'rolling' | 'monthly';
  year?: number;
  month?: number;
}

interface SummaryQuery extends SummaryFilter {
  sourceId?: string;
  sourceSlug?: string;
  // Selects one of several orgs that use the slug.
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

// Rolling summaries first, then the newest month.
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

export function summaryTextOf(row: SummaryRow): SummaryText {
  return {
    type: row.type,
    year: row.year,
    month: row.month,
    windowDays: row.type === 'rolling' ? row.window_days : null,
    summary: row.summary,
    releaseCount: row.release_count,
    generatedAt: row.generated_at,
  };
}

// The source detail shows the rolling summary of the usual window, and two years of months.
const USUAL_WINDOW = 30;
const MONTHS = 24;

export async function sourceSummaries(ctx: Context, sourceId: string): Promise<SourceDetail['summaries']> {
  const rows = queries(ctx).selectFrom('summaries').selectAll().where('source_id', '=', sourceId);
  const rolling = await rows.where('type', '=', 'rolling').orderBy('generated_at', 'desc').orderBy('id').execute();
  const monthly = await rows
    .where('type', '=', 'monthly')
    .orderBy('year', 'desc')
    .orderBy('month', 'desc')
    .limit(MONTHS)
    .execute();
  const shown = rolling.find((row) => row.window_days === USUAL_WINDOW) ?? rolling[0];
  return { rolling: shown ? summaryTextOf(shown) : null, monthly: monthly.map(summaryTextOf) };
}
