// The releases and facts that an overview of an org is generated from.
import { type Context, now, queries } from '../../context.ts';
import type { OverviewInputsCheck, OverviewInputsFull } from '../../contract/overview-input.ts';
import { countedSources } from '../../entities/activity/counts.ts';
import { openOrg } from '../../entities/open.ts';
import { findPage } from '../../entities/overviews/read.ts';
import { releaseItems } from '../../releases/release-items.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { isOverviewDue, newReleases } from './due.ts';
import { type OverviewCandidate, selectCandidates } from './select.ts';

const USUAL_WINDOW = 30;
const WIDE_WINDOW = 90;
const ENOUGH = 5;

interface OverviewInputsInput {
  org: string;
  // The length of the window in days.
  window: number;
  limit: number;
  check: boolean;
}

export async function overviewInputs(
  ctx: Context,
  input: OverviewInputsInput,
): Promise<OverviewInputsFull | OverviewInputsCheck> {
  const org = await openOrg(ctx, input.org);
  const sources = await countedSources(ctx, { orgId: org.id });
  const { candidates, windowDays } = await candidatesIn(ctx, sources, input.window);
  const chosen = selectCandidates(candidates, input.limit);
  const page = await findPage(ctx, { org });
  const totalAvailable = candidates.length;
  if (input.check) {
    return {
      orgSlug: org.slug,
      selected: chosen.length,
      totalAvailable,
      hasExistingContent: page !== undefined,
      wouldRegenerate: await wouldRegenerate(ctx, org),
      windowDays,
    };
  }
  return {
    org: {
      id: org.id,
      slug: org.slug,
      name: org.name,
      description: org.description,
      discovery: org.discovery,
    },
    sources: sources.map(({ id, slug, name, type }) => ({ id, slug, name, type: type })),
    existingContent: page?.content ?? null,
    selected: await itemsOf(ctx, chosen),
    totalAvailable,
    windowDays,
  };
}

// The releases of the usual window, or of the wide one when that has too few.
export async function candidatesIn(ctx: Context, sources: readonly SourceRow[], window?: number) {
  const windowDays = window ?? USUAL_WINDOW;
  const candidates = await candidatesSince(ctx, sources, daysAgo(ctx, windowDays));
  if (window !== undefined || candidates.length >= ENOUGH) return { candidates, windowDays };
  return { candidates: await candidatesSince(ctx, sources, daysAgo(ctx, WIDE_WINDOW)), windowDays: WIDE_WINDOW };
}

async function candidatesSince(
  ctx: Context,
  sources: readonly SourceRow[],
  since: string,
): Promise<OverviewCandidate[]> {
  const types = new Map(sources.map((source) => [source.id, source.type]));
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'source_id', 'product_id', 'importance', 'breaking', 'feed_at'])
    .where('source_id', 'in', [...types.keys(), ''])
    .where('listing', 'in', [2, -2])
    .where('published_at', 'is not', null)
    .where('feed_at', '>=', since)
    .where('feed_at', '<=', now(ctx))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    sourceId: row.source_id,
    sourceType: types.get(row.source_id) ?? '',
    productId: row.product_id,
    importance: row.importance,
    breaking: row.breaking,
    feedAt: row.feed_at,
  }));
}

async function itemsOf(ctx: Context, chosen: readonly OverviewCandidate[]): Promise<OverviewInputsFull['selected']> {
  const ids = chosen.map((candidate) => candidate.id);
  const rows = await queries(ctx)
    .selectFrom('releases')
    .selectAll()
    .where('id', 'in', [...ids, ''])
    .execute();
  const positions = new Map(ids.map((id, position) => [id, position]));
  return releaseItems(
    ctx,
    rows.sort((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0)),
  );
}

async function wouldRegenerate(ctx: Context, org: OrgRow): Promise<boolean> {
  const page = await findPage(ctx, { org });
  return isOverviewDue({ org, page, newReleases: await newReleases(ctx, { org }, page), now: ctx.clock() });
}

function daysAgo(ctx: Context, days: number): string {
  return new Date(ctx.clock().getTime() - days * 86_400_000).toISOString();
}
