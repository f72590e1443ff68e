// /admin/orgs/{org}: everything of one organization that an operator may change.
import { type EditedField, ORG_EDITS } from '../../../contract/edited-fields.ts';
import type { OrgDetail } from '../../../contract/org.ts';
import type { OrgDependents } from '../../../contract/org-input.ts';
import type { Playbook } from '../../../contract/overview.ts';
import { keysOf } from '../../../domain/records.ts';
import { areaField, checkField, postForm, textField } from '../../components/form.ts';
import { type Html, html, plural } from '../../components/html.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { command } from '../../components/parts.ts';
import type { Shell } from '../../frame/shell.ts';
import { orgPath } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

interface NamedRow {
  id: string;
  slug: string;
  name: string;
}

const LIST_HELP = 'Separated by commas.';

export const orgEditorPage = operatorPage({
  path: '/admin/orgs/{org}',
  title: 'Organization',
  access: 'write',
  load: async ({ api, params, isAdmin }) => {
    const of = { params: { org: params.org ?? '' } };
    const [org, playbook, dependents] = await Promise.all([
      api.get<OrgDetail>('/orgs/{org}', of),
      api.get<Playbook>('/orgs/{org}/playbook', of),
      isAdmin ? api.get<OrgDependents>('/admin/orgs/{org}/dependents', of) : null,
    ]);
    return { org, playbook, dependents };
  },
  show: ({ org, playbook, dependents }, visit) => {
    const { shell, form, refusal } = visit;
    const base = `/admin/orgs/${org.slug}`;
    const value = (name: string, stored: string | null | undefined) => form.get(name) ?? stored ?? '';
    const input = (field: EditedField): Html => {
      const { name, label = name, kind } = field;
      const stored = org[name as keyof OrgDetail];
      if (kind === 'switch') return checkField({ name, label, checked: stored === true });
      const text = Array.isArray(stored) ? stored.join(', ') : typeof stored === 'string' ? stored : null;
      const common = { name, label, value: value(name, text), required: name === 'name', error: refusal?.fields[name] };
      return field.isLong ? areaField(common) : textField(kind === 'list' ? { ...common, help: LIST_HELP } : common);
    };
    const inputs = (wanted: (field: EditedField) => boolean) =>
      ORG_EDITS.filter((field) => field.label !== undefined && wanted(field)).map(input);
    return html`<div class="spread"><h1>${org.name}</h1><a class="btn" href="/admin/view${orgPath(org.slug)}">Page</a></div>
${postForm(
  shell,
  { name: 'org-edit', action: `${base}/edit` },
  html`<div class="form-grid">${inputs(({ kind, isLong }) => kind !== 'switch' && !isLong)}</div>
${inputs(({ isLong = false }) => isLong)}
${textField({ name: 'notice', label: 'Notice on its page', value: value('notice', org.notice?.message), required: false, help: 'Shown to everybody until you empty it.', error: refusal?.fields.notice })}
${inputs(({ kind }) => kind === 'switch')}
<div class="cluster"><button class="btn primary" type="submit">Save</button></div>`,
)}
<section><h2>Accounts</h2>${accounts(org, shell)}</section>
<section><h2>Products</h2>${named(org.products, 'products', org.slug, shell)}</section>
<section><h2>Sources</h2>${named(org.sources, 'sources', org.slug, shell)}<p><a class="btn" href="/admin/add">Add a source</a></p></section>
<section><h2>Playbook</h2><p class="muted">Notes for those who look after its sources.</p>${postForm(
      shell,
      { name: 'playbook', action: `${base}/playbook` },
      html`${areaField({ name: 'notes', label: 'Notes', value: value('notes', playbook?.notes), required: false })}<button class="btn" type="submit">Save the notes</button>`,
    )}</section>
<section><h2>Delete</h2><p class="muted">${dependents ? dependentsWords(dependents.counts) : ''} It can be brought back for 30 days.</p>${rowAction(shell, { action: `${base}/delete`, label: 'Delete', target: org.name, confirm: org.slug })}</section>
<section><h2>As data</h2>${command(`GET /v1/orgs/${org.slug}`, 'The same over the API')}</section>`;
  },
});

type Counts = OrgDependents['counts'];

const DEPENDENTS: Record<keyof Counts, [one: string, many: string]> = {
  products: ['product', 'products'],
  sources: ['source', 'sources'],
  releases: ['release', 'releases'],
  fetchLog: ['fetch', 'fetches'],
  changelogFiles: ['changelog file', 'changelog files'],
  summaries: ['summary', 'summaries'],
  locations: ['location', 'locations'],
  collections: ['place in a collection', 'places in collections'],
  webhooks: ['webhook', 'webhooks'],
  follows: ['follower', 'followers'],
};

function dependentsWords(counts: Counts): string {
  const words = keysOf(DEPENDENTS).flatMap((name) =>
    counts[name] > 0 ? [plural(counts[name], ...DEPENDENTS[name])] : [],
  );
  return words.length > 0 ? `Goes along: ${words.join(', ')}.` : '';
}

function accounts(org: { slug: string; accounts: { platform: string; handle: string }[] }, shell: Shell): Html {
  const base = `/admin/orgs/${org.slug}/accounts`;
  const rows = org.accounts.map(({ platform, handle }) => [
    html`${platform}`,
    html`${handle}`,
    rowAction(shell, {
      action: `${base}/remove`,
      label: 'Remove',
      target: `${platform} ${handle}`,
      values: { platform, handle },
    }),
  ]);
  return html`${rows.length > 0 ? operatorTable('Accounts', [{ name: 'Platform' }, { name: 'Handle' }, { name: 'Actions' }], rows) : ''}${postForm(
    shell,
    { name: 'account-add', action: `${base}/add`, className: 'filter-row' },
    html`${textField({ name: 'platform', label: 'Platform' })}${textField({ name: 'handle', label: 'Handle' })}<button class="btn" type="submit">Add</button>`,
  )}`;
}

function named(
  rows: readonly (NamedRow & { isHidden?: boolean })[],
  kind: 'products' | 'sources',
  org: string,
  shell: Shell,
): Html {
  if (rows.length === 0) return html`<p class="muted">None yet.</p>`;
  const next = { next: `/admin/orgs/${org}` };
  return operatorTable(
    kind,
    [{ name: 'Name' }, { name: 'Slug' }, { name: 'Actions' }],
    rows.map(({ id, name, slug, isHidden }) => [
      html`<a class="plain" href="/admin/view${orgPath(org)}/${slug}">${name}</a>`,
      html`${slug}${isHidden ? ', hidden' : ''}`,
      html`<div class="cluster">${rowAction(shell, { action: `/admin/${kind}/${id}/${isHidden ? 'show' : 'hide'}`, label: isHidden ? 'Show' : 'Hide', target: name, values: next })}${rowAction(shell, { action: `/admin/${kind}/${id}/delete`, label: 'Delete', target: name, values: next, confirm: slug })}</div>`,
    ]),
  );
}
