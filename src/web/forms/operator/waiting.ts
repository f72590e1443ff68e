// Forms that accept what a held source has brought, and that end the wait of a host.
import type { OperatorForm } from '../../operator/visit.ts';
import { waitingPage } from '../../pages/operator/waiting.ts';
import { back } from './fields.ts';

export const waitingForms: OperatorForm[] = [
  {
    path: '/admin/sources/{src}/accept',
    summary: 'accept what a held source has brought',
    access: 'admin',
    page: waitingPage,
    run: async (visit) => {
      await visit.api.send('POST', '/admin/sources/{src}/accept', { params: visit.params });
      return back(visit, '/admin/waiting', 'accepted');
    },
  },
  {
    path: '/admin/hosts/{host}/end-wait',
    summary: 'end the wait of a host',
    access: 'admin',
    page: waitingPage,
    run: async (visit) => {
      await visit.api.send('DELETE', '/admin/hosts/{host}/wait', { params: visit.params });
      return back(visit, '/admin/waiting', 'waitEnded');
    },
  },
];
