// The form that ends the reading of well-known packages.
import type { OperatorForm } from '../../operator/visit.ts';
import { STARTER_PATH, starterPage } from '../../pages/operator/starter.ts';

export const starterForm: OperatorForm = {
  path: `${STARTER_PATH}/stop`,
  summary: 'stop reading well-known packages',
  access: 'admin',
  page: starterPage,
  run: async ({ api }) => {
    await api.send('DELETE', '/admin/starter');
    return { to: `${STARTER_PATH}?done=stopped` };
  },
};
