import type { ReleaseDetail } from '../../contract/release.ts';
import { frontMatter } from '../../domain/front-matter.ts';

export function releaseMarkdown(release: ReleaseDetail): string {
  const front = frontMatter({
    title: release.title,
    version: release.version,
    source: release.sourceName,
    source_slug: release.sourceSlug,
    source_type: release.sourceType,
    organization: release.org?.name,
    organization_slug: release.org?.slug,
    published: release.publishedAt,
    breaking: release.breaking,
    url: release.url,
  });
  return `${front}\n# ${release.title}\n\n${release.content}\n`;
}
