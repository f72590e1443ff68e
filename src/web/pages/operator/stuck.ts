// /admin/stuck: sources whose last fetches all failed, with the reason and advice.
import type { StuckSources } from '../../../contract/admin-logs.ts';
import { text } from '../../../contract/query.ts';
import { type Html, html } from '../../components/html.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { countPager, empty } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

// Advice for the operator by the kind of failure.
const ADVICE: Readonly<Record<string, string>> = {
  not_found: 'The address is gone. Look for the new one and change it.',
  blocked: 'The site refuses us. Ask its owner, or add another address with the same notes.',
  robots: 'The site asks not to be read here. Ask its owner, or add another address with the same notes.',
  rate_limited: 'The site asks for fewer requests. Lower the priority.',
  unauthorized: 'The site asks for credentials. Check the settings of the source.',
  parse: 'The page has a new layout. Evaluate the address again.',
  empty: 'No separate releases can be found on the page. Evaluate the address again.',
  timeout: 'The site answers too slowly. Refetch later.',
  unreachable: 'The host does not answer. Refetch later, or check the address.',
};

export const stuckPage = operatorPage({
  path: '/admin/stuck',
  title: 'Stuck sources',
  access: 'admin',
  query: { page: text({ max: 10 }) },
  load: ({ api, query }) =>
    api.get<StuckSources>('/admin/sources/stuck', {
      query: { limit: '50', page: query.page ?? '1', includePaused: 'true' },
    }),
  show: (
    { items, pagination, meta },
    { shell },
  ) => html`<h1>Stuck sources</h1><p class="lede">Sources whose last attempts all failed.</p>
${
  items.length === 0
    ? empty({
        title: 'Nothing is stuck',
        text: `No source has failed in each of its last ${meta.minAttempts} attempts or more. Sources that failed only lately are among the failing ones.`,
        action: { path: '/admin/sources?health=failing', name: 'Failing sources' },
      })
    : operatorTable(
        'Stuck sources',
        [
          { name: 'Source' },
          { name: 'Cause' },
          { name: 'What would help' },
          { name: 'Last success' },
          { name: 'Last attempt' },
          { name: 'Actions' },
        ],
        items.map((row: StuckSources['items'][number]) => stuckRow(row, shell)),
      )
}
${countPager(items.length, pagination.totalItems, pagination.hasMore ? { path: withQuery('/admin/stuck', shell.query, { page: String(pagination.page + 1), done: null }), name: 'More' } : null)}`,
});

function stuckRow(row: StuckSources['items'][number], shell: Shell): Html[] {
  const act = (verb: string, label: string) =>
    rowAction(shell, {
      action: `/admin/sources/${row.sourceId}/${verb}`,
      label,
      target: row.name,
      values: { next: '/admin/stuck' },
    });
  return [
    html`${row.name}<span class="muted small under">${row.orgName ?? 'without an organization'}</span>`,
    html`${row.lastErrorCategory ?? 'unknown'}<span class="muted small under">${row.lastError ?? 'No message was left.'} ${row.recentErrors} of ${row.recentAttempts} attempts failed.</span>`,
    html`${ADVICE[row.lastErrorCategory ?? ''] ?? 'Refetch it and read the fetch log.'}`,
    row.lastSuccessAt ? ago(row.lastSuccessAt, shell.now) : html`never`,
    ago(row.lastAttemptAt, shell.now),
    html`<div class="cluster">${act('fetch', 'Refetch')}${act('pause', 'Pause')}<a class="btn quiet small" href="/admin/add?url=${encodeURIComponent(row.url ?? '')}">Evaluate</a></div>`,
  ];
}
