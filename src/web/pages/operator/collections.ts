// /admin/collections: the collections and the order of their members.
import type { CollectionDetail, CollectionListItem, CollectionMember } from '../../../contract/collection.ts';
import { areaField, postForm, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { rowAction } from '../../components/operator-table.ts';
import { empty } from '../../components/parts.ts';
import type { Shell } from '../../frame/shell.ts';
import { collectionPath } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

export const collectionsEditorPage = operatorPage({
  path: '/admin/collections',
  title: 'Collections',
  access: 'write',
  load: async ({ api }) => {
    const { items } = await api.get<{ items: CollectionListItem[] }>('/collections', { query: { limit: '100' } });
    return Promise.all(
      items.map(({ slug }) => api.get<CollectionDetail>('/collections/{col}', { params: { col: slug } })),
    );
  },
  show: (collections, { shell, form, refusal }) => html`<h1>Collections</h1>
${collections.length === 0 ? empty({ title: 'No collection yet', text: 'A collection is a list of organizations and products that belong together.' }) : collections.map((collection) => editor(collection, shell))}
<section><h2>New collection</h2>${postForm(
    shell,
    { name: 'collection-create', action: '/admin/collections/create' },
    html`<div class="form-grid">${textField({ name: 'name', label: 'Name', value: form.get('name'), error: refusal?.fields.name })}${textField({ name: 'slug', label: 'Slug', value: form.get('slug'), required: false, error: refusal?.fields.slug })}</div>${areaField({ name: 'description', label: 'Description', value: form.get('description'), required: false })}<button class="btn primary" type="submit">Create</button>`,
  )}</section>`,
});

// One member per line, in order: `org` or `org/product`.
const memberLine = (member: CollectionMember) =>
  member.kind === 'product' ? `${member.org.slug}/${member.slug}` : member.slug;

function editor({ slug, name, description, isFeatured, members }: CollectionDetail, shell: Shell): Html {
  const base = `/admin/collections/${slug}`;
  const id = (field: string) => `${slug}-${field}`;
  return html`<section><div class="spread"><h2>${name}</h2><a class="small" href="${collectionPath(slug)}">Page</a></div>${postForm(
    shell,
    { name: 'collection-edit', action: `${base}/edit` },
    html`<div class="form-grid">${textField({ name: 'name', id: id('name'), label: 'Name', value: name })}${textField({ name: 'description', id: id('description'), label: 'Description', value: description, required: false })}</div>
${areaField({ name: 'members', id: id('members'), label: 'Members, in order', value: members.map(memberLine).join('\n'), required: false, help: 'One per line: an organization, or organization/product.' })}
<label class="check"><input type="checkbox" name="isFeatured" value="true"${isFeatured ? html` checked` : ''}> Featured on the home page</label><button class="btn" type="submit">Save</button>`,
  )}${rowAction(shell, { action: `${base}/delete`, label: 'Delete', target: name, confirm: slug })}</section>`;
}
