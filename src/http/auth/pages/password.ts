// Choosing a new password.
import type { Reply } from '../../kernel/reply.ts';
import {
  type AuthPage,
  ask,
  buttonHtml,
  faultHtml,
  fieldHtml,
  formHtml,
  NEW_PASSWORD,
  type PageCall,
  page,
  seeOther,
  TOO_MANY,
} from './page.ts';

export const passwordPages: readonly AuthPage[] = [
  { method: 'GET', path: '/forgot-password', title: 'Forgot your password?', show: async (call) => forgotPage(call) },
  { method: 'POST', path: '/forgot-password', title: 'Forgot your password?', show: forgot },
  { method: 'GET', path: '/reset-password', title: 'Choose a new password', show: async (call) => resetPage(call) },
  { method: 'POST', path: '/reset-password', title: 'Choose a new password', show: reset },
];

interface PasswordRefusal {
  status: number;
  fault: string;
}

function forgotPage(call: PageCall, refusal?: PasswordRefusal): Reply {
  const named = { name: 'forgot-password', title: 'Forgot your password?' };
  if (call.ctx.config.mail === null) {
    const body = '<p>This registry sends no mail. Its operator can give you a link to choose a new password.</p>';
    return page(call, { ...named, body: `${body}\n${TO_SIGN_IN}` });
  }
  const fields = [
    fieldHtml({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: call.form.get('email') ?? '',
      autocomplete: 'email',
      faulty: refusal !== undefined,
    }),
    buttonHtml({ label: 'Send me a link', main: true }),
  ];
  const form = formHtml(call, { action: '/forgot-password', fields: fields.join('\n') });
  return page(call, {
    ...named,
    body: `${faultHtml(refusal?.fault)}\n${form}\n${TO_SIGN_IN}`,
    status: refusal?.status,
  });
}

const TO_SIGN_IN = '<p class="after"><a href="/login">Back to sign in</a></p>';

async function forgot(call: PageCall): Promise<Reply> {
  const reply = await ask(call, '/request-password-reset', { email: call.form.get('email') ?? '' });
  if (reply.status === 429) return forgotPage(call, { status: 429, fault: TOO_MANY });
  if (reply.status !== 200) return forgotPage(call, { status: 422, fault: reply.message });
  const body = `<p>If there is an account with this address, a link is on its way.</p>\n${TO_SIGN_IN}`;
  return page(call, { name: 'forgot-password', title: 'Look into your mail', body });
}

function resetPage(call: PageCall, refusal?: PasswordRefusal): Reply {
  const token = call.form.get('token') ?? call.query.get('token') ?? '';
  const fields = [
    fieldHtml({ ...NEW_PASSWORD, label: 'New password', faulty: refusal !== undefined }),
    buttonHtml({ label: 'Save', main: true }),
  ];
  const form = formHtml(call, { action: '/reset-password', values: { token }, fields: fields.join('\n') });
  return page(call, {
    name: 'reset-password',
    title: 'Choose a new password',
    body: `${faultHtml(refusal?.fault)}\n${form}`,
    status: refusal?.status,
  });
}

async function reset(call: PageCall): Promise<Reply> {
  const json = { token: call.form.get('token') ?? '', newPassword: call.form.get('password') ?? '' };
  const reply = await ask(call, '/reset-password', json);
  if (reply.status === 200) return seeOther(`${call.ctx.config.webUrl}/login?changed=password`);
  if (reply.status === 429) return resetPage(call, { status: 429, fault: TOO_MANY });
  return reply.code === 'INVALID_TOKEN' ? deadLinkPage(call) : resetPage(call, { status: 422, fault: reply.message });
}

// Another password would not help.
function deadLinkPage(call: PageCall): Reply {
  const fault = faultHtml('This link has been used or is too old.');
  const body = `${fault}\n<p class="after"><a href="/forgot-password">Ask for another link</a></p>`;
  return page(call, { name: 'reset-password', title: 'Choose a new password', body, status: 422 });
}
