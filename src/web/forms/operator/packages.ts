// Forms that keep private package registries, and that read a package now.
import type { OperatorForm } from '../../operator/visit.ts';
import { packagesPage } from '../../pages/operator/packages.ts';
import { back, given, requireConfirmed, words } from './fields.ts';

export const packageForms: OperatorForm[] = [
  {
    path: '/admin/packages/read',
    summary: 'read a package now',
    access: 'admin',
    page: packagesPage,
    run: async (visit) => {
      const { form } = visit;
      const body = { ecosystem: given(form, 'ecosystem'), name: given(form, 'name') };
      await visit.api.send('POST', '/admin/packages/read', { body });
      return back(visit, `/admin/packages?q=${encodeURIComponent(body.name ?? '')}`, 'packageRead');
    },
  },
  {
    path: '/admin/package-registries/save',
    summary: 'name the registry of a scope',
    access: 'admin',
    page: packagesPage,
    run: async (visit) => {
      const { form } = visit;
      const token = given(form, 'token');
      const body = {
        scope: given(form, 'scope'),
        url: given(form, 'url'),
        accounts: words(form, 'accounts'),
        ...(token && { token }),
      };
      await visit.api.send('PUT', '/admin/package-registries', { body });
      return back(visit, '/admin/packages', 'registrySaved');
    },
  },
  {
    path: '/admin/package-registries/remove',
    summary: 'forget the registry of a scope',
    access: 'admin',
    page: packagesPage,
    run: async (visit) => {
      const scope = given(visit.form, 'scope') ?? '';
      requireConfirmed(visit, scope);
      await visit.api.send('DELETE', '/admin/package-registries/{scope}', { params: { scope } });
      return back(visit, '/admin/packages', 'deleted');
    },
  },
  {
    path: '/admin/package-registries/make-public',
    summary: 'let names of a scope be asked for at the public registry',
    access: 'admin',
    page: packagesPage,
    run: async (visit) => {
      const scope = given(visit.form, 'scope') ?? '';
      requireConfirmed(visit, scope);
      const path = '/admin/package-registries/{scope}';
      await visit.api.send('DELETE', path, { params: { scope }, query: { public: 'true' } });
      return back(visit, '/admin/packages', 'madePublic');
    },
  },
];
