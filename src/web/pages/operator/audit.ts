// /admin/audit: who changed what.
import type { AuditLog } from '../../../contract/admin-logs.ts';
import { text } from '../../../contract/query.ts';
import { keysOf } from '../../../domain/records.ts';
import { type Html, html } from '../../components/html.ts';
import { operatorTable } from '../../components/operator-table.ts';
import { empty, pager } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

const FIELDS = { actor: 'Who', target: 'What, by id', action: 'Action' } as const;

export const auditPage = operatorPage({
  path: '/admin/audit',
  title: 'Audit log',
  access: 'admin',
  query: {
    actor: text({ max: 200 }),
    target: text({ max: 200 }),
    action: text({ max: 200 }),
    cursor: text({ max: 1000 }),
  },
  load: ({ api, query }) => {
    const given = Object.entries(query).filter(([, value]) => value);
    return api.get<AuditLog>('/admin/audit', { query: { limit: '50', ...Object.fromEntries(given) } });
  },
  show: ({ items, pagination }, { shell, query }) => html`<h1>Audit log</h1>
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Audit log">${keysOf(FIELDS).map((name) => html`<div class="field"><label class="sr" for="f-${name}">${FIELDS[name]}</label><input class="input" id="f-${name}" name="${name}" placeholder="${FIELDS[name]}" value="${query[name] ?? ''}"></div>`)}<button class="btn" type="submit">Apply</button></form>
${
  items.length === 0
    ? keysOf(FIELDS).some((name) => query[name])
      ? empty({
          title: 'No changes found',
          text: 'No change by an operator matches these filters.',
          action: { path: '/admin/audit', name: 'Clear filters' },
        })
      : empty({
          title: 'Nothing was changed yet',
          text: 'What operators change by page, call or command is listed here.',
        })
    : operatorTable(
        'Audit log',
        [{ name: 'Action' }, { name: 'Who' }, { name: 'When' }, { name: 'Before and after' }],
        items.map((row) => auditRow(row, shell.now)),
      )
}
${items.length === 0 ? '' : pager('Newest first', pagination.nextCursor ? { path: withQuery('/admin/audit', shell.query, { cursor: pagination.nextCursor }), name: 'Older' } : null)}`,
});

function auditRow(
  { createdAt, actor, action, targetType, targetId, before, after }: AuditLog['items'][number],
  now: number,
): Html[] {
  const written = (value: unknown) => (value === null || value === undefined ? '–' : JSON.stringify(value, null, 1));
  return [
    html`${action}<span class="muted small under">${targetType}${targetId ? html` <span class="mono">${targetId}</span>` : ''}</span>`,
    html`${actor}`,
    ago(createdAt, now),
    html`<details><summary class="small">Show</summary><pre tabindex="0" class="small">${written(before)}\n→\n${written(after)}</pre></details>`,
  ];
}
