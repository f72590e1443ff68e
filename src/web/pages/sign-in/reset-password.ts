// /reset-password: a new password, with a link from a mail or from the operator.
import type { Reply } from '../../../http/kernel/reply.ts';
import { errorSummary, postForm, textField } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { type Refusal, refused } from '../../forms/refusal.ts';
import { answerPage, type Visit, visitorPage } from '../../visit.ts';
import { NEW_PASSWORD } from './signup.ts';

const NAMED = { name: 'reset-password', head: { title: 'Choose a new password' } };

export const resetPasswordPage = visitorPage({
  path: '/reset-password',
  summary: 'Choose a new password',
  answer: async (visit) => showResetPassword(visit),
});

export function showResetPassword(visit: Visit, refusal?: Refusal): Reply {
  const token = visit.form.get('token') ?? visit.sent.get('token') ?? '';
  const password = textField({
    ...NEW_PASSWORD,
    name: 'password',
    label: 'New password',
    error: refusal?.fields.password,
  });
  const body = html`<div class="narrow stack"><div><h1>Choose a new password</h1><p class="muted">This signs you out everywhere.</p></div>
${errorSummary(refusal)}${postForm(visit.shell, { name: 'reset-password', action: '/reset-password', values: { token } }, html`${password}<button class="btn primary wide" type="submit">Save</button>`)}</div>`;
  return answerPage(visit, { ...NAMED, body }, { status: refusal?.status });
}

// The link is invalid or expired, so the page does not ask for another password.
export function showDeadLink(visit: Visit): Reply {
  const body = html`<div class="narrow stack"><h1>Choose a new password</h1>${errorSummary(refused('This link has been used or is too old.'))}<p><a href="/forgot-password">Ask for another link</a></p></div>`;
  return answerPage(visit, { ...NAMED, body }, { status: 422 });
}
