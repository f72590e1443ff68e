// Forms that hide single releases and show them again.
import type { OperatorForm } from '../../operator/visit.ts';
import { overviewPage } from '../../pages/operator/overview.ts';
import { back } from './fields.ts';

export const releaseForms = (['suppress', 'unsuppress'] as const).map(
  (verb): OperatorForm => ({
    path: `/admin/releases/{rel}/${verb}`,
    summary: `${verb} a release`,
    access: 'write',
    page: overviewPage,
    run: async (visit) => {
      await visit.api.send('POST', `/releases/{rel}/${verb}`, { params: visit.params, body: {} });
      return back(visit, '/admin', verb === 'suppress' ? 'suppressed' : 'shown');
    },
  }),
);
