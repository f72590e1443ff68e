// Forms that create, edit and delete organizations and their products.
import { ORG_EDITS } from '../../../contract/edited-fields.ts';
import type { OperatorForm, OperatorVisit } from '../../operator/visit.ts';
import { orgEditorPage } from '../../pages/operator/org.ts';
import { orgsPage } from '../../pages/operator/orgs.ts';
import { back, editedBody, given, type Named, requireConfirmed } from './fields.ts';

export const orgForms: OperatorForm[] = [
  {
    path: '/admin/orgs/create',
    summary: 'create an organization',
    access: 'write',
    page: orgsPage,
    run: async ({ api, form }) => {
      const body = { name: given(form, 'name'), slug: given(form, 'slug'), domain: given(form, 'domain') };
      const { slug } = await api.send<Named>('POST', '/orgs', { body });
      return { to: `/admin/orgs/${slug}?done=created` };
    },
  },
  orgForm('edit', 'saved', ({ api, params, form }) => {
    const notice = given(form, 'notice');
    const body = { ...editedBody(form, ORG_EDITS), notice: notice ? { message: notice } : null };
    return api.send('PATCH', '/orgs/{org}', { params, body });
  }),
  orgForm('playbook', 'saved', ({ api, params, form }) =>
    api.send('PATCH', '/orgs/{org}/playbook/notes', { params, body: { notes: form.get('notes') ?? '' } }),
  ),
  orgForm('answered', 'saved', ({ api, params }) =>
    api.send('PATCH', '/orgs/{org}', { params, body: { trackingRequestedAt: null } }),
  ),
  orgForm('accounts/add', 'saved', ({ api, params, form }) =>
    api.send('POST', '/orgs/{org}/accounts', {
      params,
      body: { platform: given(form, 'platform'), handle: given(form, 'handle') },
    }),
  ),
  orgForm('accounts/remove', 'saved', ({ api, params, form }) =>
    api.send('DELETE', '/orgs/{org}/accounts/{platform}/{handle}', {
      params: { ...params, platform: form.get('platform') ?? '', handle: form.get('handle') ?? '' },
    }),
  ),
  {
    path: '/admin/orgs/{org}/delete',
    summary: 'delete an organization',
    access: 'write',
    page: orgEditorPage,
    run: async (visit) => {
      const { slug } = await visit.api.get<Named>('/orgs/{org}', { params: visit.params });
      requireConfirmed(visit, slug);
      await visit.api.send('DELETE', '/orgs/{org}', { params: visit.params });
      return { to: '/admin/orgs?done=deleted' };
    },
  },
];

function orgForm(verb: string, done: string, change: (visit: OperatorVisit) => Promise<unknown>): OperatorForm {
  return {
    path: `/admin/orgs/{org}/${verb}`,
    summary: `${verb.replace('/', ' ')} of an organization`,
    access: 'write',
    page: orgEditorPage,
    run: async (visit) => {
      await change(visit);
      return { to: `/admin/orgs/${encodeURIComponent(visit.params.org ?? '')}?done=${done}` };
    },
  };
}

export const productForms: OperatorForm[] = [
  ...['hide', 'show'].map(
    (verb): OperatorForm => ({
      path: `/admin/products/{prod}/${verb}`,
      summary: `${verb} a product`,
      access: 'write',
      page: orgsPage,
      run: async (visit) => {
        await visit.api.send('PATCH', '/products/{prod}', {
          params: visit.params,
          body: { isHidden: verb === 'hide' },
        });
        return back(visit, '/admin/orgs', verb === 'hide' ? 'hidden' : 'shown');
      },
    }),
  ),
  {
    path: '/admin/products/{prod}/delete',
    summary: 'delete a product',
    access: 'write',
    page: orgsPage,
    run: async (visit) => {
      const { slug } = await visit.api.get<Named>('/products/{prod}', { params: visit.params });
      requireConfirmed(visit, slug);
      await visit.api.send('DELETE', '/products/{prod}', { params: visit.params });
      return back(visit, '/admin/orgs', 'deleted');
    },
  },
];
