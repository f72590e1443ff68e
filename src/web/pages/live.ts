// /live: the newest releases as they arrive. Without script it is a list with a reload link.

import { text } from '../../contract/query.ts';
import { latestReleases } from '../../releases/feeds/latest.ts';
import { html } from '../components/html.ts';
import { empty, pager } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { page } from '../page.ts';

const ROWS = 30;

export const livePage = page({
  path: '/live',
  summary: 'Releases as they come in',
  query: { cursor: text({ max: 100_000 }) },
  load: (ctx, { query }) =>
    latestReleases(ctx, { scope: {}, filter: {}, page: { cursor: query.cursor, limit: ROWS, includeContent: false } }),
  show: ({ releases, pagination }, shell) => ({
    name: 'live',
    head: {
      title: 'Live',
      description: 'Releases as they come in.',
      canonical: '/live',
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
    },
    body: html`<div class="spread"><div><h1>Live</h1><p class="lede">Releases as they come in.</p></div><p class="cluster"><span class="health paused" data-live-state role="status">As of when this page was loaded</span><button class="btn small" type="button" data-live-pause hidden aria-pressed="false">Pause</button><a class="btn small" href="/live">Reload</a></p></div>
<p class="sr" role="status" data-live-count></p><div data-live><button class="btn" type="button" data-live-new hidden></button>${releases.length > 0 ? releaseList(releases, { now: shell.now, lead: 'avatar' }) : empty({ title: 'Nothing here yet', text: 'No release with a date is known here. New ones appear as they come in.' })}</div>
${pagination.nextCursor ? pager('Newest first', { path: `/live?cursor=${encodeURIComponent(pagination.nextCursor)}`, name: 'Older' }) : ''}`,
  }),
});
