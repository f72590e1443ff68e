// Releases as Atom entries.
import type { Context } from '../../context.ts';
import type { FeedItem } from '../../contract/release.ts';
import type { AtomEntry } from '../../domain/atom/feed.ts';
import { escapeHtml } from '../../domain/markdown-html/escape.ts';
import { shownVersion } from '../../domain/notes/index.ts';
import { elementAt } from '../../domain/records.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { FeedRow } from '../feeds/feed-rows.ts';
import { feedItems } from '../release-items.ts';
import { feedAuthority } from './authority.ts';
import { renderNotes } from './render-notes.ts';

export async function atomEntries(ctx: Context, rows: readonly FeedRow[]): Promise<AtomEntry[]> {
  const authority = await feedAuthority(ctx);
  const items = await feedItems(ctx, rows);
  const entries: AtomEntry[] = [];
  for (const [index, item] of items.entries()) {
    const row = elementAt(rows, index);
    entries.push(await entryOf(item, row, authority));
    await endLongTurn();
  }
  return entries;
}

async function entryOf(item: FeedItem, row: FeedRow, authority: string): Promise<AtomEntry> {
  const content = row.content ?? '';
  const head = entryHead(item, row, authority);
  return {
    ...head,
    summary: head.summary && head.summary !== content.trim() ? head.summary : null,
    content:
      content.trim() === ''
        ? `<p>${escapeHtml(head.summary || head.title)}</p>`
        : (
            await renderNotes({
              markdown: content,
              base: head.related,
              inRepository: item.source.type === 'github',
              wholeAt: `${item.webUrl}.md`,
            })
          ).html,
  };
}

// Everything of an entry except the text of the release.
export function entryHead(item: FeedItem, row: FeedRow, authority: string): Omit<AtomEntry, 'content'> {
  return {
    id: `tag:${authority},2026:release/${item.id}`,
    title: item.withdrawn ? `${titleOf(item)} (withdrawn)` : titleOf(item),
    published: item.publishedAt,
    updated: updatedAt(row),
    alternate: item.webUrl,
    related: webAddress(item.url),
    author: item.org?.name ?? item.source.name,
    categories: [
      { term: item.source.slug, scheme: `tag:${authority},2026:source`, label: item.source.name },
      { term: item.type },
      ...(item.prerelease ? [{ term: 'prerelease' }] : []),
      ...(item.withdrawn ? [{ term: 'withdrawn' }] : []),
      ...(item.breaking === 'unknown' ? [] : [{ term: `breaking-${item.breaking}` }]),
    ],
    summary: item.summary || null,
  };
}

// Other schemes are not links to a note; the serialized URL is valid whatever the source wrote.
function webAddress(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : null;
}

// Feeds mix packages, so that a title names package and version before what changed. A title that repeats only those has
// been replaced by the most important entry.
function titleOf({ title, titleGenerated, version, groupName }: FeedItem): string {
  if (titleGenerated !== null) return titleGenerated;
  const text = title.trim() || version || 'Untitled release';
  const number = version === null ? '' : shownVersion(version);
  const head = [text.includes(groupName) ? '' : groupName, text.includes(number) ? '' : number]
    .filter(Boolean)
    .join(' ');
  return head === '' ? text : text === version || text === number ? `${head} ${number}` : `${head}: ${text}`;
}

// The last change that came from the source; generated text does not count, and the current time is never used.
function updatedAt({ revision_count, updated_at, published_at, fetched_at }: FeedRow): string {
  const changed = revision_count > 0 ? updated_at : (published_at ?? fetched_at);
  return published_at !== null && changed < published_at ? published_at : changed;
}
