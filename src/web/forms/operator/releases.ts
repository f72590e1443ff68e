// Forms that hide single releases and show them again.
import { badRequest } from '../../../contract/errors.ts';
import type { OperatorForm } from '../../operator/visit.ts';
import { releaseEditorPage } from '../../pages/operator/release.ts';
import { back, given } from './fields.ts';

export const releaseForms: OperatorForm[] = [
  {
    path: '/admin/releases/{rel}/suppress',
    summary: 'suppress a release',
    access: 'write',
    page: releaseEditorPage,
    run: async (visit) => {
      const reason = given(visit.form, 'reason');
      if (!reason) throw badRequest('reason', 'say why, so that other operators understand it');
      await visit.api.send('POST', '/releases/{rel}/suppress', { params: visit.params, body: { reason } });
      return back(visit, '/admin', 'suppressed');
    },
  },
  {
    path: '/admin/releases/{rel}/unsuppress',
    summary: 'bring a release back',
    access: 'write',
    page: releaseEditorPage,
    run: async (visit) => {
      await visit.api.send('POST', '/releases/{rel}/unsuppress', { params: visit.params, body: {} });
      return back(visit, '/admin', 'shown');
    },
  },
];
