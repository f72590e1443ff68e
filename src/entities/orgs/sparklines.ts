import { type Context, now } from '../../context.ts';
import type { OrgSparklines } from '../../contract/activity.ts';
import { utcDay } from '../../domain/timestamps.ts';
import {
  addUp,
  countedSources,
  dayCountsBySource,
  firstOfLast,
  SPARKLINE_DAYS,
  sparkline,
} from '../activity/counts.ts';
import { openOrg } from '../open.ts';
import { visibleProducts } from './products.ts';

export async function orgSparklines(ctx: Context, input: { org: string }): Promise<OrgSparklines> {
  const org = await openOrg(ctx, input.org);
  const sources = await countedSources(ctx, { orgId: org.id });
  const products = await visibleProducts(ctx, org.id);
  const to = utcDay(now(ctx));
  const range = { from: firstOfLast(SPARKLINE_DAYS, to), to };
  const counts = await dayCountsBySource(ctx, { sourceIds: sources.map((source) => source.id), ...range });
  const lineOf = (own: readonly { id: string }[]) =>
    sparkline(addUp(own.map((source) => counts.get(source.id) ?? new Map())), to);
  return {
    org: { slug: org.slug, name: org.name },
    range,
    aggregate: lineOf(sources),
    sources: sources.map((source) => ({ slug: source.slug, name: source.name, sparkline: lineOf([source]) })),
    products: products.map((product) => ({
      slug: product.slug,
      name: product.name,
      sparkline: lineOf(sources.filter((source) => source.product_id === product.id)),
    })),
  };
}
