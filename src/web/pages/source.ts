// /{org}/{slug} or /source/{slug}, a source: its releases, its activity, and its health.

import type { Context } from '../../context.ts';
import type { SourceActivity } from '../../contract/activity.ts';
import { text } from '../../contract/query.ts';
import type { SourceDetail } from '../../contract/source.ts';
import { sourceActivity } from '../../entities/activity/weekly.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { sourceDetail } from '../../releases/details/source.ts';
import { relatedSources } from '../../search/related/sources.ts';
import { emptyReleases } from '../components/empty-list.ts';
import { filterOf, filterRow, type ListQuery, listEnd, listQuery } from '../components/filter-row.ts';
import { html } from '../components/html.ts';
import { asData } from '../components/org-frame.ts';
import { command } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { sourceFacts, sourceHead, sourceTrail } from '../components/source-frame.ts';
import { readRepository } from '../components/track.ts';
import { canBePlotted, type PlotRange, plotRange, plotSpans, weeklyBars } from '../components/weekly-bars.ts';
import { breadcrumbs, type WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { sourcePath } from '../links.ts';
import { panelContext } from '../page.ts';

interface SourceView {
  // The path of the page.
  path: string;
  source: SourceDetail;
  activity: SourceActivity;
  range: PlotRange;
  // Whether this registry lets its readers have repositories read.
  isOpen: boolean;
  related: { id: string; name: string; slug: string; orgSlug: string | null; orgName: string | null }[];
}

export function showSource(
  { path, source, activity, range, related, isOpen }: SourceView,
  shell: Shell,
  query: ListQuery,
): WebPage {
  const next = source.pagination.nextCursor;
  const versioned = source.releases.some(({ version }) => version);
  const isDated = source.latestDate !== null;
  const hasPlot = canBePlotted(source.latestDate, shell.now);
  const plot = hasPlot
    ? html`<section aria-label="Releases by week">${plotSpans(path, shell.query, { range, now: shell.now })}${weeklyBars({ weeks: activity.weeklyBuckets, unreadWeeks: activity.unreadWeeks }, range)}</section>`
    : source.releaseCount > 0 && !isDated
      ? html`<p class="section-note">This changelog gives no dates. The highest version comes first.</p>`
      : '';
  const list =
    source.releases.length === 0
      ? emptyReleases({
          name: source.name,
          path,
          query,
          total: source.releaseCount,
          sources: [source],
          form: isOpen && source.type === 'github' ? readRepository(shell, source.url) : '',
        })
      : releaseList(source.releases, { now: shell.now, lead: 'source', solo: versioned ? 'versions' : 'plain' });
  return {
    name: 'source',
    head: {
      title: source.name,
      description: `Releases of ${source.name}${source.orgName ? ` by ${source.orgName}` : ''}: what changed, and what it breaks.`,
      canonical: path,
      forms: ['json', 'md', 'atom'],
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
      jsonLd: [breadcrumbs(shell, [...sourceTrail(source), { name: source.name, path }])],
    },
    body: html`${sourceHead(source, shell, { current: 'releases', home: path })}
<div class="cols"><div>${plot}
<section${hasPlot ? html` class="block"` : ''}><h2 class="sr">Releases</h2>${filterRow(query, { total: source.releaseCount })}${list}${listEnd({ path, shown: source.releases.length, total: source.releaseCount, next, isDated }, shell, query)}</section></div>
<aside class="panel" aria-label="About ${source.name}">
${sourceFacts(source, shell)}
${related.length > 0 ? html`<section><h2>Related sources</h2><ul class="linklist">${related.map((other) => html`<li><a href="${sourcePath(other.orgSlug, other.slug)}">${other.name}</a><span class="muted small">${other.orgName ?? ''}</span></li>`)}</ul></section>` : ''}
${asData(path, ['atom', 'json', 'md'])}
<section><h2>In a terminal</h2>${command(`registry source releases ${source.orgSlug ? `${source.orgSlug}/${source.slug}` : source.id}`, 'Releases in a terminal')}</section>
</aside></div>`,
  };
}

// Loads the data of a source's pages for all of its paths.

const ROWS = 30;
const RELATED = 5;

// The filters of the list, and the range of the plot.
export const entityQuery = { ...listQuery, from: text({ max: 32 }), to: text({ max: 32 }) };

export type EntityQuery = ListQuery & PlotQuery;

interface PlotQuery {
  from?: string;
  to?: string;
}

export function readingOf(ctx: Context, query: EntityQuery) {
  return {
    filter: filterOf(query, ctx.clock().getTime()),
    page: { cursor: query.cursor, limit: ROWS, includeContent: false },
  };
}

export async function loadSource(ctx: Context, { id, path }: { id: string; path: string }, query: EntityQuery) {
  const found = await resolveSource(ctx, { src: id });
  const range = plotRange(ctx.clock().getTime(), query);
  const [source, activity, related] = await Promise.all([
    sourceDetail(ctx, found, { ...readingOf(ctx, query), number: 1 }),
    sourceActivity(ctx, { path: { src: id }, range }),
    relatedSources(panelContext(ctx), { source: id, scope: 'global', limit: RELATED }),
  ]);
  const isOpen = ctx.config.lookups.access === 'public';
  return { path, source, activity, range, related: related.items, isOpen };
}
