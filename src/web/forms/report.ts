// Removes a report for whoever made it.
import { deleteReport } from '../../packages/reports/delete.ts';
import { PROJECT_FILES_PATH } from '../links.ts';
import { seeOther, visitorForm } from '../visit.ts';
import { makerSecret } from './maker-cookie.ts';

export const reportRemoveForm = visitorForm({
  path: '/reports/{id}/remove',
  summary: 'Remove a report',
  answer: async (visit) => {
    await deleteReport(visit.ctx, { id: visit.params.id ?? '', secret: makerSecret(visit.request.headers) });
    return seeOther(visit, `${PROJECT_FILES_PATH}&done=removed`);
  },
});
