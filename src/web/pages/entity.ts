// /{org}/{slug}: a product when one has that slug, else a source.

import type { Context } from '../../context.ts';
import { productActivity } from '../../entities/activity/weekly.ts';
import { addressedEntry } from '../../entities/open.ts';
import { orgDetail } from '../../entities/orgs/detail.ts';
import { productSubject, sourceSubject } from '../../releases/atom/subjects.ts';
import { readProduct } from '../../releases/details/product.ts';
import { plotRange } from '../components/weekly-bars.ts';
import { segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { productPath } from '../links.ts';
import { type PageFormat, page } from '../page.ts';
import { showProduct } from './product.ts';
import { type EntityQuery, entityQuery, loadSource, readingOf, showSource } from './source.ts';

async function loadProduct(ctx: Context, path: { org: string; product: string }, query: EntityQuery) {
  const range = plotRange(ctx.clock().getTime(), query);
  const [product, activity] = await Promise.all([
    readProduct(ctx, { path, ...readingOf(ctx, query) }),
    productActivity(ctx, { path, range }),
  ]);
  // Only the message of an empty list needs the state of the sources.
  const org = product.releases.length === 0 ? await orgDetail(ctx, { org: path.org }) : null;
  const sources = org?.sources.filter(({ productSlug }) => productSlug === product.slug) ?? [];
  return { kind: 'product' as const, product, activity, range, sources };
}

const entryAnswer: PageFormat = async (ctx, { params: { org = '', slug = '' }, request }) => {
  const { kind } = await addressedEntry(ctx, { org, slug });
  const owner = `/v1/orgs/${segment(org)}/${kind === 'product' ? 'products' : 'sources'}`;
  return (await request.forward(`${owner}/${segment(slug)}`)).reply;
};

export const entityPage = page({
  path: '/{org}/{slug}',
  summary: 'A product or a source',
  dependsOn: 'resolved',
  query: entityQuery,
  moved: async (ctx, { org = '', slug = '' }) => {
    const entry = await addressedEntry(ctx, { org, slug });
    const isHere = entry.orgSlug === org && entry.slug === slug;
    return isHere ? null : productPath(entry.orgSlug, entry.slug);
  },
  formats: {
    json: entryAnswer,
    md: entryAnswer,
    atom: atomFeed({
      subject: async (ctx, { org = '', slug = '' }) => {
        const { kind, id } = await addressedEntry(ctx, { org, slug });
        return kind === 'product' ? productSubject(ctx, { prod: id }) : sourceSubject(ctx, { src: id });
      },
    }),
  },
  load: async (ctx, { params: { org = '', slug = '' }, query }) => {
    const { kind, id } = await addressedEntry(ctx, { org, slug });
    return kind === 'product'
      ? loadProduct(ctx, { org, product: slug }, query)
      : { kind: 'source' as const, ...(await loadSource(ctx, { id, path: productPath(org, slug) }, query)) };
  },
  show: (data, shell, { query }) =>
    data.kind === 'product' ? showProduct(data, shell, query) : showSource(data, shell, query),
});
