// /forgot-password: requests a reset link by mail; where the service sends no mail, it refers to the operator.
import type { Reply } from '../../../http/kernel/reply.ts';
import { errorSummary, postForm, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import type { Refusal } from '../../forms/refusal.ts';
import { answerPage, type Visit, visitorPage } from '../../visit.ts';

export const forgotPasswordPage = visitorPage({
  path: '/forgot-password',
  summary: 'Forgot your password?',
  answer: async (visit) => showForgotPassword(visit),
});

export function showForgotPassword(visit: Visit, refusal?: Refusal): Reply {
  const { ctx, shell, form } = visit;
  const email = textField({
    name: 'email',
    label: 'E-mail',
    type: 'email',
    value: form.get('email'),
    autocomplete: 'email',
    error: refusal?.fields.email,
  });
  const ask = html`<p class="muted">You get a link by mail. It works once, for an hour.</p>
${errorSummary(refusal)}${postForm(shell, { name: 'forgot-password', action: '/forgot-password' }, html`${email}<button class="btn primary wide" type="submit">Send me a link</button>`)}`;
  const noMail = html`<p>This registry sends no mail. Its operator can give you a link to choose a new password.</p>`;
  return answerPage(visit, framed('Forgot your password?', ctx.config.mail === null ? noMail : ask), {
    status: refusal?.status,
  });
}

// The answer is the same whether the account exists or not.
export function showLinkSent(visit: Visit): Reply {
  const words = html`<p role="status">If there is an account with this address, a link is on its way.</p>`;
  return answerPage(visit, framed('Check your mail', words));
}

function framed(title: string, content: Html) {
  const body = html`<div class="narrow stack"><h1>${title}</h1>${content}<p class="small"><a href="/login">Back to sign in</a></p></div>`;
  return { name: 'forgot-password', head: { title }, body };
}
