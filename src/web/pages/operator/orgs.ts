// /admin/orgs: all organizations, after those that users asked to be tracked.
import type { OrgList, OrgListItem } from '../../../contract/org.ts';
import { text } from '../../../contract/query.ts';
import { postForm, textField } from '../../components/form.ts';
import { formatCount, type Html, html } from '../../components/html.ts';
import { icon } from '../../components/icon.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { countPager, empty } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

const COLUMNS = [
  { name: 'Organization' },
  { name: 'State' },
  { name: 'Category' },
  { name: 'Sources', numeric: true },
  { name: 'Releases', numeric: true },
  { name: 'Latest' },
];

export const orgsPage = operatorPage({
  path: '/admin/orgs',
  title: 'Organizations',
  access: 'write',
  query: { q: text({ max: 200 }), page: text({ max: 10 }) },
  load: async ({ api, query, isAdmin }) => {
    const paging = { limit: '100', page: query.page ?? '1', include_hidden: 'true', includeEmpty: 'true' };
    const [list, requested] = await Promise.all([
      api.get<OrgList>('/orgs', { query: { ...paging, ...(query.q ? { q: query.q } : {}) } }),
      isAdmin ? api.get<OrgList>('/orgs', { query: { limit: '100', trackingRequested: 'true' } }) : null,
    ]);
    return { list, requested: requested?.items ?? [] };
  },
  show: ({ list, requested }, { shell, query, form, refusal }) => html`<h1>Organizations</h1>
${requested.length > 0 ? html`<section><h2>Asked for</h2><p class="muted">People asked that these be tracked.</p><ul class="mini">${requested.map(({ slug, name, trackingRequestedAt }) => html`<li><a href="/admin/orgs/${slug}">${name}</a>${rowAction(shell, { action: `/admin/orgs/${slug}/answered`, label: 'Mark as answered', target: name })}<span class="sub">${trackingRequestedAt ? ago(trackingRequestedAt, shell.now) : ''}</span></li>`)}</ul></section>` : ''}
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Organizations"><div class="searchbox">${icon('search')}<label class="sr" for="oq">Name or domain</label><input class="input" id="oq" name="q" type="search" placeholder="Name or domain" value="${query.q ?? ''}"></div><button class="btn" type="submit">Apply</button></form>
${
  list.items.length === 0
    ? empty({
        title: 'No organization found',
        text: 'No organization has this name.',
        action: { path: '/admin/orgs', name: 'Clear filters' },
      })
    : operatorTable(
        'Organizations',
        COLUMNS,
        list.items.map((org) => row(org, shell.now)),
      )
}
${countPager(list.items.length, list.pagination.totalItems, list.pagination.hasMore ? { path: withQuery('/admin/orgs', shell.query, { page: String(list.pagination.page + 1), done: null }), name: 'More' } : null)}
<section><h2>Add an organization</h2>${postForm(
    shell,
    { name: 'org-create', action: '/admin/orgs/create' },
    html`<div class="form-grid">${textField({ name: 'name', label: 'Name', value: form.get('name'), error: refusal?.fields.name })}${textField({ name: 'slug', label: 'Slug', value: form.get('slug'), required: false, error: refusal?.fields.slug, help: 'Made from the name when left empty.' })}${textField({ name: 'domain', label: 'Domain', value: form.get('domain'), required: false, error: refusal?.fields.domain })}</div><button class="btn primary" type="submit">Create</button>`,
  )}</section>`,
});

function row(org: OrgListItem, now: number): Html[] {
  return [
    html`<a class="plain" href="/admin/orgs/${org.slug}">${org.name}</a><span class="muted small under">${org.domain ?? org.slug}</span>`,
    html`${org.status}`,
    html`${org.category ?? '–'}`,
    html`${formatCount(org.sourceCount)}`,
    html`${formatCount(org.releaseCount)}`,
    ago(org.lastActivity, now),
  ];
}
