// Forms that test and pause webhooks and deal with dead letters.
import type { OperatorForm, OperatorVisit } from '../../operator/visit.ts';
import { webhooksPage } from '../../pages/operator/webhooks.ts';

export const webhookForms: OperatorForm[] = [
  webhookForm('/admin/webhooks/{id}/test', 'replayed', ({ api, params }) =>
    api.send('POST', '/webhooks/{id}/test', { params, body: {} }),
  ),
  webhookForm('/admin/webhooks/{id}/pause', 'paused', ({ api, params }) =>
    api.send('PATCH', '/webhooks/{id}', { params, body: { enabled: false } }),
  ),
  webhookForm('/admin/webhooks/{id}/resume', 'saved', ({ api, params }) =>
    api.send('PATCH', '/webhooks/{id}', { params, body: { enabled: true } }),
  ),
  webhookForm('/admin/webhooks/dlq/{deliveryId}/replay', 'replayed', ({ api, params }) =>
    api.send('POST', '/webhooks/dlq/{deliveryId}/replay', { params, body: {} }),
  ),
  webhookForm('/admin/webhooks/dlq/{deliveryId}/dismiss', 'dismissed', ({ api, params }) =>
    api.send('DELETE', '/webhooks/dlq/{deliveryId}', { params }),
  ),
];

function webhookForm(path: string, done: string, change: (visit: OperatorVisit) => Promise<unknown>): OperatorForm {
  return {
    path,
    summary: 'change a webhook',
    access: 'admin',
    page: webhooksPage,
    run: async (visit) => {
      await change(visit);
      return { to: `/admin/webhooks?done=${done}` };
    },
  };
}
