// /admin/sources: the health of every source, and actions on it.
import { SOURCE_TYPES } from '../../../contract/enums.ts';
import type { PagePagination } from '../../../contract/pagination.ts';
import { oneOf, text } from '../../../contract/query.ts';
import type { SourceItem } from '../../../contract/source.ts';
import { selectFilter } from '../../components/filter-row.ts';
import { healthMark, healthOf, lastCheck } from '../../components/health.ts';
import { formatCount, type Html, html } from '../../components/html.ts';
import { icon } from '../../components/icon.ts';
import { sourceTypeMark, sourceTypeWord } from '../../components/marks.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { countPager, empty, noticeBox } from '../../components/parts.ts';
import { ago, upcoming } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { sourceIdPath, withQuery } from '../../links.ts';
import { type OperatorApi, operatorPage } from '../../operator/visit.ts';

const HEALTH = ['failing', 'stale', 'paused', 'new', 'ok'] as const;
const HEALTH_WORDS: Record<(typeof HEALTH)[number], string> = {
  failing: 'Failing',
  stale: 'Not checked lately',
  paused: 'Paused',
  new: 'Never fetched',
  ok: 'Up to date',
};
const PAGE = 100;
const API_PAGE = 500;
const MAX_PAGES = 10;

const COLUMNS = [
  { name: 'Source' },
  { name: 'Health' },
  { name: 'Type' },
  { name: 'Priority' },
  { name: 'Last' },
  { name: 'Next' },
  { name: 'Errors', numeric: true },
  { name: 'Median gap', numeric: true },
  { name: 'Actions' },
];

interface SourcePage {
  items: SourceItem[];
  pagination: PagePagination;
}

interface SourceList {
  sources: SourceItem[];
  // The number of sources in the registry, which can be higher than the number that was read.
  total: number;
}

export async function readSources(api: OperatorApi): Promise<SourceList> {
  const sources: SourceItem[] = [];
  for (let page = 1; ; page += 1) {
    const query = { limit: String(API_PAGE), page: String(page), include_hidden: 'true' };
    const { items, pagination } = await api.get<SourcePage>('/sources', { query });
    sources.push(...items);
    if (!pagination.hasMore || page === MAX_PAGES) return { sources, total: pagination.totalItems };
  }
}

export const sourcesPage = operatorPage({
  path: '/admin/sources',
  title: 'Sources',
  access: 'write',
  query: { q: text({ max: 200 }), health: oneOf(HEALTH), type: oneOf(SOURCE_TYPES), from: text({ max: 10 }) },
  load: ({ api }) => readSources(api),
  show: ({ sources, total }, { shell, query }) => {
    const counts = Map.groupBy(sources, (source) => healthOf(source, shell.now).health);
    const wanted = query.q?.toLowerCase();
    const listed = sources
      .filter((source) => !query.health || healthOf(source, shell.now).health === query.health)
      .filter((source) => !query.type || source.type === query.type)
      .filter(({ name, slug, url, orgName }) =>
        [name, slug, url ?? '', orgName ?? ''].some((value) => !wanted || value.toLowerCase().includes(wanted)),
      )
      .sort((a, b) => rank(a, shell.now) - rank(b, shell.now) || a.name.localeCompare(b.name, 'en'));
    const start = Math.max(0, Number.parseInt(query.from ?? '0', 10) || 0);
    const shown = listed.slice(start, start + PAGE);
    const next = start + PAGE < listed.length ? String(start + PAGE) : null;
    return html`<div class="spread"><h1>Sources</h1><a class="btn primary" href="/admin/add">Add a source</a></div>
<div class="statline"><p class="stat"><b>${formatCount(total)}</b><span>sources</span></p>${HEALTH.filter((name) => counts.has(name)).map((name) => html`<p class="stat${name === 'failing' ? ' bad' : ''}"><b>${formatCount(counts.get(name)?.length ?? 0)}</b><span>${HEALTH_WORDS[name].toLowerCase()}</span></p>`)}</div>${total > sources.length ? noticeBox('warning', `Only the first ${formatCount(sources.length)} sources were looked at; the API lists them all.`) : ''}
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Sources"><div class="searchbox">${icon('search')}<label class="sr" for="sq">Name or address</label><input class="input" id="sq" name="q" type="search" placeholder="Name or address" value="${query.q ?? ''}"></div>
${selectFilter({
  name: 'health',
  any: 'Any health',
  options: HEALTH.map((name) => [name, HEALTH_WORDS[name]]),
  chosen: query.health,
})}${selectFilter({
  name: 'type',
  any: 'Any type',
  options: SOURCE_TYPES.map((type) => [type, sourceTypeWord(type)]),
  chosen: query.type,
})}<button class="btn" type="submit">Apply</button></form>
${
  shown.length === 0
    ? empty({
        title: 'No source found',
        text: 'No source matches these filters.',
        action: { path: '/admin/sources', name: 'Clear filters' },
      })
    : operatorTable(
        'Sources',
        COLUMNS,
        shown.map((source) => row(source, shell)),
      )
}
${countPager(shown.length, listed.length, next === null ? null : { path: withQuery('/admin/sources', shell.query, { from: next, done: null }), name: 'More' })}`;
  },
});

function rank(source: SourceItem, now: number): number {
  return HEALTH.indexOf(healthOf(source, now).health);
}

function row(source: SourceItem, shell: Shell): Html[] {
  const isPaused = source.fetchPriority === 'paused';
  const path = `/admin/sources/${source.id}`;
  const act = (verb: string, label: string) =>
    rowAction(shell, { action: `${path}/${verb}`, label, target: source.name });
  return [
    html`<a class="plain" href="/admin/view${sourceIdPath(source.id)}">${source.name}</a><span class="muted small under">${source.orgName ?? 'without an organization'}${source.isHidden ? ', hidden' : ''}</span>`,
    healthMark(source, shell.now),
    sourceTypeMark(source.type),
    html`${source.fetchPriority}`,
    ago(lastCheck(source), shell.now),
    source.fetchState.nextCheckAt ? html`${upcoming(source.fetchState.nextCheckAt, shell.now)}` : '',
    source.consecutiveErrors > 0 ? html`${source.consecutiveErrors}` : '',
    source.medianGapDays === null ? '' : html`${Math.round(source.medianGapDays)} d`,
    html`<div class="cluster">${act('fetch', 'Refetch')}${isPaused ? act('resume', 'Resume') : act('pause', 'Pause')}${source.isHidden ? act('show', 'Show') : act('hide', 'Hide')}</div>`,
  ];
}
