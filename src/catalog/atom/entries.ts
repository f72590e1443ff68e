// Releases as Atom entries.

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { FeedItem } from '../../contract/release.ts';
import type { AtomEntry } from '../../domain/atom/feed.ts';
import { renderMarkdown } from '../../domain/markdown-html/render.ts';
import { RenderCache } from '../../domain/markdown-html/render-cache.ts';
import { escapeHtml } from '../../domain/markdown-html/sanitize.ts';
import { elementAt } from '../../domain/records.ts';
import { readDocument, SMALL } from '../../threads/documents.ts';
import { TaskTimeout, TooManyTasks, threadTask } from '../../threads/task.ts';
import type { FeedRow } from '../releases/feed-query.ts';
import { feedItems } from '../releases/release-fields.ts';
import { feedAuthority } from './authority.ts';

export async function atomEntries(ctx: Context, rows: readonly FeedRow[]): Promise<AtomEntry[]> {
  const authority = await feedAuthority(ctx);
  const items = await feedItems(ctx, rows);
  const entries: AtomEntry[] = [];
  for (const [index, item] of items.entries()) {
    const row = elementAt(rows, index);
    entries.push(await entryOf(item, row, authority));
    // Long notes take a few milliseconds each; other requests get their turn between them.
    if ((row.content ?? '').length > LONG) await setImmediate();
  }
  return entries;
}

const LONG = 8_000;

async function entryOf(item: FeedItem, row: FeedRow, authority: string): Promise<AtomEntry> {
  const content = row.content ?? '';
  return {
    id: `tag:${authority},2026:release/${item.id}`,
    title: titleOf(item),
    published: item.publishedAt,
    updated: updatedAt(row),
    alternate: item.webUrl,
    related: item.url,
    author: item.org?.name ?? item.source.name,
    categories: [
      { term: item.source.slug, scheme: `tag:${authority},2026:source`, label: item.source.name },
      { term: item.type },
      ...(item.prerelease ? [{ term: 'prerelease' }] : []),
      ...(item.breaking === 'unknown' ? [] : [{ term: `breaking-${item.breaking}` }]),
    ],
    summary: item.summary && item.summary !== content.trim() ? item.summary : null,
    content:
      content.trim() === ''
        ? `<p>${escapeHtml(item.summary || titleOf(item))}</p>`
        : await renderNotes({ markdown: content, base: item.url }),
  };
}

function titleOf({ title, version }: FeedItem): string {
  const text = title.trim() || version || 'Untitled release';
  return version === null || text.includes(version.replace(/^v/i, '')) ? text : `${text} ${version}`;
}

// The last change that came from the source; text of our own does not count, and never the present time.
function updatedAt({ revision_count, updated_at, published_at, fetched_at }: FeedRow): string {
  const changed = revision_count > 0 ? updated_at : (published_at ?? fetched_at);
  return published_at !== null && changed < published_at ? published_at : changed;
}

// Notes of a release as HTML for a feed. Long ones are rendered on a thread, because a reader's request must not hold up
// others, and cached, because feeds are asked for again and again.
interface Notes {
  markdown: string;
  base: string | null;
}

const SHOWN_ANYWAY = 1_000;
const rendered = new RenderCache();

export function renderDocument({ markdown, base }: Notes): string {
  return renderMarkdown(markdown, { base });
}

const RENDERING = threadTask(import.meta.url, renderDocument);

export async function renderNotes(notes: Notes): Promise<string> {
  const { markdown, base } = notes;
  if (markdown.length <= SMALL) return renderDocument(notes);
  const key = createHash('sha256')
    .update(`${base ?? ''}\n${markdown}`)
    .digest('base64');
  const known = rendered.get(key);
  if (known !== undefined) return known;
  try {
    const html = await readDocument(RENDERING, notes, markdown.length);
    rendered.set(key, html);
    return html;
  } catch (error) {
    if (!(error instanceof TaskTimeout || error instanceof TooManyTasks)) throw error;
    return `<p>${escapeHtml(markdown.slice(0, SHOWN_ANYWAY))}</p>\n<p>The rest could not be prepared in time.</p>`;
  }
}
