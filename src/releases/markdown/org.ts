import type { OrgDetail } from '../../contract/org.ts';
import { frontMatter, tag } from '../../domain/front-matter.ts';
import { sourceLine } from './source.ts';

export function orgMarkdown(org: OrgDetail): string {
  const front = frontMatter({
    name: org.name,
    slug: org.slug,
    domain: org.domain,
    description: org.description,
    category: org.category,
    sources: org.sourceCount,
    total_releases: org.releaseCount,
    releases_last_30d: org.releasesLast30Days,
    avg_releases_per_week: org.avgReleasesPerWeek,
    last_updated: org.lastFetchedAt,
    tracking_since: org.trackingSince,
    tags: org.tags,
    aliases: org.aliases,
    accounts: org.accounts.map(({ platform, handle }) => `${platform}:${handle}`),
  });
  const overview = org.overview ? `## Overview\n\n${org.overview.content.trim()}\n` : '';
  const products = org.products.map(productLine).join('');
  const sources = org.sources.map(sourceLine).join('');
  const body = [overview, products, sources].filter(Boolean).join('\n');
  return body ? `${front}\n${body}` : front;
}

function productLine(product: OrgDetail['products'][number]): string {
  const attributes = {
    name: product.name,
    slug: product.slug,
    kind: product.kind,
    sources: product.sourceCount,
    url: product.url,
  };
  return `${tag('Product', attributes, { selfClosing: true })}\n`;
}
