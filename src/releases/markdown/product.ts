import type { ProductDetail } from '../../contract/product.ts';
import type { SourceItem } from '../../contract/source.ts';
import { frontMatter } from '../../domain/front-matter.ts';
import { paginationLine, releaseBlocks } from './release.ts';
import { sourceLine } from './source.ts';

// Facts about each source that the markdown form shows and the JSON form does not contain.
const described = new WeakMap<ProductDetail, readonly SourceItem[]>();

export function describeSources(product: ProductDetail, sources: readonly SourceItem[]): ProductDetail {
  described.set(product, sources);
  return product;
}

export function productMarkdown(product: ProductDetail): string {
  const front = frontMatter({
    name: product.name,
    slug: product.slug,
    organization: product.orgName,
    organization_slug: product.orgSlug,
    url: product.url,
    description: product.description,
    category: product.category,
    kind: product.kind,
    sources: product.sourceCount,
    tags: product.tags,
    aliases: product.aliases,
  });
  const lines = (described.get(product) ?? []).map(sourceLine).join('');
  const body = [lines, releaseBlocks(product.releases)].filter(Boolean).join('\n');
  return `${front}${body ? `\n${body}` : ''}${paginationLine(product.pagination.nextCursor)}`;
}
