import type { ProductDetail } from '../../contract/product.ts';
import type { SourceItem } from '../../contract/source.ts';
import { frontMatter, tag } from '../../domain/front-matter.ts';
import { paginationLine, releaseBlocks } from './release-block.ts';

// What the text tells of each source and the JSON form does not carry.
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

function sourceLine(source: SourceItem): string {
  const attributes = {
    name: source.name,
    slug: source.slug,
    type: source.type,
    releases: source.releaseCount,
    'latest-version': source.latestVersion,
    'latest-date': source.latestDate?.slice(0, 10),
    primary: source.isPrimary,
    url: source.url,
  };
  return `${tag('Source', attributes, { selfClosing: true })}\n`;
}
