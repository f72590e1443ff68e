// /live/breaking: the releases of the last 90 days that break something, of the whole registry.

import type { Context } from '../../context.ts';
import { text } from '../../contract/query.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { countFeed } from '../../releases/feeds/feed.ts';
import type { Branch } from '../../releases/feeds/feed-query.ts';
import { latestReleases } from '../../releases/feeds/latest.ts';
import { html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { empty, pager } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { page } from '../page.ts';

export const BREAKING_PATH = '/live/breaking';
export const BREAKING_FEED = '/feed.atom?breaking=major';
export const BREAKING_DAYS = 90;
const ROWS = 30;
const ALL: readonly Branch[] = [{ column: null, value: '' }];

export function breakingSince(ctx: Context): string {
  return new Date(ctx.clock().getTime() - BREAKING_DAYS * 86_400_000).toISOString();
}

// One page of the list, and the length of the whole list.
async function readBreaking(
  ctx: Context,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ReleaseFeed & { total: number }> {
  const filter = { breaking: ['major' as const], since: breakingSince(ctx) };
  const list = await latestReleases(ctx, { scope: {}, filter, page: { cursor, limit, includeContent: false } });
  const isWhole = cursor === undefined && list.pagination.nextCursor === null;
  return { ...list, total: isWhole ? list.releases.length : await countFeed(ctx, { branches: ALL, filter }) };
}

export const breakingPage = page({
  path: BREAKING_PATH,
  summary: 'Releases of the last months that break something',
  query: { cursor: text({ max: 100_000 }) },
  load: (ctx, { query }) => readBreaking(ctx, { cursor: query.cursor, limit: ROWS }),
  show: ({ releases, pagination: { nextCursor }, total }, shell) => ({
    name: 'breaking',
    head: {
      title: `Breaking in the last ${BREAKING_DAYS} days`,
      description: `Releases of the last ${BREAKING_DAYS} days that break something, newest first.`,
      canonical: BREAKING_PATH,
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
    },
    body: html`<div class="spread"><div><h1>Breaking in the last ${BREAKING_DAYS} days</h1><p class="lede">${total > 0 ? `${plural(total, 'release')} with breaking changes.` : 'Releases with breaking changes.'}</p></div><p class="cluster"><a class="btn small" href="/breaking">By week</a><a class="btn small" href="${BREAKING_FEED}">${icon('feed')}Atom</a></p></div>
${releases.length > 0 ? releaseList(releases, { now: shell.now, lead: 'avatar' }) : empty({ title: 'None known', text: `No release of the last ${BREAKING_DAYS} days is known to break something. Releases without notes are not judged.`, action: { path: '/live', name: 'All releases' } })}
${nextCursor ? pager('Newest first', { path: `${BREAKING_PATH}?cursor=${encodeURIComponent(nextCursor)}`, name: 'Older' }) : ''}`,
  }),
});
