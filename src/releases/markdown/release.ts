import type { FeedItem, ReleaseDetail, ReleaseFeed } from '../../contract/release.ts';
import { frontMatter, tag } from '../../domain/front-matter.ts';
import { textWithCode } from '../../domain/markdown/strangers-text.ts';

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
    withdrawn: release.withdrawn ?? null,
    url: release.url,
  });
  return `${front}\n# ${textWithCode(release.title)}\n\n${release.content}\n`;
}

// Releases as markdown. Every feed and every page that embeds releases shows them in these blocks.
type Front = Parameters<typeof frontMatter>[0];

// With `org`, the blocks of a feed over several sources name the source of each release.
export function releaseBlocks(items: readonly FeedItem[], options: { org?: boolean } = {}): string {
  return items.map((item) => releaseBlock(item, options.org ?? false)).join('\n');
}

function releaseBlock(item: FeedItem, withOwner: boolean): string {
  const open = tag('Release', {
    id: item.id,
    org: withOwner ? item.org?.slug : null,
    source: withOwner ? item.source.slug : null,
    version: item.version,
    date: item.publishedAt?.slice(0, 10),
    published: item.publishedAt,
    url: item.url,
    breaking: item.breaking,
    withdrawn: item.withdrawn ? 'true' : null,
  });
  const heading = item.title === item.version ? '' : `## ${withoutBlockTags(textWithCode(item.title))}\n\n`;
  const text = withoutBlockTags(item.content || textWithCode(item.summary)).trim();
  return `${open}\n${heading}${text ? `${text}\n` : ''}</Release>\n`;
}

// Notes that contain one of our tags would end their block or begin a false one.
function withoutBlockTags(text: string): string {
  return text.replace(/<(?=\s{0,20}\/?\s{0,20}(?:Release|Pagination)\b)/gi, '&lt;');
}

// The last line of a document that has a next page.
export function paginationLine(nextCursor: string | null): string {
  return nextCursor === null ? '' : `\n${tag('Pagination', { cursor: nextCursor }, { selfClosing: true })}\n`;
}

// The owner of a feed is stored beside the response object, because the JSON form of a feed does not contain it.
const owners = new WeakMap<ReleaseFeed, Front>();

export function ownedFeed(feed: ReleaseFeed, owner: Front): ReleaseFeed {
  owners.set(feed, owner);
  return feed;
}

export function feedMarkdown(front: Front, feed: ReleaseFeed): string {
  const { releases, pagination } = feed;
  const fields = {
    ...front,
    ...owners.get(feed),
    release_count: releases.length,
    has_more: pagination.nextCursor !== null,
  };
  const blocks = releaseBlocks(releases, { org: true });
  return `${frontMatter(fields)}${blocks ? `\n${blocks}` : ''}${paginationLine(pagination.nextCursor)}`;
}
