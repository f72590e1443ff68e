// A source with its figures, summaries and a page of its releases.
import { type Context, now } from '../../context.ts';
import { paginate } from '../../contract/pagination.ts';
import type { SourceDetail } from '../../contract/source.ts';
import { utcDay } from '../../domain/timestamps.ts';
import {
  averagePerWeek,
  dayCountsBySource,
  firstOfLast,
  PACE_DAYS,
  recentCount,
} from '../../entities/activity/counts.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { sourceItems } from '../../entities/sources/source-fields.ts';
import type { SourceFiguresRow } from '../../store/schema/sources.ts';
import { countFeed, readFeed } from '../feeds/feed.ts';
import type { Branch, FeedFilter, FeedPage } from '../feeds/feed-query.ts';
import { sourceSummaries } from '../summaries/list.ts';

interface SourceDetailInput {
  filter: FeedFilter;
  page: FeedPage;
  // The page number; a cursor takes precedence over it.
  number: number;
}

export async function sourceDetail(ctx: Context, found: SourceInOrg, input: SourceDetailInput): Promise<SourceDetail> {
  const { source, org } = found;
  const [item] = await sourceItems(ctx, [source]);
  if (!item) throw new Error(`source ${source.id} has no item`);
  const { releases, pagination } = await releasesOf(ctx, found, input);
  return {
    ...item,
    org: org && { id: org.id, slug: org.slug, name: org.name },
    ...(await paceOf(ctx, found)),
    createdAt: source.created_at,
    releases,
    pagination,
    summaries: await sourceSummaries(ctx, source.id),
  };
}

export function sourceFeed(found: SourceInOrg): { branches: Branch[]; hidden: boolean } {
  return { branches: [{ column: 'source_id', value: found.source.id }], hidden: !found.visible };
}

async function releasesOf(
  ctx: Context,
  found: SourceInOrg,
  { filter, page, number }: SourceDetailInput,
): Promise<Pick<SourceDetail, 'releases' | 'pagination'>> {
  const { branches, hidden } = sourceFeed(found);
  const narrowed = { ...filter, hidden };
  if (page.cursor !== undefined) return readFeed(ctx, { branches, filter: narrowed, page });
  const offset = (number - 1) * page.limit;
  const feed = await readFeed(ctx, { branches, filter: narrowed, page: { ...page, offset } });
  const total = filter.q ? offset + feed.releases.length : await countFeed(ctx, { branches, filter: narrowed });
  const paged = paginate({ page: number, limit: page.limit, returned: feed.releases.length, total });
  return { releases: feed.releases, pagination: { ...paged, ...feed.pagination } };
}

async function paceOf(
  ctx: Context,
  { source }: SourceInOrg,
): Promise<Pick<SourceDetail, 'releasesLast30Days' | 'avgReleasesPerWeek' | 'trackingSince'>> {
  const today = utcDay(now(ctx));
  const from = firstOfLast(PACE_DAYS, today);
  const counts =
    (await dayCountsBySource(ctx, { sourceIds: [source.id], from, to: today })).get(source.id) ?? new Map();
  const figures: Pick<SourceFiguresRow, 'first_date'> | undefined = await (ctx.tx ?? ctx.store.read)
    .selectFrom('source_figures')
    .select('first_date')
    .where('source_id', '=', source.id)
    .executeTakeFirst();
  const firstDate = figures?.first_date ?? null;
  return {
    releasesLast30Days: recentCount(counts, today),
    avgReleasesPerWeek: averagePerWeek({ counts, firstDate, today }),
    trackingSince: firstDate ?? source.created_at,
  };
}
