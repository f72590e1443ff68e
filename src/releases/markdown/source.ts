import type { SourceDetail, SourceItem, SummaryText } from '../../contract/source.ts';
import { frontMatter, tag } from '../../domain/front-matter.ts';
import { paginationLine, releaseBlocks } from './release.ts';

export function sourceMarkdown(source: SourceDetail): string {
  const front = frontMatter({
    name: source.name,
    slug: source.slug,
    type: source.type,
    source_url: source.url,
    changelog_url: source.changelogUrl,
    organization: source.orgName,
    organization_slug: source.orgSlug,
    total_releases: source.releaseCount,
    latest_version: source.latestVersion,
    latest_date: source.latestDate?.slice(0, 10),
    last_updated: source.lastFetchedAt,
    tracking_since: source.trackingSince,
  });
  const { rolling, monthly } = source.summaries;
  const summaries = [...(rolling ? [rolling] : []), ...monthly].map(summaryBlock);
  const blocks = [...summaries, releaseBlocks(source.releases)].filter(Boolean).join('\n');
  return `${front}${blocks ? `\n${blocks}` : ''}${paginationLine(source.pagination.nextCursor)}`;
}

function summaryBlock(summary: SummaryText): string {
  const attributes =
    summary.type === 'rolling'
      ? { type: 'rolling', 'window-days': summary.windowDays }
      : { type: 'monthly', period: `${summary.year}-${String(summary.month).padStart(2, '0')}` };
  const open = tag('Summary', { ...attributes, 'release-count': summary.releaseCount });
  return `${open}\n${summary.summary.trim()}\n</Summary>\n`;
}

// A source in the document of its org or product.
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
