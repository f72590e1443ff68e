// /admin/waiting: what goes on only when an operator says so: sources that bring too much, hosts that ask to be left alone.
import type { HeldSource, HeldSources, WaitingHost, WaitingHosts } from '../../../contract/holds.ts';
import { text } from '../../../contract/query.ts';
import { type Html, html, plural } from '../../components/html.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { countPager } from '../../components/parts.ts';
import { ago, upcoming } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

const REASONS: Readonly<Record<WaitingHost['reason'], string>> = {
  retry_after: 'It asked for this time.',
  quota_used: 'Its quota is used up.',
  quota_low: 'Little of its quota is left.',
  throttled: 'It limits some of its sources.',
};

export const waitingPage = operatorPage({
  path: '/admin/waiting',
  title: 'Waiting for you',
  access: 'admin',
  query: { page: text({ max: 10 }) },
  load: async ({ api, query }) => {
    const [held, { items: hosts }] = await Promise.all([
      api.get<HeldSources>('/admin/sources/held', { query: { limit: '50', page: query.page ?? '1' } }),
      api.get<WaitingHosts>('/admin/hosts/waiting'),
    ]);
    return { held, hosts };
  },
  show: ({ held: { items, pagination }, hosts }, { shell }) => html`<h1>Waiting for you</h1>
<section><h2>Held sources</h2><p class="muted">They have more new releases than usual. None is stored until you accept them, and none will be announced.</p>${
    items.length === 0
      ? html`<p>None is held.</p>`
      : operatorTable(
          'Held sources',
          [{ name: 'Source' }, { name: 'Why' }, { name: 'Held' }, { name: 'Actions' }],
          items.map((row) => heldRow(row, shell)),
        )
  }${countPager(items.length, pagination.totalItems, pagination.hasMore ? { path: withQuery('/admin/waiting', shell.query, { page: String(pagination.page + 1), done: null }), name: 'More' } : null)}</section>
<section><h2>Waiting hosts</h2><p class="muted">They asked for fewer requests, and are left alone for a day at most.</p>${
    hosts.length === 0
      ? html`<p>None is waiting.</p>`
      : operatorTable(
          'Waiting hosts',
          [{ name: 'Host' }, { name: 'Why' }, { name: 'Goes on' }, { name: 'Actions' }],
          hosts.map((row) => hostRow(row, shell)),
        )
  }</section>`,
});

function heldRow(row: HeldSource, shell: Shell): Html[] {
  const act = (verb: string, label: string) =>
    rowAction(shell, {
      action: `/admin/sources/${row.sourceId}/${verb}`,
      label,
      target: row.sourceName,
      values: { next: '/admin/waiting' },
    });
  return [
    html`<a class="plain" href="${row.url}" rel="noopener noreferrer nofollow">${row.sourceName}</a><span class="muted small under">${row.orgName ?? 'without an organization'}</span>`,
    html`${row.reason}`,
    ago(row.heldAt, shell.now),
    html`<div class="cluster">${act('accept', 'Accept')}${act('hide', 'Hide')}</div>`,
  ];
}

function hostRow({ host, reason, until, sources }: WaitingHost, shell: Shell): Html[] {
  const action = `/admin/hosts/${encodeURIComponent(host)}/end-wait`;
  return [
    html`${host}<span class="muted small under">${plural(sources, 'source')}</span>`,
    html`${REASONS[reason]}`,
    upcoming(until, shell.now),
    html`<div class="cluster">${rowAction(shell, { action, label: 'End the wait', target: host })}</div>`,
  ];
}
