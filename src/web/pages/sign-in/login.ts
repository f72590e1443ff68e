// /login: e-mail address and password, and the configured identity providers.
import { returnTargets } from '../../../accounts/auth/pending-request.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { errorSummary, postForm, textField } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { noticeBox } from '../../components/parts.ts';
import { type Refusal, refused } from '../../forms/refusal.ts';
import { answerPage, onward, type Visit, visitorPage } from '../../visit.ts';
import {
  carried,
  carriedQuery,
  configuredProviders,
  PROVIDER_ORIGINS,
  PROVIDERS,
  pendingRequest,
} from './pending-app.ts';

// The messages by the value of the query parameter `done`.
const DONE: Readonly<Record<string, string>> = {
  password: 'Your password was changed. Sign in with it.',
  deleted: 'Your account was deleted, with everything that belonged to it.',
};

export const OTHER_WAY = refused('That did not work. Try another way.');

// A reader who is signed in is redirected, unless an app requires a new sign-in.
export const loginPage = visitorPage({
  path: '/login',
  summary: 'Sign in',
  answer: async (visit) => (visit.shell.account && !pendingRequest(visit) ? onward(visit) : showLogin(visit)),
});

export async function showLogin(visit: Visit, refusal?: Refusal): Promise<Reply> {
  const { ctx, shell, sent, form } = visit;
  const values = carried(visit);
  const providers = configuredProviders(ctx.config);
  const fault = refusal ?? (sent.has('error') ? OTHER_WAY : undefined);
  const done = DONE[sent.get('done') ?? ''];
  // Both fields are marked, so that the page does not reveal which of them was wrong.
  const suspect = refusal?.message === MISMATCH;
  const body = html`<div class="narrow stack"><h1>Sign in</h1>
${errorSummary(fault)}${done ? html`<div role="status">${noticeBox('info', done)}</div>` : ''}${postForm(
  shell,
  { name: 'login', action: '/login', values },
  html`${textField({ name: 'email', label: 'E-mail', type: 'email', value: form.get('email'), autocomplete: 'username', suspect })}${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', suspect })}<button class="btn primary wide" type="submit">Sign in</button>`,
)}
${providers.length > 0 ? html`<p class="or">or</p>` : ''}${providers.map((provider) => postForm(shell, { name: provider, action: `/login/${provider}`, values }, html`<button class="btn wide" type="submit">Continue with ${PROVIDERS[provider]}</button>`))}
<p class="small muted">New here? <a href="/signup${carriedQuery(visit)}">Create an account</a>. <a href="/forgot-password">Forgot your password?</a></p></div>`;
  return answerPage(
    visit,
    { name: 'login', head: { title: 'Sign in' }, body },
    {
      status: refusal?.status,
      formTargets: [
        ...(await returnTargets(ctx, pendingRequest(visit))),
        ...providers.map((provider) => PROVIDER_ORIGINS[provider]),
      ],
    },
  );
}

export const MISMATCH = 'E-mail address and password do not match.';
