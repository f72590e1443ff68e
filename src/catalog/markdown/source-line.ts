import type { SourceItem } from '../../contract/source.ts';
import { tag } from '../../domain/front-matter.ts';

// A source inside the text of its org or product.
export function sourceLine(source: SourceItem): string {
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
