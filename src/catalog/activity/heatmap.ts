// A year of days, from the counts that writes maintain.
import { type Context, now } from '../../context.ts';
import type { Heatmap, NamedSubject } from '../../contract/activity.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { openOrg, openProduct } from '../open.ts';
import { type ProductPath, resolveSource, type SourcePath } from '../resolve.ts';
import { countedSources } from './counted-sources.ts';
import { addUp, dayCountsBySource } from './day-counts.ts';
import { firstOfLast } from './pace.ts';

const DAYS = 365;

export async function orgHeatmap(ctx: Context, input: { org: string }): Promise<{ org: NamedSubject } & Heatmap> {
  const { id, slug, name } = await openOrg(ctx, input.org);
  const sources = await countedSources(ctx, { orgId: id });
  return { org: { slug, name }, ...(await heatmap(ctx, sources)) };
}

export async function productHeatmap(ctx: Context, path: ProductPath): Promise<{ product: NamedSubject } & Heatmap> {
  const { id, slug, name } = (await openProduct(ctx, path)).product;
  const sources = await countedSources(ctx, { productId: id });
  return { product: { slug, name }, ...(await heatmap(ctx, sources)) };
}

export async function sourceHeatmap(ctx: Context, path: SourcePath): Promise<{ source: NamedSubject } & Heatmap> {
  const { source } = await resolveSource(ctx, path);
  return { source: { slug: source.slug, name: source.name }, ...(await heatmap(ctx, [source])) };
}

async function heatmap(ctx: Context, sources: readonly { id: string }[]): Promise<Heatmap> {
  const to = utcDay(now(ctx));
  const range = { from: firstOfLast(DAYS, to), to };
  const counts = await dayCountsBySource(ctx, { sourceIds: sources.map((source) => source.id), ...range });
  const dailyCounts = [...addUp(counts.values())]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, count]) => ({ date, count }));
  return { range, dailyCounts, total: dailyCounts.reduce((sum, { count }) => sum + count, 0) };
}
