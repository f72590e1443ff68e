import type { Overview } from '../../contract/overview.ts';
import { frontMatter } from '../../domain/front-matter.ts';
import { textWithCode } from '../../domain/markdown/strangers-text.ts';

// The overview with the release notes that it cites.
export function overviewMarkdown(overview: Overview, { name, url }: { name: string; url: string }): string {
  const front = frontMatter({
    title: `${name} overview`,
    slug: overview.orgSlug,
    url,
    releases: overview.releaseCount,
    citations: overview.citations.length,
    updated: overview.updatedAt,
  });
  const cited = overview.citations.map(({ title, releaseWebUrl, sourceUrl }, index) => {
    const words = textWithCode(title ?? '');
    return `${index + 1}. ${words ? `${words}: ` : ''}<${releaseWebUrl ?? sourceUrl}>\n`;
  });
  const list = cited.length > 0 ? `\n## Cited\n\n${cited.join('')}` : '';
  return `${front}\n${overview.content.trim()}\n${list}`;
}
