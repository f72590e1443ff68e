// The form of the site notice: it shows a preview or stores the change.
import type { OperatorForm } from '../../operator/visit.ts';
import { noticePage } from '../../pages/operator/notice.ts';
import { given } from './fields.ts';

export const noticeForm: OperatorForm = {
  path: '/admin/notice/save',
  summary: 'change the site notice',
  access: 'admin',
  page: noticePage,
  run: async (visit) => {
    const { api, form } = visit;
    if (form.has('preview')) return { body: noticePage.show(await noticePage.load(visit), visit) };
    await api.send('PUT', '/site-notice', {
      body: {
        active: form.has('active'),
        message: given(form, 'message'),
        linkText: given(form, 'linkText') ?? null,
        href: given(form, 'href') ?? null,
        placement: given(form, 'placement'),
        color: given(form, 'color'),
        dismissible: form.has('dismissible'),
      },
    });
    return { to: '/admin/notice?done=saved' };
  },
};
