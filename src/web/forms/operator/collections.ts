// Forms that create, edit and delete collections.
import type { OperatorForm, OperatorVisit } from '../../operator/visit.ts';
import { collectionsEditorPage } from '../../pages/operator/collections.ts';
import { given, requireConfirmed, words } from './fields.ts';

export const collectionForms: OperatorForm[] = [
  collectionForm('/admin/collections/create', 'created', ({ api, form }) =>
    api.send('POST', '/collections', {
      body: { name: given(form, 'name'), slug: given(form, 'slug'), description: given(form, 'description') },
    }),
  ),
  collectionForm('/admin/collections/{col}/edit', 'saved', async ({ api, params, form }) => {
    // Members are sent first: when one of them does not exist, nothing of the form is stored.
    await api.send('PUT', '/collections/{col}/members', {
      params,
      body: { members: words(form, 'members').map(memberOf) },
    });
    const body = {
      name: given(form, 'name'),
      description: given(form, 'description') ?? null,
      isFeatured: form.has('isFeatured'),
    };
    await api.send('PATCH', '/collections/{col}', { params, body });
  }),
  collectionForm('/admin/collections/{col}/delete', 'deleted', async (visit) => {
    requireConfirmed(visit, visit.params.col ?? '');
    await visit.api.send('DELETE', '/collections/{col}', { params: visit.params });
  }),
];

function collectionForm(path: string, done: string, change: (visit: OperatorVisit) => Promise<unknown>): OperatorForm {
  return {
    path,
    summary: 'change a collection',
    access: 'write',
    page: collectionsEditorPage,
    run: async (visit) => {
      await change(visit);
      return { to: `/admin/collections?done=${done}` };
    },
  };
}

function memberOf(line: string): Record<string, string> {
  const [orgSlug = '', productSlug] = line.split('/');
  return productSlug ? { orgSlug, productSlug } : { orgSlug };
}
