// Choosing a new password.
import {
  type AuthPage,
  ask,
  buttonHtml,
  faultHtml,
  fieldHtml,
  formHtml,
  type PageCall,
  page,
  requireOwnForm,
  seeOther,
} from './auth-page.ts';

export const passwordPages: readonly AuthPage[] = [
  { method: 'GET', path: '/forgot-password', show: async (call) => forgotPage(call) },
  { method: 'POST', path: '/forgot-password', show: forgot },
  { method: 'GET', path: '/reset-password', show: async (call) => resetPage(call) },
  { method: 'POST', path: '/reset-password', show: reset },
];

function forgotPage(call: PageCall, sent = false): Response {
  if (call.ctx.config.mail === null) {
    const body = '<p>This registry sends no mail. Its operator can give you a link to choose a new password.</p>';
    return page(call, { title: 'Forgot your password?', body });
  }
  const fields = [
    fieldHtml({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' }),
    buttonHtml('Send me a link'),
  ];
  const body = sent
    ? '<p>If there is an account with this address, a link is on its way.</p>'
    : formHtml(call, { action: '/forgot-password', fields: fields.join('\n') });
  return page(call, { title: 'Forgot your password?', body });
}

async function forgot(call: PageCall): Promise<Response> {
  requireOwnForm(call, '/forgot-password');
  const said = await ask(call, '/request-password-reset', { email: call.form.get('email') ?? '' });
  return forgotPage(call, said.status === 200);
}

function resetPage(call: PageCall, said?: { status: number; fault: string }): Response {
  const token = call.form.get('token') ?? call.query.get('token') ?? '';
  const fields = [
    fieldHtml({
      name: 'password',
      label: 'New password, at least 10 characters',
      type: 'password',
      autocomplete: 'new-password',
    }),
    buttonHtml('Save'),
  ];
  const form = formHtml(call, { action: '/reset-password', values: { token }, fields: fields.join('\n') });
  return page(call, {
    title: 'Choose a new password',
    body: `${faultHtml(said?.fault)}\n${form}`,
    status: said?.status,
  });
}

async function reset(call: PageCall): Promise<Response> {
  requireOwnForm(call, '/reset-password');
  const json = { token: call.form.get('token') ?? '', newPassword: call.form.get('password') ?? '' };
  const said = await ask(call, '/reset-password', json);
  if (said.status === 200) return seeOther(`${call.ctx.config.webUrl}/login`);
  const fault = said.code === 'INVALID_TOKEN' ? 'This link has been used or is too old.' : said.message;
  return resetPage(call, { status: said.status === 429 ? 429 : 422, fault });
}
