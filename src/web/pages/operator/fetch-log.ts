// /admin/fetch-log: every fetch of a source, newest first.
import type { FetchLog, FetchLogItem } from '../../../contract/admin-logs.ts';
import { oneOf, text } from '../../../contract/query.ts';
import { selectFilter } from '../../components/filter-row.ts';
import { formatCount, type Html, html } from '../../components/html.ts';
import { operatorTable } from '../../components/operator-table.ts';
import { empty, pager } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

const STATUSES = ['success', 'no_change', 'error', 'blocked', 'timeout', 'skipped', 'dry_run'] as const;
const ROWS = '50';

export const FETCH_LOG_COLUMNS = [
  { name: 'Source' },
  { name: 'Status' },
  { name: 'Found', numeric: true },
  { name: 'New', numeric: true },
  { name: 'Took', numeric: true },
  { name: 'When' },
];

export const fetchLogPage = operatorPage({
  path: '/admin/fetch-log',
  title: 'Fetch log',
  access: 'admin',
  query: { status: oneOf(STATUSES), org: text({ max: 200 }), source: text({ max: 200 }), cursor: text({ max: 1000 }) },
  load: ({ api, query }) => {
    const given = Object.entries(query).filter(([, value]) => value);
    return api.get<FetchLog>('/admin/logs/fetch', {
      query: { ...Object.fromEntries(given), envelope: 'true', limit: ROWS },
    });
  },
  show: ({ items, pagination, statusCounts }, { shell, query }) => html`<h1>Fetch log</h1>
<div class="statline">${STATUSES.map((status) => html`<p class="stat"><b>${formatCount(statusCounts[status] ?? 0)}</b><span>${status.replaceAll('_', ' ')}</span></p>`)}</div>
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Fetch log"><div class="field"><label class="sr" for="f-org">Organization</label><input class="input" id="f-org" name="org" placeholder="Organization" value="${query.org ?? ''}"></div><div class="field"><label class="sr" for="f-source">Source</label><input class="input" id="f-source" name="source" placeholder="Source id" value="${query.source ?? ''}"></div>
${selectFilter({
  name: 'status',
  any: 'Any status',
  options: STATUSES.map((status) => [status, status.replaceAll('_', ' ')]),
  chosen: query.status,
})}<button class="btn" type="submit">Apply</button></form>
<div data-tail>${
    items.length === 0
      ? query.org || query.source || query.status
        ? empty({
            title: 'No fetches found',
            text: 'No fetch matches these filters.',
            action: { path: '/admin/fetch-log', name: 'Clear filters' },
          })
        : empty({
            title: 'Nothing has been fetched yet',
            text: 'Sources are fetched when they are due, unless they are paused.',
            action: { path: '/admin/sources', name: 'Sources' },
          })
      : operatorTable(
          'Fetch log',
          FETCH_LOG_COLUMNS,
          items.map((row) => fetchLogRow(row, shell.now)),
        )
  }</div>
${items.length === 0 ? '' : pager('Newest first', pagination.nextCursor ? { path: withQuery('/admin/fetch-log', shell.query, { cursor: pagination.nextCursor, done: null }), name: 'Older' } : null)}`,
});

export function fetchLogRow(row: FetchLogItem, now: number): Html[] {
  const failed = ['error', 'blocked', 'timeout'].includes(row.status);
  const count = (value: number | null) => html`${value ?? '–'}`;
  return [
    html`${row.sourceName ?? row.sourceSlug}<span class="muted small under">${row.orgName ?? 'without an organization'}, ${row.trigger}</span>`,
    html`<span class="health ${failed ? 'failing' : row.status === 'success' || row.status === 'no_change' ? 'ok' : 'paused'}">${row.status.replaceAll('_', ' ')}</span>${row.error ? html`<span class="muted small under">${row.errorCategory ? `${row.errorCategory}: ` : ''}${row.error}</span>` : ''}`,
    count(row.releasesFound),
    count(row.releasesInserted),
    html`${row.durationMs === null ? '–' : `${row.durationMs} ms`}`,
    ago(row.createdAt, now),
  ];
}
