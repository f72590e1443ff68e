// /account/undo-email: brings a former address back, with a link from a mail. Opening the link changes nothing, because
// mail programs open links, too.
import { formerAddress } from '../../../accounts/auth/address-changes.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { errorSummary, postForm } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { type Refusal, refused } from '../../forms/refusal.ts';
import { answerPage, type Visit, visitorPage } from '../../visit.ts';

const NAMED = { name: 'undo-email', head: { title: 'Bring your address back' } };

export const undoEmailPage = visitorPage({
  path: '/account/undo-email',
  summary: 'Bring a former address back',
  answer: async (visit) => showUndoEmail(visit),
});

export async function showUndoEmail(visit: Visit, refusal?: Refusal): Promise<Reply> {
  const token = visit.form.get('token') ?? visit.sent.get('token') ?? '';
  const email = await formerAddress(visit.ctx, token);
  if (email === null) return showUnusableLink(visit, refusal);
  const body = html`<div class="narrow stack"><div><h1>Bring your address back</h1><p>Your account gets the address ${email} again. Everybody who is signed in to it is signed out, including you.</p></div>
${errorSummary(refusal)}${postForm(visit.shell, { name: 'undo-email', action: '/account/undo-email', values: { token } }, html`<button class="btn primary wide" type="submit">Undo the change</button>`)}</div>`;
  return answerPage(visit, { ...NAMED, body }, { status: refusal?.status });
}

function showUnusableLink(visit: Visit, refusal = refused('This link has been used or is older than 7 days.')): Reply {
  const body = html`<div class="narrow stack"><h1>Bring your address back</h1>${errorSummary(refusal)}<p>If somebody else has your account, ask the operator of this registry for help.</p></div>`;
  return answerPage(visit, { ...NAMED, body }, { status: refusal.status });
}

export function showUndone(visit: Visit, { email, resetPath }: { email: string; resetPath: string }): Reply {
  const body = html`<div class="narrow stack"><h1>Your address is back</h1><p>It is ${email} again, and everybody is signed out. Whoever changed it may know your password, so choose a new one now. Then look at the keys and apps of your account, and remove those that are not yours.</p><p><a class="btn primary wide" href="${resetPath}">Choose a new password</a></p></div>`;
  return answerPage(visit, { ...NAMED, body });
}
